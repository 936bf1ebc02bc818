#include "wordsway/text/tokenizer/flat_map.h"

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

}  // namespace wordsway
