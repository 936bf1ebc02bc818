#include "wordsway/text/word_cache.h"

namespace wordsway {

bool WordCache::find(std::string_view word, std::vector<Symbol>& symbols) const {
  const Shard& shard = shards_[shard_of(word)];
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.words.find(word);
  if (found == shard.words.end()) return false;
  symbols = found->second;
  return true;
}

void WordCache::insert(std::string_view word, const std::vector<Symbol>& symbols) {
  if (word.size() > kMaxWordBytes) return;
  Shard& shard = shards_[shard_of(word)];
  const std::lock_guard lock(shard.mutex);
  if (shard.words.size() < kWordsPerShard) shard.words.emplace(word, symbols);
}

}  // namespace wordsway
