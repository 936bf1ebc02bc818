#include "wordsway/io/line_reader.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

constexpr size_t kChunk = size_t{1} << 16;

[[noreturn]] void throw_cannot_read(const std::filesystem::path& path) {
  throw FileError(fmt::format("cannot read {}: {}", path.string(), std::generic_category().message(errno)));
}

}  // namespace

LineReader::LineReader(const std::filesystem::path& path, size_t longest_line)
    : path_(path), longest_line_(longest_line), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw_cannot_read(path_);
}

LineReader::~LineReader() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool LineReader::fill() {
  buffer_.resize(kChunk);
  used_ = 0;
  ssize_t got = 0;
  do {
    got = read(descriptor_, buffer_.data(), buffer_.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) throw_cannot_read(path_);
  buffer_.resize(static_cast<size_t>(got));
  return got > 0;
}

bool LineReader::next(Line& line) {
  line.text.clear();
  line.offset = offset_;
  line.number = ++number_;
  line.ended = false;
  while (!line.ended && (used_ < buffer_.size() || fill())) {
    const size_t newline = buffer_.find('\n', used_);
    line.ended = newline != std::string::npos;
    const size_t end = line.ended ? newline : buffer_.size();
    line.text.append(buffer_, used_, end - used_);
    offset_ += static_cast<std::int64_t>(end - used_ + (line.ended ? 1 : 0));
    used_ = end + (line.ended ? 1 : 0);
    if (line.text.size() > longest_line_)
      throw DataError(fmt::format("{}: line {} is longer than {} bytes", path_.string(), number_, longest_line_));
  }
  return line.ended || !line.text.empty();
}

}  // namespace wordsway
