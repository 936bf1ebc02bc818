// Lines of a byte source, numbered from 1.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/io/byte_source.h"

namespace wordsway {

class TextLines {
 public:
  static constexpr std::size_t kMaxLineBytes = std::size_t{64} << 20;

  /// `name` is what errors call the source.
  TextLines(std::unique_ptr<ByteSource> source, std::string name);

  /// Writes the next line over `line`, without its newline; a UTF-8 byte order mark at the very start is dropped.
  /// False at the end. Throws DataError when the line is longer than kMaxLineBytes, what check_is_text throws, and what
  /// the source throws.
  bool next(std::string& line);

  /// Puts a line back, to be read again.
  void put_back(std::string line);

  /// "NAME:NUMBER" of the line read last.
  std::string where() const;
  long long number() const { return number_; }
  const std::string& name() const { return name_; }

 private:
  bool refill();

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::vector<char> buffer_;
  std::string_view rest_;  // of the buffer
  std::string put_back_;
  bool has_put_back_ = false;
  long long number_ = 0;
  std::uint64_t bytes_ = 0;  // read so far
};

/// Throws DataError, beginning with `name`, when `bytes`, which begin at `offset` of the text, are UTF-16 by their byte
/// order mark or hold a NUL byte, as no text in UTF-8 does.
void check_is_text(std::string_view bytes, std::uint64_t offset, const std::string& name);

/// `line` without a carriage return at its end.
std::string_view without_carriage_return(std::string_view line);

/// `line` without white space at its end.
std::string_view without_trailing_space(std::string_view line);

/// Calls use(line, "FILE:NUMBER") for every line of a file that is read whole. Throws DataError where one is not UTF-8,
/// and what read_small_file throws.
void for_each_line(const std::filesystem::path& file,
                   const std::function<void(std::string_view line, const std::string& where)>& use);

}  // namespace wordsway
