// Whether the lines of a request's head are headers. The HTTP library skips lines that it does not understand; another
// program that reads the same request might not.
#pragma once

#include <cstddef>
#include <string_view>

namespace wordsway::serve {

/// Reads a head as it arrives. A header line is "name: value", without blanks in the name, and ends with CR LF.
class HeaderLines {
 public:
  void read(std::string_view bytes) {
    for (const char c : bytes) read(c);
  }
  bool all_fine() const { return fine_; }

 private:
  void read(char c) {
    if (c == '\n') {
      const bool is_empty = name_bytes_ == 0 && !has_colon_;
      if (last_ != '\r' || (line_ > 0 && !is_empty && !has_colon_)) fine_ = false;
      ++line_;
      name_bytes_ = 0;
      has_colon_ = false;
    } else if (line_ > 0 && !has_colon_ && c != '\r') {
      has_colon_ = c == ':';
      if (c == ' ' || c == '\t' || (has_colon_ && name_bytes_ == 0)) fine_ = false;
      ++name_bytes_;
    }
    last_ = c;
  }

  std::size_t line_ = 0, name_bytes_ = 0;
  bool has_colon_ = false, fine_ = true;
  char last_ = '\0';
};

}  // namespace wordsway::serve
