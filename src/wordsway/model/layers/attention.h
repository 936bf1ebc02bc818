// Multi-head softmax attention on projected rows, without its linear layers.
//
//   P_h = softmax(Q_h K_hᵀ/√(d/H) + mask),   context_h = P_h V_h      for each of H heads
//
// qkv: [n, 3d] = [Q | K | V], head h owns columns h·d/H ... of each; context: [n, d]; P_h: [n, n], rows sum to 1.
// The probabilities are never kept: the vjp computes them again, in blocks of rows.
#pragma once

#include <span>

#include "wordsway/core/matrix.h"

namespace wordsway {

/// Which tokens may be attended to. Default: all.
class AttentionMask {
 public:
  AttentionMask() = default;
  /// visible[j] is 0 for padding. Throws DataError when no token is visible.
  explicit AttentionMask(std::span<const int> visible);

  bool all_visible() const { return key_bias_.size() == 0; }
  bool visible(Index token) const { return all_visible() || key_bias_[token] == 0; }
  /// Number of visible tokens among n.
  Index count(Index n) const;
  /// Throws DataError unless it covers exactly n tokens (or all are visible).
  void check(Index n) const;
  /// [n] added to every row of scores, 0 or hugely negative; empty when all are visible.
  const RowF& key_bias() const { return key_bias_; }

 private:
  RowF key_bias_;
};

void attention_forward(ConstMatrixFRef qkv, Index heads, const AttentionMask& mask, MatrixFRef context);

/// The cotangent of qkv, [n, 3d], from that of the context, [n, d].
void attention_vjp(ConstMatrixFRef qkv, Index heads, const AttentionMask& mask, ConstMatrixFRef context_cotangent,
                   MatrixFRef qkv_cotangent);

/// P_head, [n, n].
MatrixF attention_probabilities(ConstMatrixFRef qkv, Index heads, const AttentionMask& mask, Index head);

}  // namespace wordsway
