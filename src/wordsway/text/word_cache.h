// Words that were cut before and their symbols: in running text nearly every word has been seen.
#pragma once

#include <array>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/text/flat_map.h"
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

  struct Entry {
    std::string word;
    std::uint32_t begin, end;  // in the shard's symbols
  };
  struct Shard {
    mutable std::mutex mutex;
    FlatMap index;  // hash → entry; of two words with one hash the first stays
    std::vector<Entry> entries;
    std::vector<Symbol> symbols;
  };

  std::array<Shard, kShards> shards_;
};

}  // namespace wordsway
