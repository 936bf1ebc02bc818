// Attention with its linear layers, added to a residual: y = r + attention(x)·Woᵀ + bo.
//
// x, r, y: [n, d]; the three projections are one linear layer, [(H + 2G)w, d], as layers/attention.h has them.
#pragma once

#include "wordsway/model/layers/head_norms.h"
#include "wordsway/model/layers/key_value_cache.h"
#include "wordsway/model/layers/linear.h"
#include "wordsway/model/layers/rotary.h"

namespace wordsway {

/// The projections that the forward pass of the heads and the vjp need.
struct SelfAttentionTrace {
  MatrixF projected;          // [n, (H + 2G)w] queries, keys and values of all rows, those that texts share first
  HeadNormsTrace head_norms;  // of the rows that were projected, where the model has head norms
};

struct SelfAttention {
  Attention heads;
  Linear qkv;
  Linear output;
  std::shared_ptr<const Rotary> rotary = {};  // null: queries and keys do not turn
  std::optional<HeadNorms> head_norms = {};   // of queries and keys, before they turn

  /// Throws DataError when the linear layers, the norms or the bias do not fit the heads.
  void check() const;
  Index parameters() const;

  /// Queries, keys and values of all rows of x.
  void project(ConstMatrixFRef x, const AttentionMask& mask, SelfAttentionTrace& trace) const;
  /// Projects the rows x of texts that share their first `first` rows, whose projections are in `base`.
  void project_from(ConstMatrixFRef x, Index first, const MatrixF& base, const AttentionMask& mask,
                    SelfAttentionTrace& trace) const;
  /// The row at `position` of a single text alone, in its place in a trace of all rows: x is that row, [1, d].
  void project_row(ConstMatrixFRef x, Index position, SelfAttentionTrace& trace) const;

  /// y from what project() gave. After project_from(), residual and y are of the rows it projected.
  void forward(ConstMatrixFRef projected, const AttentionMask& mask, ConstMatrixFRef residual, MatrixFRef y) const;
  /// y of the next tokens of a text, x, r, y: [m, d]; those before are in the cache, where keys and values of the new
  /// ones are added as rows of this layer.
  void extend(ConstMatrixFRef x, ConstMatrixFRef residual, Index layer, KeyValueCache& cache, MatrixFRef y) const;

  /// The cotangent of x·Wᵀ + b (before queries and keys are normalised and turn), [n, (H + 2G)w], from that of y; the
  /// residual aside. After project_from(), that of the rows it projected, and y_cotangent is of these rows.
  MatrixF vjp_to_projection(const SelfAttentionTrace& trace, const AttentionMask& mask,
                            ConstMatrixFRef y_cotangent) const;

  /// Attention probabilities of the heads [first, first + count), [n, n] each.
  std::vector<MatrixF> probabilities(ConstMatrixFRef x, const AttentionMask& mask, Index first, Index count) const;

  /// How the scores of all queries on one token move with that token's row of x: row h·n + j, [d], for query j in head
  /// h, j being another token; zero where the query does not see the token. [H·n, d].
  MatrixF score_gradients(ConstMatrixFRef x, Index token) const;

 private:
  void project_rows(ConstMatrixFRef x, Index first, const AttentionMask& mask, HeadNormsTrace& norms,
                    MatrixFRef projected) const;
};

}  // namespace wordsway
