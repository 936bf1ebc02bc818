#include "wordsway/io/row_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/io/json.h"

namespace wordsway {

namespace {

std::vector<std::string> columns_of(const std::vector<Record>& rows) {
  std::vector<std::string> columns;
  for (const Record& row : rows)
    for (const auto& [name, value] : row.fields())
      if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  return columns;
}

// `indent` is that of the line on which the list begins.
std::string json_list(const std::vector<Record>& records, const std::string& indent) {
  std::string result = "[";
  for (size_t k = 0; k < records.size(); ++k) result += (k == 0 ? "\n  " : ",\n  ") + indent + to_json(records[k]);
  return result + (records.empty() ? "]" : "\n" + indent + "]");
}

template <typename T>
std::string joined(const std::vector<T>& values) {
  std::string result;
  for (const T& value : values) {
    if (!result.empty()) result += ' ';
    if constexpr (std::is_same_v<T, double>) {
      result += shortest(value);
    } else {
      result += fmt::format("{}", value);
    }
  }
  return result;
}

struct ToCell {
  std::string operator()(Missing) const { return ""; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return std::isfinite(value) ? shortest(value) : ""; }
  std::string operator()(const std::string& value) const { return value; }
  template <typename T>
  std::string operator()(const std::vector<T>& values) const {
    return joined(values);
  }
};

bool is_number(const Value& value) {
  return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
}

}  // namespace

std::string csv_quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string result = "\"";
  for (const char c : cell) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

std::string on_one_line(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c == '\r' || c == '\t' ? ' ' : c;
    }
  }
  return result;
}

std::string table_cell(const Value& value) {
  if (const double* number = std::get_if<double>(&value))
    return std::isfinite(*number) ? fmt::format("{:.4g}", *number) : "-";
  const std::string cell = std::visit(ToCell(), value);
  return cell.empty() ? "-" : on_one_line(cell);
}

std::string to_json_document(const StudyOutput& output) {
  if (output.single && output.rows.size() == 1) return to_json(output.rows.front()) + "\n";
  return fmt::format("{{\n  \"config\": {},\n  \"rows\": {},\n  \"fits\": {}\n}}\n", to_json(output.config),
                     json_list(output.rows, "  "), json_list(output.fits, "  "));
}

std::string to_json_lines(const std::vector<Record>& rows) {
  std::string result;
  for (const Record& row : rows) result += to_json(row) + "\n";
  return result;
}

std::string to_csv(const std::vector<Record>& rows) {
  if (rows.empty()) return "";  // no row, no columns
  const auto columns = columns_of(rows);
  std::string result = fmt::format("{}\n", fmt::join(columns, ","));
  for (const Record& row : rows) {
    std::string line;
    for (size_t c = 0; c < columns.size(); ++c) {
      const Value* value = row.find(columns[c]);
      line += (c == 0 ? "" : ",") + (value == nullptr ? "" : csv_quoted(std::visit(ToCell(), *value)));
    }
    result += line + "\n";
  }
  return result;
}

std::string to_table(const std::vector<Record>& rows) {
  if (rows.empty()) return "";  // no row, no columns
  const auto columns = columns_of(rows);
  std::vector<std::vector<std::string>> cells(rows.size() + 1);
  std::vector<bool> numeric(columns.size(), true);
  std::vector<size_t> width;
  for (const std::string& column : columns) {
    cells[0].push_back(column);
    width.push_back(column.size());
  }
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t c = 0; c < columns.size(); ++c) {
      const Value* value = rows[r].find(columns[c]);
      cells[r + 1].push_back(value == nullptr ? "-" : table_cell(*value));
      width[c] = std::max(width[c], cells[r + 1][c].size());
      if (value != nullptr && !std::holds_alternative<Missing>(*value)) numeric[c] = numeric[c] && is_number(*value);
    }
  std::string result;
  for (const auto& line : cells) {
    std::string text;
    for (size_t c = 0; c < columns.size(); ++c)
      text += numeric[c] ? fmt::format("{:>{}}  ", line[c], width[c]) : fmt::format("{:<{}}  ", line[c], width[c]);
    result += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  }
  return result;
}

std::string format_rows(const std::vector<Record>& rows, const std::string& format) {
  if (format == "json") return json_list(rows, "") + "\n";
  if (format == "jsonl") return to_json_lines(rows);
  if (format == "csv") return to_csv(rows);
  return to_table(rows);
}

}  // namespace wordsway
