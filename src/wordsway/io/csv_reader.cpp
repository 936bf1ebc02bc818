#include "wordsway/io/csv_reader.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/data_text.h"

namespace wordsway {

bool CsvReader::next(std::vector<std::string>& fields) {
  fields.clear();
  std::string line;
  if (!lines_.next(line)) return false;
  where_ = lines_.where();
  check_is_utf8(line, where_);
  number_ = lines_.number();
  row_bytes_ = line.size();
  for (std::size_t at = 0;; ++at) {
    std::string& field = fields.emplace_back();
    if (at < line.size() && line[at] == '"') {
      read_quoted(line, at, field);
    } else {
      const std::size_t end = std::min(line.find(separator_, at), line.size());
      const std::string_view value = std::string_view(line).substr(at, end - at);
      field = end == line.size() ? without_carriage_return(value) : value;
      at = end;
    }
    if (at >= line.size()) return true;
  }
}

/// From an opening quote at `at` to the separator or the end of the row; reads more lines when the field has them.
void CsvReader::read_quoted(std::string& line, std::size_t& at, std::string& field) {
  ++at;
  while (true) {
    const std::size_t quote = line.find('"', at);
    field.append(line, at, std::min(quote, line.size()) - at);
    if (quote == std::string::npos) {
      if (!lines_.next(line)) throw DataError(where_ + ": a quote opened in this row is never closed");
      check_is_utf8(line, lines_.where());
      row_bytes_ += line.size() + 1;
      if (row_bytes_ > TextLines::kMaxLineBytes) throw DataError(where_ + ": a row of more than 64 MiB");
      field += '\n';
      at = 0;
    } else if (quote + 1 < line.size() && line[quote + 1] == '"') {
      field += '"';
      at = quote + 2;
    } else {
      at = quote + 1;
      break;
    }
  }
  if (at + 1 == line.size() && line[at] == '\r') ++at;
  if (at < line.size() && line[at] != separator_) {
    throw DataError(
        fmt::format("{}: expected a separator after the closing quote, got '{}'", lines_.where(), line[at]));
  }
}

}  // namespace wordsway
