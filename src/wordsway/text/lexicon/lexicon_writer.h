// Writes the words that word_selection.h chooses as the table that the library has within it (lexicon_table.h).
#pragma once

#include <string>
#include <string_view>

#include "wordsway/text/lexicon/wordnet.h"

namespace wordsway {

/// The bytes of a LexiconTable. Throws as select_words does, and DataError when the table would be too large.
std::string write_lexicon(const wordnet::Database& database, std::string_view corrections);

}  // namespace wordsway
