#include "wordsway/text/tokenizer/trie.h"

#include <utility>

namespace wordsway {

void FlatMap::set(std::uint64_t key, int value) {
  if (2 * (used_ + 1) > slots_.size()) grow();
  std::size_t at = first_slot(key);
  while (slots_[at].key != kEmpty && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
  if (slots_[at].key == kEmpty) ++used_;
  slots_[at] = {key, value};
}

void FlatMap::grow() {
  std::vector<Slot> old(2 * slots_.size());
  std::swap(old, slots_);
  used_ = 0;
  for (const Slot& slot : old) {
    if (slot.key != kEmpty) set(slot.key, slot.value);
  }
}

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
