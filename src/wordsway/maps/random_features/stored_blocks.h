// Token blocks that exist: dense or streamed matrices.
#pragma once

#include <vector>

#include "wordsway/maps/random_features/token_blocks.h"
#include "wordsway/random/stream.h"

namespace wordsway {

class StoredBlocks final : public TokenBlocks {
 public:
  /// Block j has the entries of stream.derive(j); `streamed` says whether they are kept.
  StoredBlocks(const Stream& stream, Index n, Index d, Index k, double scale, bool streamed);
  /// Cut from V: [k, n·d].
  StoredBlocks(ConstMatrixRef V, Index n, Index d);

  Vector image(const Matrix& X) override;
  std::shared_ptr<GaussianMatrix> block(Index i) override { return blocks_[static_cast<size_t>(i)]; }
  double memory_bytes() const override;

 private:
  std::vector<std::shared_ptr<GaussianMatrix>> blocks_;
};

}  // namespace wordsway
