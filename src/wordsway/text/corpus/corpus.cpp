#include "wordsway/text/corpus/corpus.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/core/utf8.h"
#include "wordsway/io/csv_reader.h"
#include "wordsway/io/data_text.h"
#include "wordsway/io/input_file.h"
#include "wordsway/io/json_view.h"

namespace wordsway {

namespace {

// Whether a line is meant to be an object with a text. What is wrong with it otherwise is said when it is read.
bool is_json_text(const std::string& line) {
  if (!line.starts_with("{")) return false;
  std::string valid;
  for (const char32_t code : unicode::decode(line)) unicode::append_utf8(valid, code);
  try {
    return JsonView::parse(valid, "")["text"].is_string();
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

CorpusFormat corpus_format_by_name(std::string_view name) {
  for (const std::string_view packed : {".gz", ".xz"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  if (name.ends_with(".csv")) return CorpusFormat::kCsv;
  if (name.ends_with(".tsv")) return CorpusFormat::kTsv;
  if (name.ends_with(".jsonl") || name.ends_with(".ndjson")) return CorpusFormat::kJsonLines;
  return CorpusFormat::kText;
}

void for_each_text(const std::string& path, const CorpusOptions& options,
                   const std::function<bool(LabelledText&&)>& visit) {
  if (path != "-" && path_is_folder(path)) return read_aclimdb(path, visit);
  std::istream& standard_input = options.standard_input ? *options.standard_input : std::cin;
  TextLines lines(open_bytes(path, standard_input, options.max_unpacked_bytes), path == "-" ? "standard input" : path);
  CorpusFormat format = options.format;
  if (format == CorpusFormat::kByName) format = path == "-" ? format_by_first_line(lines) : corpus_format_by_name(path);
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

void read_plain_text(TextLines& lines, const VisitText& visit) {
  std::string line;
  while (lines.next(line)) {
    const std::string_view text = without_carriage_return(line);
    if (!visit({std::string(text), std::nullopt, std::to_string(lines.number())})) return;
  }
}

namespace {

std::optional<int> read_label(const JsonView& y) {
  if (!y.exists()) return std::nullopt;
  const std::int64_t label = y.integer();
  if (label < std::numeric_limits<int>::min() || label > std::numeric_limits<int>::max()) {
    y.fail("expected a 32-bit integer");
  }
  return static_cast<int>(label);
}

std::string read_id(const JsonView& id, long long line) {
  if (!id.exists()) return std::to_string(line);
  return id.is_string() ? id.string() : std::to_string(id.integer());
}

}  // namespace

void read_json_lines(TextLines& lines, const VisitText& visit) {
  std::string line;
  while (lines.next(line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const JsonView json = parse_data_json(line, lines.name(), lines.number());
    if (!visit({json["text"].string(), read_label(json["y"]), read_id(json["id"], lines.number())})) return;
  }
}

namespace {

using Row = std::vector<std::string>;

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::size_t> find_name(const Row& header, std::string_view name) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
}

// Which of two columns of one name is meant, nobody can know.
void check_comes_once(const Row& header, std::size_t column, const std::string& file) {
  if (std::count(header.begin(), header.end(), header[column]) > 1)
    throw DataError(fmt::format("{}: the column '{}' comes twice", file, header[column]));
}

std::size_t find_column(const Row& header, const std::string& asked, const std::string& file) {
  if (const auto by_name = find_name(header, asked)) return *by_name;
  const auto index = parse_number<std::size_t>(asked);
  if (index && *index < header.size()) return *index;
  throw UsageError(fmt::format("{}: there is no column '{}'; there are: {}{}", file, asked, fmt::join(header, ", "),
                               suggestion(asked, header)));
}

std::size_t find_text_column(const Row& header, const CorpusOptions& options, const std::string& file) {
  if (!options.column.empty()) return find_column(header, options.column, file);
  if (const auto usual = find_name(header, "text")) return *usual;
  if (header.size() == 1) return 0;
  throw UsageError(fmt::format("{}: which column is the text? Name one of: {}", file, fmt::join(header, ", ")));
}

std::optional<std::size_t> find_label_column(const Row& header, const CorpusOptions& options, const std::string& file) {
  if (!options.label_column.empty()) return find_column(header, options.label_column, file);
  if (const auto usual = find_name(header, "y")) return usual;
  return find_name(header, "label");
}

std::optional<int> parse_label(std::string_view text, const std::string& where) {
  if (text.empty()) return std::nullopt;
  if (text == "pos" || text == "positive") return 1;
  if (text == "neg" || text == "negative") return -1;
  const bool has_plus = text.starts_with("+") && !text.starts_with("+-");
  if (const auto number = parse_number<int>(text.substr(has_plus ? 1 : 0))) return number;
  throw DataError(fmt::format("{}: expected an integer, pos or neg as the label, got '{}'", where, text));
}

}  // namespace

void read_separated_values(TextLines& lines, char separator, const CorpusOptions& options, const VisitText& visit) {
  CsvReader rows(lines, separator);
  Row header;
  if (!rows.next(header)) throw DataError(lines.name() + ": empty; expected a header row");
  const std::size_t text = find_text_column(header, options, lines.name());
  const auto label = find_label_column(header, options, lines.name());
  check_comes_once(header, text, rows.where());
  if (label) check_comes_once(header, *label, rows.where());
  Row row;
  while (rows.next(row)) {
    const bool blank = row.size() == 1 && row[0].empty() && header.size() > 1;
    if (blank) continue;
    if (row.size() != header.size()) {
      throw DataError(
          fmt::format("{}: has {} fields; expected {} as in the header", rows.where(), row.size(), header.size()));
    }
    const auto value = label ? parse_label(row[*label], rows.where()) : std::nullopt;
    if (!visit({std::move(row[text]), value, std::to_string(rows.number())})) return;
  }
}

// The Large Movie Review Dataset of Maas et al. (ACL 2011), as its archive unpacks.

namespace {

namespace fs = std::filesystem;

constexpr std::pair<const char*, int> kClasses[] = {{"pos", 1}, {"neg", -1}};

/// The .txt files by the number their names begin with, then by name.
std::vector<fs::path> reviews_in(const fs::path& folder) {
  std::vector<std::pair<long long, fs::path>> numbered;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->path().extension() != ".txt") continue;
    const std::string stem = entry->path().stem().string();
    long long number = 0;
    std::from_chars(stem.data(), stem.data() + stem.size(), number);
    numbered.emplace_back(number, entry->path());
  }
  if (error) throw FileError(fmt::format("cannot read {}: {}", folder.string(), error.message()));
  std::sort(numbered.begin(), numbered.end());
  std::vector<fs::path> files;
  files.reserve(numbered.size());
  for (auto& [number, file] : numbered) files.push_back(std::move(file));
  return files;
}

bool is_split(const fs::path& folder) {
  return path_is_folder(folder / "pos") && path_is_folder(folder / "neg");
}

/// False when the visitor wants no more.
bool read_split(const fs::path& folder, const std::string& prefix, const VisitText& visit) {
  for (const auto& [name, label] : kClasses) {
    for (const fs::path& file : reviews_in(folder / name)) {
      const std::string id = fmt::format("{}{}/{}", prefix, name, file.stem().string());
      std::string text = read_small_file(file);
      check_is_text(text, 0, file.string());
      if (!visit({std::move(text), label, id})) return false;
    }
  }
  return true;
}

}  // namespace

void read_aclimdb(const fs::path& folder, const VisitText& visit) {
  if (is_split(folder)) {
    read_split(folder, "", visit);
    return;
  }
  if (!is_split(folder / "train") && !is_split(folder / "test")) {
    throw DataError(
        fmt::format("{}: not an aclImdb folder; expected train and test with pos and neg in them", folder.string()));
  }
  for (const char* split : {"train", "test"}) {
    if (is_split(folder / split) && !read_split(folder / split, std::string(split) + "/", visit)) return;
  }
}

}  // namespace wordsway
