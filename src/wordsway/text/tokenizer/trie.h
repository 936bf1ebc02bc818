// A set of strings of characters with a number each, walked character by character to find those that match.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "wordsway/text/tokenizer/characters.h"
#include "wordsway/text/tokenizer/flat_map.h"

namespace wordsway {

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
