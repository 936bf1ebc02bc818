// A short name for content, so that a journal notices that its data are not the ones it was made with.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace wordsway {

/// FNV-1a, a word at a time: not for adversaries, but no edit goes unnoticed.
class Fingerprint {
 public:
  void add(std::uint64_t word) {
    hash_ = (hash_ ^ word) * 0x100000001b3ULL;
    hash_ ^= hash_ >> 32;  // the top bits of a double are all that small edits may change
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }

  /// Sixteen hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

}  // namespace wordsway
