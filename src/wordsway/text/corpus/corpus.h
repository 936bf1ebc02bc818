// Collections of texts, with or without labels: the aclImdb folder as downloaded, csv and tsv, JSON Lines, plain text;
// each file also packed with gzip or xz, or from standard input.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/io/byte_source.h"
#include "wordsway/io/text_lines.h"

namespace wordsway {

struct LabelledText {
  std::string text;
  std::optional<int> label;  // +1 and -1 in aclImdb
  std::string id;            // "train/pos/0_9", the "id" of a JSON line, or the number of the line

  bool operator==(const LabelledText&) const = default;
};

/// The most texts that read_corpus keeps: a packed file of some kilobytes can hold a billion empty lines.
inline constexpr std::size_t kMaxTexts = 10'000'000;

enum class CorpusFormat { kByName, kText, kCsv, kTsv, kJsonLines };

/// The format of a file by the end of its name, before .gz or .xz; kText for all other names.
CorpusFormat corpus_format_by_name(std::string_view name);

struct CorpusOptions {
  /// By name: folder → aclImdb; .csv, .tsv, .jsonl, .ndjson (before .gz or .xz); else text. Standard input is JSON
  /// Lines when its first line is a JSON object with a "text", else text.
  CorpusFormat format = CorpusFormat::kByName;

  // For csv and tsv, whose first row is the header: a column by name, else by its index from 0. Empty: the column
  // "text" or the only one; for labels "y" or "label" when there is one.
  std::string column = {};
  std::string label_column = {};

  std::istream* standard_input = nullptr;  // null means std::cin
  std::uint64_t max_unpacked_bytes = kMaxUnpackedBytes;
  std::size_t max_texts = kMaxTexts;  // that read_corpus keeps
};

/// Calls visit(text) for every text in order until it returns false. One text is held at a time.
/// Throws FileError when a file cannot be read, DataError naming file and line when its content is wrong, UsageError
/// when a column does not exist.
void for_each_text(const std::string& path, const CorpusOptions& options,
                   const std::function<bool(LabelledText&&)>& visit);

/// All texts, or the first `limit`. Throws DataError also when there are more than options.max_texts.
std::vector<LabelledText> read_corpus(const std::string& path, const CorpusOptions& options = {},
                                      std::optional<std::size_t> limit = std::nullopt);

// The formats of corpora, one file each; text/corpus/corpus.cpp chooses. All throw as for_each_text does.

using VisitText = std::function<bool(LabelledText&&)>;

/// A line a text; no labels.
void read_plain_text(TextLines& lines, const VisitText& visit);

/// A JSON object a line: "text", optionally "y" (an integer) and "id" (a string or an integer). Blank lines are
/// skipped.
void read_json_lines(TextLines& lines, const VisitText& visit);

/// Rows with quoting as in RFC 4180.
void read_separated_values(TextLines& lines, char separator, const CorpusOptions& options, const VisitText& visit);

/// FOLDER/{train,test}/{pos,neg}/NUMBER_RATING.txt, or one split's {pos,neg}: each by number, in this order.
void read_aclimdb(const std::filesystem::path& folder, const VisitText& visit);

}  // namespace wordsway
