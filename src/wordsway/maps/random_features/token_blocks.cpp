#include "wordsway/maps/random_features/token_blocks.h"

#include <cmath>

namespace wordsway {

double expected_norm(Index n, Index d, Index k, double scale) {
  return scale * std::sqrt(static_cast<double>(n) * static_cast<double>(d) * static_cast<double>(k));
}

Matrix TokenBlocks::complete() {
  Matrix V(k_, n_ * d_);
  for (Index j = 0; j < n_; ++j) V.middleCols(j * d_, d_) = block(j)->complete();
  return V;
}

}  // namespace wordsway
