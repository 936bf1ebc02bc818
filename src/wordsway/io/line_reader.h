// The lines of a file, one at a time, however large the file is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace wordsway {

/// One line without its newline.
struct Line {
  std::string text;
  std::int64_t offset = 0;  // of its first byte in the file
  std::int64_t number = 0;  // from 1
  bool ended = true;        // false: the file stops before the line's newline
};

/// One object belongs to one thread.
class LineReader {
 public:
  static constexpr size_t kLongestLine = size_t{64} << 20;

  /// Throws FileError when the file cannot be opened.
  explicit LineReader(const std::filesystem::path& path, size_t longest_line = kLongestLine);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// False at the end of the file. Throws DataError on a line longer than allowed, FileError when reading fails.
  bool next(Line& line);

 private:
  bool fill();

  std::filesystem::path path_;
  size_t longest_line_;
  int descriptor_ = -1;
  std::string buffer_;
  size_t used_ = 0;  // of the buffer
  std::int64_t offset_ = 0, number_ = 0;
};

}  // namespace wordsway
