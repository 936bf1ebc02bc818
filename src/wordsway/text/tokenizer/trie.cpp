#include "wordsway/text/tokenizer/trie.h"

namespace wordsway {

void Trie::insert(std::u32string_view key, int value) {
  int node = kRoot;
  for (const char32_t code : key) {
    int next = child(node, code);
    if (next == kNowhere) {
      next = static_cast<int>(values_.size());
      values_.push_back(kNoValue);
      children_.set(static_cast<std::uint64_t>(node) << 21 | code, next);
    }
    node = next;
  }
  values_[node] = value;
}

int Trie::walk(int node, std::u32string_view key) const {
  for (const char32_t code : key) {
    node = child(node, code);
    if (node == kNowhere) break;
  }
  return node;
}

std::optional<Trie::Match> Trie::longest_match(int node, CharacterSpan text) const {
  std::optional<Match> longest;
  for (std::size_t i = 0; i < text.size() && node != kNowhere; ++i) {
    node = child(node, text[i].code);
    if (node != kNowhere && values_[node] != kNoValue) longest = {values_[node], i + 1};
  }
  return longest;
}

}  // namespace wordsway
