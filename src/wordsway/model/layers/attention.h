// Multi-head softmax attention on projected rows, without its linear layers.
//
//   P_h = softmax(Q_h K_gᵀ/√w + mask),   context_h = P_h V_g      for each of H heads of queries, g = h·G/H
//
// H heads of queries share G heads of keys and values, all of width w. qkv: [n, (H + 2G)w] = [Q | K | V], head h owns
// columns h·w ... of its part; context: [n, H·w]; P_h: [n, n], rows sum to 1.
// The probabilities are never kept: the vjp computes them again, in blocks of rows.
#pragma once

#include <span>

#include "wordsway/core/matrix.h"

namespace wordsway {

/// The heads of an attention, each of `width` columns.
struct AttentionShape {
  Index heads = 0;     // of queries
  Index kv_heads = 0;  // of keys and values; divides heads, and is the same where every head has its own
  Index width = 0;

  /// Every head with its own keys and values.
  static AttentionShape with_own_keys(Index heads, Index width) { return {heads, heads, width}; }

  Index context_columns() const { return heads * width; }
  Index qkv_columns() const { return (heads + 2 * kv_heads) * width; }
  Index kv_head(Index head) const { return head * kv_heads / heads; }
  /// Columns of qkv where parts of a query head begin.
  Index query_begin(Index head) const { return head * width; }
  Index key_begin(Index head) const { return (heads + kv_head(head)) * width; }
  Index value_begin(Index head) const { return (heads + kv_heads + kv_head(head)) * width; }

  /// Throws DataError unless the numbers are positive and kv_heads divides heads.
  void check() const;
  bool operator==(const AttentionShape&) const = default;
};

/// The keys [begin, end).
struct KeyRange {
  Index begin, end;
};

/// Which keys a query may attend to: those of its range that are visible. Default: all.
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
  /// The keys that a query of n may see at all, hidden ones included. What another pattern (causal, a window) changes
  /// is this alone.
  KeyRange keys_of(Index /*query*/, Index n) const { return {0, n}; }
  /// [n] added to every row of scores, 0 or hugely negative; empty when all are visible.
  const RowF& key_bias() const { return key_bias_; }

 private:
  RowF key_bias_;
};

/// All three throw DataError when a matrix does not fit the shape.
void attention_forward(ConstMatrixFRef qkv, const AttentionShape& shape, const AttentionMask& mask, MatrixFRef context);

/// The cotangent of qkv from that of the context.
void attention_vjp(ConstMatrixFRef qkv, const AttentionShape& shape, const AttentionMask& mask,
                   ConstMatrixFRef context_cotangent, MatrixFRef qkv_cotangent);

/// P_head, [n, n]. Throws UsageError when there is no such head.
MatrixF attention_probabilities(ConstMatrixFRef qkv, const AttentionShape& shape, const AttentionMask& mask,
                                Index head);

}  // namespace wordsway
