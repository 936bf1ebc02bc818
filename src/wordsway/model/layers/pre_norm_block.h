// The layer of ModernBERT and of decoders: normalise, attention, add; normalise, feed-forward, add.
//
//   h = x + attention(LN₁(x))      y = LN₃(h + ff(LN₂(h)))         x, h, y: [n, d]
//
// LN₁ is missing in the first layer of some models, and only the last layer has LN₃: hidden states of the last
// layer are those after the final normalisation.
#pragma once

#include "wordsway/model/layers/block.h"
#include "wordsway/model/layers/feed_forward.h"
#include "wordsway/model/layers/layer_norm.h"
#include "wordsway/model/layers/self_attention.h"

namespace wordsway {

struct PreNormWeights {
  std::optional<LayerNorm> attention_norm;
  SelfAttention attention;
  LayerNorm feed_forward_norm;
  FeedForward feed_forward;
  std::optional<LayerNorm> final_norm;
};

class PreNormBlock : public Block {
 public:
  /// Throws DataError when the linear layers of the attention do not fit its shape.
  explicit PreNormBlock(PreNormWeights weights);

  std::unique_ptr<BlockTrace> make_trace() const override;
  void forward(ConstMatrixFRef x, const AttentionMask& mask, BlockTrace& trace, MatrixF& y) const override;
  void forward_changed_row(ConstMatrixFRef x, Index i, const BlockTrace& base, const AttentionMask& mask,
                           BlockTrace& trace, MatrixF& y) const override;
  void forward_from(ConstMatrixFRef x, Index first, const BlockTrace& base, const AttentionMask& mask,
                    BlockTrace& trace, MatrixF& y) const override;
  void extend(ConstMatrixFRef x, Index layer, KeyValueCache& cache, MatrixF& y) const override;
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

  MatrixF normalised(ConstMatrixFRef x, Trace& trace) const;
  void after_projection(ConstMatrixFRef x, const AttentionMask& mask, Trace& trace, MatrixF& y) const;
  void after_attention(ConstMatrixFRef h, Trace& trace, MatrixFRef y) const;
  Cotangents vjp_to_projection(const Trace& trace, const AttentionMask& mask, const MatrixF& y_cotangent) const;

  PreNormWeights w_;
};

}  // namespace wordsway
