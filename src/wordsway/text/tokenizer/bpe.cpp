#include "wordsway/text/tokenizer/bpe.h"

#include <functional>
#include <queue>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/io/text_lines.h"

namespace wordsway {

namespace {

std::uint64_t pair_key(int left, int right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}

// A join that may be made; stale once one of its two symbols has changed.
struct Candidate {
  int rank;
  int position;  // of the left symbol

  // std::priority_queue puts the largest first: the lowest rank, and leftmost among equals.
  bool operator<(const Candidate& other) const {
    return rank != other.rank ? rank > other.rank : position > other.position;
  }
};

struct Node {
  Symbol symbol;
  int previous, next;  // -1 at the ends
};

}  // namespace

void Merges::add(std::string_view left, std::string_view right, const Vocabulary& vocabulary, std::string_view where) {
  const auto require = [&](std::string_view token) {
    const auto id = vocabulary.find(token);
    if (!id)
      throw DataError(
          fmt::format("{}: merge '{} {}' needs '{}', which is not in the vocabulary", where, left, right, token));
    return *id;
  };
  const int left_id = require(left);
  const int right_id = require(right);
  results_.push_back(require(std::string(left) + std::string(right)));
  rules_.set(pair_key(left_id, right_id), static_cast<int>(results_.size()) - 1);
}

int Merges::rule_of(int left, int right) const {
  return rules_.get(pair_key(left, right), -1);
}

void Merges::apply(std::vector<Symbol>& word) const {
  const int count = static_cast<int>(word.size());
  std::vector<Node> nodes(count);
  std::priority_queue<Candidate> queue;
  const auto consider = [&](int position) {
    if (position < 0 || nodes[position].next < 0) return;
    const int rank = rule_of(nodes[position].symbol.id, nodes[nodes[position].next].symbol.id);
    if (rank >= 0) queue.push({rank, position});
  };
  for (int i = 0; i < count; ++i) nodes[i] = {word[i], i - 1, i + 1 < count ? i + 1 : -1};
  for (int i = 0; i < count; ++i) consider(i);

  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Node& left = nodes[best.position];
    if (left.symbol.length == 0 || left.next < 0) continue;
    Node& right = nodes[left.next];
    if (rule_of(left.symbol.id, right.symbol.id) != best.rank) continue;
    left.symbol = {results_[best.rank], left.symbol.length + right.symbol.length};
    right.symbol.length = 0;
    left.next = right.next;
    if (left.next >= 0) nodes[left.next].previous = best.position;
    consider(left.previous);
    consider(best.position);
  }
  word.clear();
  for (const Node& node : nodes) {
    if (node.symbol.length > 0) word.push_back(node.symbol);
  }
}

void Merges::apply_reference(std::vector<Symbol>& word) const {
  while (true) {
    int best_rank = -1;
    std::size_t best = 0;
    for (std::size_t i = 0; i + 1 < word.size(); ++i) {
      const int rank = rule_of(word[i].id, word[i + 1].id);
      if (rank >= 0 && (best_rank < 0 || rank < best_rank)) {
        best_rank = rank;
        best = i;
      }
    }
    if (best_rank < 0) return;
    word[best] = {results_[best_rank], word[best].length + word[best + 1].length};
    word.erase(word.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

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

Merges read_merge_lines(const std::filesystem::path& file, const Vocabulary& vocabulary) {
  Merges merges;
  for_each_line(file, [&](std::string_view line, const std::string& where) {
    line = without_trailing_space(line);
    if (!line.empty() && !line.starts_with("#version")) add_merge_line(line, vocabulary, where, merges);
  });
  return merges;
}

void add_merge_line(std::string_view line, const Vocabulary& vocabulary, std::string_view where, Merges& merges) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos) {
    throw DataError(fmt::format("{}: expected two tokens with a space between, got '{}'", where, line));
  }
  merges.add(line.substr(0, space), line.substr(space + 1), vocabulary, where);
}

void BpeWord::start(CharacterSpan characters) {
  characters_ = characters;
  bytes_.clear();
  character_.clear();
  for (std::uint32_t i = 0; i < characters.size(); ++i) {
    unicode::append_utf8(bytes_, characters[i].code);
    character_.resize(bytes_.size(), i);
  }
}

void BpeWord::append_pieces(int word, std::vector<Piece>& pieces) const {
  std::size_t at = 0;
  for (const Symbol& symbol : symbols) {
    const std::size_t last = at + static_cast<std::size_t>(symbol.length) - 1;
    pieces.push_back({symbol.id, characters_[character_[at]].begin, characters_[character_[last]].end, word});
    at = last + 1;
  }
}

int find_unknown_id(const Vocabulary& vocabulary, const std::optional<std::string>& token, std::string_view where) {
  if (!token) return -1;
  const auto found = vocabulary.find(*token);
  if (!found) throw DataError(fmt::format("{}: the unknown token '{}' is not in the vocabulary", where, *token));
  return *found;
}

}  // namespace wordsway
