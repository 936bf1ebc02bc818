// Words that were cut before and their symbols: in running text nearly every word has been seen.
#pragma once

#include <array>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wordsway/text/merges.h"

namespace wordsway {

/// Thread-safe. Holds a bounded number of short words; which ones never changes a result.
class WordCache {
 public:
  /// Writes the symbols of `word` over `symbols` and returns true when they are known.
  bool find(std::string_view word, std::vector<Symbol>& symbols) const;

  void insert(std::string_view word, const std::vector<Symbol>& symbols);

 private:
  static constexpr std::size_t kShards = 16;
  static constexpr std::size_t kWordsPerShard = 8192;
  static constexpr std::size_t kMaxWordBytes = 64;

  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  struct Shard {
    mutable std::mutex mutex;
    std::unordered_map<std::string, std::vector<Symbol>, Hash, std::equal_to<>> words;
  };

  // The high bits choose the shard, the low ones the bucket inside it.
  static std::size_t shard_of(std::string_view word) { return Hash{}(word) >> 60; }

  std::array<Shard, kShards> shards_;
};

}  // namespace wordsway
