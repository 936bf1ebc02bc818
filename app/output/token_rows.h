// Tokens of many texts as a table or CSV, one row for each token: text, token, id, piece, word, begin, end. Written
// straight from the encodings: there may be millions of rows, and as records (io/row_text.h) they would take ten times
// as long.
#pragma once

#include <span>
#include <string>

#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway::app {

std::string tokens_as_csv(std::span<const Encoding> encodings);

/// Columns aligned, numbers to the right.
std::string tokens_as_table(std::span<const Encoding> encodings);

}  // namespace wordsway::app
