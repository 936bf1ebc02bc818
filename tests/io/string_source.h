// Bytes of a string as a source that gives few of them at a time, as a slow pipe does.
#pragma once

#include <algorithm>
#include <string>

#include "wordsway/io/byte_source.h"

namespace wordsway::test {

class StringSource final : public ByteSource {
 public:
  /// Never gives more than `most` bytes at once.
  StringSource(std::string bytes, std::size_t most) : bytes_(std::move(bytes)), most_(most) {}

  std::size_t read(std::span<char> out) override {
    const std::size_t count = std::min({most_, out.size(), bytes_.size() - at_});
    bytes_.copy(out.data(), count, at_);
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t most_;
  std::size_t at_ = 0;
};

}  // namespace wordsway::test
