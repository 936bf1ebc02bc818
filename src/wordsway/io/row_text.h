// Rows of results as text: JSON, JSON Lines, CSV, or a table for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wordsway/core/record.h"

namespace wordsway {

/// What a study prints.
struct StudyOutput {
  Record config;
  std::vector<Record> rows;
  std::vector<Record> fits;
  bool single = false;  // one explicit evaluation: json is the row object itself
};

/// json, jsonl or csv; every line ends in a newline.
std::string to_json_document(const StudyOutput& output);
std::string to_json_lines(const std::vector<Record>& rows);
std::string to_csv(const std::vector<Record>& rows);

/// A cell of a CSV file, in quotes where it needs them.
std::string csv_quoted(const std::string& cell);

/// A text for a line of its own: line breaks as \n, tabs as spaces.
std::string on_one_line(std::string_view text);

/// A value for reading, on one line: four digits, "-" for what is missing; the parts of a list with a space between
/// them.
std::string table_cell(const Value& value);

/// Columns aligned, numbers to the right. Fields of all rows, in the order of first appearance. Nothing for no
/// rows.
std::string to_table(const std::vector<Record>& rows);

/// A plain list of rows in one of the four formats; json is then an array.
std::string format_rows(const std::vector<Record>& rows, const std::string& format);

}  // namespace wordsway
