#include "wordsway/text/corpus.h"

#include <iostream>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/input_file.h"
#include "wordsway/text/corpus_formats.h"
#include "wordsway/text/json_view.h"

namespace wordsway {
namespace {

CorpusFormat format_by_name(std::string_view name) {
  for (const std::string_view packed : {".gz", ".xz"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  if (name.ends_with(".csv")) return CorpusFormat::kCsv;
  if (name.ends_with(".tsv")) return CorpusFormat::kTsv;
  if (name.ends_with(".jsonl") || name.ends_with(".ndjson")) return CorpusFormat::kJsonLines;
  return CorpusFormat::kText;
}

bool is_json_text(const std::string& line) {
  if (!line.starts_with("{")) return false;
  try {
    return JsonView::parse(line, "")["text"].is_string();
  } catch (const DataError&) {
    return false;
  }
}

CorpusFormat format_by_first_line(TextLines& lines) {
  std::string first;
  if (!lines.next(first)) return CorpusFormat::kText;
  const bool is_json = is_json_text(first);
  lines.put_back(std::move(first));
  return is_json ? CorpusFormat::kJsonLines : CorpusFormat::kText;
}

}  // namespace

void for_each_text(const std::string& path, const CorpusOptions& options,
                   const std::function<bool(LabelledText&&)>& visit) {
  if (path != "-" && path_is_folder(path)) return read_aclimdb(path, visit);
  std::istream& standard_input = options.standard_input ? *options.standard_input : std::cin;
  TextLines lines(open_bytes(path, standard_input, options.max_unpacked_bytes), path == "-" ? "standard input" : path);
  CorpusFormat format = options.format;
  if (format == CorpusFormat::kByName) format = path == "-" ? format_by_first_line(lines) : format_by_name(path);
  switch (format) {
    case CorpusFormat::kCsv:
      return read_separated_values(lines, ',', options, visit);
    case CorpusFormat::kTsv:
      return read_separated_values(lines, '\t', options, visit);
    case CorpusFormat::kJsonLines:
      return read_json_lines(lines, visit);
    case CorpusFormat::kText:
    case CorpusFormat::kByName:
      return read_plain_text(lines, visit);
  }
}

std::vector<LabelledText> read_corpus(const std::string& path, const CorpusOptions& options,
                                      std::optional<std::size_t> limit) {
  std::vector<LabelledText> texts;
  if (limit == 0) return texts;
  for_each_text(path, options, [&](LabelledText&& text) {
    if (texts.size() == options.max_texts) {
      throw DataError(fmt::format("{}: has more than {} texts, which is the most that are read; split it",
                                  path == "-" ? "standard input" : path, options.max_texts));
    }
    texts.push_back(std::move(text));
    return !limit || texts.size() < *limit;
  });
  return texts;
}

}  // namespace wordsway
