// Attention with its linear layers, added to a residual: y = r + attention(x)·Woᵀ + bo.
//
// x, r, y: [n, d]; the three projections are one linear layer, [(H + 2G)w, d], as layers/attention.h has them.
#pragma once

#include "wordsway/model/layers/linear.h"
#include "wordsway/model/layers/rotary.h"

namespace wordsway {

struct SelfAttention {
  Attention heads;
  Linear qkv;
  Linear output;
  std::shared_ptr<const Rotary> rotary = {};  // null: queries and keys do not turn

  /// Throws DataError when the linear layers or the bias do not fit the heads.
  void check() const;
  Index parameters() const { return qkv.parameters() + output.parameters(); }

  /// Queries, keys and values of all rows; `projected` is resized to [n, (H + 2G)w].
  void project(ConstMatrixFRef x, const AttentionMask& mask, MatrixF& projected) const;
  /// The same for the row at `position` of a single text: x is that row, [1, d].
  void project_row(ConstMatrixFRef x, Index position, MatrixFRef projected) const;

  /// y from what project() gave.
  void forward(ConstMatrixFRef projected, const AttentionMask& mask, ConstMatrixFRef residual, MatrixFRef y) const;
  /// The cotangent of x·Wᵀ + b (before queries and keys turn), [n, (H + 2G)w], from that of y; the residual aside.
  MatrixF vjp_to_projection(ConstMatrixFRef projected, const AttentionMask& mask, ConstMatrixFRef y_cotangent) const;

  /// Attention probabilities of the heads [first, first + count), [n, n] each.
  std::vector<MatrixF> probabilities(ConstMatrixFRef x, const AttentionMask& mask, Index first, Index count) const;

  /// How the scores of all queries on one token move with that token's row of x: row h·n + j, [d], for query j in head
  /// h, j being another token; zero where the query does not see the token. [H·n, d].
  MatrixF score_gradients(ConstMatrixFRef x, Index token) const;
};

}  // namespace wordsway
