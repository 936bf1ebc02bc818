// A hash table from 64-bit keys to ints with open addressing: what the trie and the merge table look things up in, some
// ten times per word. Keys are never removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wordsway {

class FlatMap {
 public:
  FlatMap() : slots_(64) {}

  /// Sets the value of `key`, which must not be the largest 64-bit number. Not thread-safe.
  void set(std::uint64_t key, int value);

  /// The value of `key`, or `missing`. Thread-safe as long as nobody sets.
  int get(std::uint64_t key, int missing) const {
    for (std::size_t at = first_slot(key);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].key == key) return slots_[at].value;
      if (slots_[at].key == kEmpty) return missing;
    }
  }

 private:
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t key = kEmpty;
    int value = 0;
  };

  // Fibonacci hashing; the high bits are the well-mixed ones.
  std::size_t first_slot(std::uint64_t key) const {
    return ((key ^ key >> 32) * 0x9E3779B97F4A7C15u >> 20) & (slots_.size() - 1);
  }
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most half full
  std::size_t used_ = 0;
};

}  // namespace wordsway
