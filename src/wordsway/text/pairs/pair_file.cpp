#include "wordsway/text/pairs/pair_file.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/io/csv_reader.h"
#include "wordsway/io/data_text.h"
#include "wordsway/io/json_view.h"
#include "wordsway/io/text_lines.h"
#include "wordsway/text/corpus/corpus.h"

namespace wordsway {
namespace {

const std::vector<std::string>& known_keys() {
  static const std::vector<std::string> keys = {"anchor", "changed", "control", "class"};
  return keys;
}

void check_key(const std::string& where, const std::string& key) {
  const auto& keys = known_keys();
  if (std::find(keys.begin(), keys.end(), key) != keys.end()) return;
  throw DataError(fmt::format("{}: unknown column '{}'; a pair has: {}{}", where, key, fmt::join(keys, ", "),
                              suggestion(key, keys)));
}

// `get` gives the text under a key, or nothing.
using Get = std::function<std::optional<std::string>(const std::string& key)>;

TextPair make_pair_of(const std::string& where, Index line, const Get& get) {
  const auto needed = [&](const char* key) {
    const std::optional<std::string> text = get(key);
    if (!text || text->empty()) throw DataError(fmt::format("{}: the pair has no '{}'", where, key));
    return *text;
  };
  const auto optional = [&](const char* key) {
    std::optional<std::string> text = get(key);
    if (text && text->empty()) text.reset();
    return text;
  };
  TextPair pair{needed("anchor"), needed("changed"), optional("control"), optional("class").value_or(kUnnamedClass),
                line};
  if (pair.class_name == kAllClasses)
    throw DataError(fmt::format("{}: a class cannot be called '{}', as the sum of them is", where, kAllClasses));
  return pair;
}

void read_json(TextLines& lines, const std::function<void(TextPair&&)>& add) {
  std::string line;
  while (lines.next(line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const JsonView json = parse_data_json(line, lines.name(), lines.number());
    for (const auto& [key, value] : json.members()) check_key(lines.where(), key);
    add(make_pair_of(lines.where(), static_cast<Index>(lines.number()), [&](const std::string& key) {
      return json[key].exists() ? std::optional(json[key].string()) : std::nullopt;
    }));
  }
}

void read_separated(TextLines& lines, char separator, const std::function<void(TextPair&&)>& add) {
  CsvReader rows(lines, separator);
  std::vector<std::string> header, row;
  if (!rows.next(header)) return;
  for (const std::string& name : header) {
    check_key(rows.where(), name);
    if (std::count(header.begin(), header.end(), name) > 1)
      throw DataError(fmt::format("{}: the column '{}' comes twice", rows.where(), name));
  }
  while (rows.next(row)) {
    if (row.size() == 1 && row[0].empty() && header.size() > 1) continue;  // a blank line
    if (row.size() != header.size())
      throw DataError(
          fmt::format("{}: has {} fields; expected {} as in the header", rows.where(), row.size(), header.size()));
    add(make_pair_of(rows.where(), static_cast<Index>(rows.number()), [&](const std::string& key) {
      const auto column = std::find(header.begin(), header.end(), key);
      return column == header.end() ? std::nullopt : std::optional(row[static_cast<size_t>(column - header.begin())]);
    }));
  }
}

}  // namespace

std::vector<TextPair> read_pairs(const std::string& path) {
  const std::string name = path == "-" ? "standard input" : path;
  const CorpusFormat format = path == "-" ? CorpusFormat::kJsonLines : corpus_format_by_name(path);
  if (format == CorpusFormat::kText)
    throw DataError(fmt::format("{}: pairs are read from .jsonl, .csv and .tsv files", name));
  TextLines lines(open_bytes(path, std::cin), name);
  return read_pairs(lines, format);
}

std::vector<TextPair> read_pairs(TextLines& lines, CorpusFormat format) {
  std::vector<TextPair> pairs;
  const auto add = [&](TextPair&& pair) {
    if (pairs.size() == kMaxTexts)
      throw DataError(fmt::format("{}: has more than {} pairs, which is the most that are read; split it", lines.name(),
                                  kMaxTexts));
    pairs.push_back(std::move(pair));
  };
  if (format == CorpusFormat::kJsonLines) {
    read_json(lines, add);
  } else {
    read_separated(lines, format == CorpusFormat::kTsv ? '\t' : ',', add);
  }
  if (pairs.empty()) throw DataError(lines.name() + ": there is no pair");
  return pairs;
}

}  // namespace wordsway
