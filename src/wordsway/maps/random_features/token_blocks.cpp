#include "wordsway/maps/random_features/token_blocks.h"

#include <cmath>

#include "wordsway/random/gaussian_matrix.h"

namespace wordsway {

double expected_norm(Index n, Index d, Index k, double scale) {
  return scale * std::sqrt(static_cast<double>(n) * static_cast<double>(d) * static_cast<double>(k));
}

Matrix TokenBlocks::complete() {
  Matrix V(k_, n_ * d_);
  for (Index j = 0; j < n_; ++j) V.middleCols(j * d_, d_) = block(j)->complete();
  return V;
}

StoredBlocks::StoredBlocks(const Stream& stream, Index n, Index d, Index k, double scale, bool streamed)
    : TokenBlocks(n, d, k, expected_norm(n, d, k, scale)) {
  for (Index j = 0; j < n; ++j) {
    const Stream entries = stream.derive(static_cast<std::uint64_t>(j));
    if (streamed) {
      blocks_.push_back(std::make_shared<StreamedMatrix>(entries, k, d, scale));
    } else {
      blocks_.push_back(std::make_shared<DenseMatrix>(entries, k, d, scale));
    }
  }
}

StoredBlocks::StoredBlocks(ConstMatrixRef V, Index n, Index d) : TokenBlocks(n, d, V.rows(), V.norm()) {
  for (Index j = 0; j < n; ++j) blocks_.push_back(std::make_shared<DenseMatrix>(Matrix(V.middleCols(j * d, d))));
}

Vector StoredBlocks::image(const Matrix& X) {
  Vector sum = Vector::Zero(k()), part(k());
  for (Index j = 0; j < n(); ++j) {
    block(j)->apply(X.row(j).transpose(), part);
    sum += part;
  }
  return sum;
}

double StoredBlocks::memory_bytes() const {
  double bytes = 0;
  for (const auto& block : blocks_) bytes += block->memory_bytes();
  return bytes;
}

}  // namespace wordsway
