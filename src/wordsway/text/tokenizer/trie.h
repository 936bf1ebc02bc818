// Tables to look words up in: a hash table from numbers to numbers, and a set of strings of characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "wordsway/text/tokenizer/characters.h"

namespace wordsway {

/// A hash table from 64-bit keys to ints with open addressing. The trie and the merge table look things up in it some
/// ten times per word. Keys are never removed.
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

/// A set of strings of characters with a number each, walked character by character to find those that match.
class Trie {
 public:
  static constexpr int kRoot = 0;
  static constexpr int kNowhere = -1;
  static constexpr int kNoValue = -1;

  Trie() : values_(1, kNoValue) {}

  /// Sets the value (0 or more) of `key`. Not thread-safe.
  void insert(std::u32string_view key, int value);

  /// The node one character further than `node`, or kNowhere.
  int child(int node, char32_t code) const {
    return children_.get(static_cast<std::uint64_t>(node) << 21 | code, kNowhere);
  }
  /// The value of the key that ends at `node`, or kNoValue.
  int value(int node) const { return values_[node]; }

  /// The node that `key` leads to from `node`, or kNowhere.
  int walk(int node, std::u32string_view key) const;

  struct Match {
    int value;
    std::size_t length;  // characters, at least 1
  };
  /// The longest non-empty key below `node` that `text` starts with.
  std::optional<Match> longest_match(int node, CharacterSpan text) const;

 private:
  FlatMap children_;         // (node, code point) → node
  std::vector<int> values_;  // of every node
};

}  // namespace wordsway
