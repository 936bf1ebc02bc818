// The layer of BERT and its relatives: attention, add, normalise; feed-forward, add, normalise.
//
//   h = LN₁(x + attention(x))      y = LN₂(h + ff(h))          x, h, y: [n, d]
#pragma once

#include "wordsway/model/layers/block.h"
#include "wordsway/model/layers/feed_forward.h"
#include "wordsway/model/layers/layer_norm.h"
#include "wordsway/model/layers/self_attention.h"

namespace wordsway {

struct PostNormWeights {
  SelfAttention attention;
  LayerNorm attention_norm;
  FeedForward feed_forward;
  LayerNorm output_norm;
};

class PostNormBlock : public Block {
 public:
  /// Throws DataError when the linear layers of the attention do not fit its shape.
  explicit PostNormBlock(PostNormWeights weights);

  std::unique_ptr<BlockTrace> make_trace() const override;
  void forward(ConstMatrixFRef x, const AttentionMask& mask, BlockTrace& trace, MatrixF& y) const override;
  void forward_changed_row(ConstMatrixFRef x, Index i, const BlockTrace& base, const AttentionMask& mask,
                           BlockTrace& trace, MatrixF& y) const override;
  void vjp(const BlockTrace& trace, const AttentionMask& mask, const MatrixF& y_cotangent,
           MatrixF& x_cotangent) const override;
  RowF vjp_row(const BlockTrace& trace, const AttentionMask& mask, const MatrixF& y_cotangent, Index i) const override;
  std::vector<MatrixF> attention(ConstMatrixFRef x, const AttentionMask& mask, Index first, Index count) const override;
  MatrixF score_gradients(ConstMatrixFRef x, Index token) const override;
  Index parameters() const override;
  BlockParts parts() const override;

 private:
  struct Trace;
  struct Cotangents {
    MatrixF residual;    // [n, d] of x, past the attention
    MatrixF projection;  // [n, (H + 2G)w]
  };

  void after_projection(ConstMatrixFRef x, const AttentionMask& mask, Trace& trace, MatrixF& y) const;
  Cotangents vjp_to_projection(const Trace& trace, const AttentionMask& mask, const MatrixF& y_cotangent) const;

  PostNormWeights w_;
};

}  // namespace wordsway
