// Loops over the rows of an [n, d] matrix in blocks that do not depend on the number of threads.
#pragma once

#include "wordsway/core/parallel.h"

namespace wordsway {

/// Calls body(begin, end) for blocks of 64 rows; in parallel where n·d entries are worth starting threads for.
template <typename Body>
void for_row_blocks(Index n, Index d, const Body& body) {
  const Blocks blocks{n, 64};
  const auto one = [&](Index block) { body(blocks.begin(block), blocks.begin(block) + blocks.length(block)); };
  if (n * d >= (1 << 17)) {
    parallel_for(blocks.count(), one);
  } else {
    for (Index block = 0; block < blocks.count(); ++block) one(block);
  }
}

}  // namespace wordsway
