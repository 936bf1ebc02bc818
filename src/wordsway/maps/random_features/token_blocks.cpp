#include "wordsway/maps/random_features/token_blocks.h"

namespace wordsway {

Matrix TokenBlocks::complete() {
  Matrix V(k_, n_ * d_);
  for (Index j = 0; j < n_; ++j) V.middleCols(j * d_, d_) = block(j)->complete();
  return V;
}

}  // namespace wordsway
