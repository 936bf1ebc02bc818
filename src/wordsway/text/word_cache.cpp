#include "wordsway/text/word_cache.h"

#include <functional>

namespace wordsway {
namespace {

constexpr int kMissing = -1;

// One bit less than there is, because FlatMap keeps the largest key for itself.
std::uint64_t hash_of(std::string_view word) {
  return std::hash<std::string_view>{}(word) >> 1;
}

}  // namespace

bool WordCache::find(std::string_view word, std::vector<Symbol>& symbols) const {
  const std::uint64_t hash = hash_of(word);
  const Shard& shard = shards_[hash % kShards];
  const std::lock_guard lock(shard.mutex);
  const int index = shard.index.get(hash, kMissing);
  if (index == kMissing || shard.entries[index].word != word) return false;
  const Entry& entry = shard.entries[index];
  symbols.assign(shard.symbols.begin() + entry.begin, shard.symbols.begin() + entry.end);
  return true;
}

void WordCache::insert(std::string_view word, const std::vector<Symbol>& symbols) {
  if (word.size() > kMaxWordBytes) return;
  const std::uint64_t hash = hash_of(word);
  Shard& shard = shards_[hash % kShards];
  const std::lock_guard lock(shard.mutex);
  if (shard.entries.size() >= kWordsPerShard || shard.index.get(hash, kMissing) != kMissing) return;
  shard.index.set(hash, static_cast<int>(shard.entries.size()));
  const auto begin = static_cast<std::uint32_t>(shard.symbols.size());
  shard.symbols.insert(shard.symbols.end(), symbols.begin(), symbols.end());
  shard.entries.push_back({std::string(word), begin, static_cast<std::uint32_t>(shard.symbols.size())});
}

}  // namespace wordsway
