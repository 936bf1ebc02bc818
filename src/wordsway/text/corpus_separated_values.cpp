#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"
#include "wordsway/text/corpus_formats.h"
#include "wordsway/text/csv_reader.h"

namespace wordsway {
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

std::size_t find_column(const Row& header, const std::string& asked, const std::string& file) {
  if (const auto by_name = find_name(header, asked)) return *by_name;
  const auto index = parse_number<std::size_t>(asked);
  if (index && *index < header.size()) return *index;
  throw UsageError(fmt::format("{}: there is no column '{}'; there are: {}", file, asked, fmt::join(header, ", ")));
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
  if (text.starts_with("+")) text.remove_prefix(1);
  if (const auto number = parse_number<int>(text)) return number;
  throw DataError(fmt::format("{}: expected an integer, pos or neg as the label, got '{}'", where, text));
}

}  // namespace

void read_separated_values(TextLines& lines, char separator, const CorpusOptions& options, const VisitText& visit) {
  CsvReader rows(lines, separator);
  Row header;
  if (!rows.next(header)) throw DataError(lines.name() + ": empty; expected a header row");
  const std::size_t text = find_text_column(header, options, lines.name());
  const auto label = find_label_column(header, options, lines.name());
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

}  // namespace wordsway
