// Pairs of one's own: a file with one pair for each line or row.
#pragma once

#include <string>
#include <vector>

#include "wordsway/text/corpus/corpus.h"
#include "wordsway/text/pairs/text_pair.h"

namespace wordsway {

/// The class of pairs in a file that says none.
inline constexpr const char* kUnnamedClass = "pairs";
/// The name of summaries over all classes; no class of a file may have this name.
inline constexpr const char* kAllClasses = "all";

/// JSON Lines (.jsonl, .ndjson, and standard input with "-"), csv or tsv by the file's name, each also packed with gzip
/// or xz. Keys or columns: anchor, changed, and, where there are any, control and class. Throws FileError when it
/// cannot be read; DataError naming the line when it is something else, when anchor or changed is missing or empty,
/// when a key is unknown or comes twice, when it is not UTF-8, or when there is no pair.
std::vector<TextPair> read_pairs(const std::string& path);
/// Reads pairs from lines in the format kJsonLines or kTsv, or else kCsv.
std::vector<TextPair> read_pairs(TextLines& lines, CorpusFormat format);

}  // namespace wordsway
