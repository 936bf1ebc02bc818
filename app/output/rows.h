// Rows as table, json, jsonl or csv.
#pragma once

#include <string>
#include <vector>

#include "wordsway/core/record.h"

namespace wordsway::app {

// Rows of results as text: JSON, JSON Lines, CSV, or a table for people.

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

/// A value for reading: four digits, "-" for what is missing; the parts of a list with a space between them.
std::string table_cell(const Value& value);

/// Columns aligned, numbers to the right. Fields of all rows, in the order of first appearance. Nothing for no
/// rows.
std::string to_table(const std::vector<Record>& rows);

/// A plain list of rows in one of the four formats; json is then an array.
std::string format_rows(const std::vector<Record>& rows, const std::string& format);

// Rows about several texts, printed as one document while the texts are done one after the other.

/// Prints to standard output: one JSON array, JSON Lines, one CSV, or a table for each text. All but the array are
/// written text by text, so that what is done is there when a later one fails. Where there are several texts, rows
/// begin with the number of theirs, `text`, from 0.
class TextRows {
 public:
  /// Where there is no text, that is printed at once: an empty array, or nothing.
  TextRows(std::string format, size_t texts);

  /// The rows of the next text.
  void add(std::vector<Record> rows);

 private:
  std::string format_;
  size_t texts_;
  size_t done_ = 0;
  bool has_header_ = false;  // the CSV, or the first table
  std::vector<Record> all_;  // json is written after the last text
};

}  // namespace wordsway::app
