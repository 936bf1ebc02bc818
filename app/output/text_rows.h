// Rows about several texts, printed as one document while the texts are done one after the other.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "wordsway/core/record.h"

namespace wordsway::app {

/// Prints to standard output: one JSON array, JSON Lines, one CSV, or a table for each text. All but the array are
/// written text by text, so that what is done is there when a later one fails. Where there are several texts, rows
/// begin with the number of theirs, `text`, from 0.
class TextRows {
 public:
  /// Where there is no text, that is printed at once: an empty array, or nothing.
  TextRows(std::string format, size_t texts);

  /// The rows of a text, in any order of texts: they are printed once those of all texts before it are.
  void add(size_t text, std::vector<Record> rows);

 private:
  void print(size_t text, std::vector<Record> rows);

  std::string format_;
  size_t texts_;
  size_t done_ = 0;
  std::map<size_t, std::vector<Record>> waiting_;
  bool has_header_ = false;  // the CSV, or the first table
  std::vector<Record> all_;  // json is written after the last text
};

}  // namespace wordsway::app
