// Sharing out the blocks of a product. Blocks depend on shapes alone, so any number of threads gives the same bits.
#pragma once

#include "wordsway/core/parallel.h"

namespace wordsway::products {

/// body(item) for items 0 ... count - 1, by several threads where there are enough multiplications for that.
template <typename Body>
void share_out(Index count, double multiplications, const Body& body) {
  constexpr double kWorthAThread = 1 << 20;  // below, waking a thread costs more than it saves
  if (multiplications >= kWorthAThread) return parallel_for(count, body);
  for (Index item = 0; item < count; ++item) body(item);
}

}  // namespace wordsway::products
