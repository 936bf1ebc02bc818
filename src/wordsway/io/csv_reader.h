// Rows of separated values with quoting as in RFC 4180: "a ""quoted"" field, with commas
// and lines".
#pragma once

#include <string>
#include <vector>

#include "wordsway/io/text_lines.h"

namespace wordsway {

class CsvReader {
 public:
  CsvReader(TextLines& lines, char separator) : lines_(lines), separator_(separator) {}

  /// Writes the next row over `fields`. False at the end. Throws DataError naming the line when a quote is not closed,
  /// something follows a closing quote, the row is not UTF-8, or it has more than TextLines::kMaxLineBytes.
  bool next(std::vector<std::string>& fields);

  /// "NAME:NUMBER" of the line the row began on.
  const std::string& where() const { return where_; }
  long long number() const { return number_; }

 private:
  void read_quoted(std::string& line, std::size_t& at, std::string& field);

  TextLines& lines_;
  char separator_;
  std::string where_;
  long long number_ = 0;
  std::size_t row_bytes_ = 0;  // of the lines that the row has so far
};

}  // namespace wordsway
