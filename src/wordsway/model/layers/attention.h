// Multi-head attention on projected rows, without its linear layers.
//
//   P_h = softmax(Q_h K_gᵀ/√w + bias_h + mask),   context_h = P_h V_g      for each of H heads of queries, g = h·G/H
//
// Instead of the softmax there may be another normaliser (score_weights.h), or a softmax of β times the products.
// H heads of queries share G heads of keys and values, all of width w. qkv: [n, (H + 2G)w] = [Q | K | V], head h owns
// columns h·w ... of its part; context: [n, H·w]; P_h: [n, n], rows sum to 1, or are 0 where a normaliser gives no
// mass. A causal attention has Q_h K_gᵀ below and on the diagonal alone: a query sees no key after it. The
// probabilities are never kept: the vjp computes them again, in blocks of rows.
//
// The n rows may be those of several texts below each other, each of which sees itself alone. A text has the same bits
// alone and among others. Texts of a causal attention may share their first rows, which are then stored once, before
// the rows of all texts; contexts and cotangents have no rows for them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/model/layers/relative_bias.h"
#include "wordsway/model/layers/score_weights.h"

namespace wordsway {

/// The heads of an attention, each of `width` columns.
struct AttentionShape {
  Index heads = 0;     // of queries
  Index kv_heads = 0;  // of keys and values; divides heads, and is the same where every head has its own
  Index width = 0;

  /// Every head with its own keys and values.
  static AttentionShape with_own_keys(Index heads, Index width) { return {heads, heads, width}; }

  Index context_columns() const { return heads * width; }
  Index kv_columns() const { return 2 * kv_heads * width; }
  Index qkv_columns() const { return context_columns() + kv_columns(); }
  Index kv_head(Index head) const { return head * kv_heads / heads; }
  /// Columns of qkv where parts of a query head begin.
  Index query_begin(Index head) const { return head * width; }
  Index key_begin(Index head) const { return (heads + kv_head(head)) * width; }
  Index value_begin(Index head) const { return (heads + kv_heads + kv_head(head)) * width; }

  /// Throws DataError unless the numbers are positive and kv_heads divides heads.
  void check() const;
  bool operator==(const AttentionShape&) const = default;
};

/// The rows [begin, end).
struct RowRange {
  Index begin, end;

  Index size() const { return end - begin; }
};

/// The rows of each text, and which of its tokens are visible. Default: one text, all of it.
class AttentionMask {
 public:
  AttentionMask() = default;
  /// One text; visible[j] is 0 for padding. Throws DataError when no token is visible.
  explicit AttentionMask(std::span<const int> visible);
  /// Texts of these lengths below each other, all of them visible. Throws DataError unless each has a token.
  static AttentionMask of_texts(std::span<const Index> lengths);

  bool all_visible() const { return key_bias_.size() == 0; }
  bool visible(Index token) const { return all_visible() || key_bias_[token] == 0; }
  /// Number of visible tokens among n.
  Index count(Index n) const;
  /// Throws DataError unless it covers exactly n tokens (or one text, all of it visible). With `shared` rows before
  /// them, hidden tokens may be among these too.
  void check(Index n, Index shared = 0) const;
  /// The rows of every text among n; those that texts share are not counted.
  std::vector<RowRange> texts(Index n) const;
  /// [n] added to every row of scores, 0 or hugely negative; empty when all are visible.
  const RowF& key_bias() const { return key_bias_; }

 private:
  RowF key_bias_;
  std::vector<Index> ends_;  // of texts; empty for one
};

/// Immutable. All members throw DataError when a matrix does not fit the shape or the mask.
struct Attention {
  AttentionShape shape;
  std::optional<Index> window = {};               // a query sees keys at most this far away; nothing: all of its text
  std::shared_ptr<const RelativeBias> bias = {};  // null: none
  bool causal = false;                            // a query sees no key after it
  NormaliserSpec normaliser = {};                 // the softmax with β = 1 unless given

  /// If the context has fewer rows than qkv, the first rows of qkv are those that all texts of the mask share, and the
  /// context has the other rows.
  void forward(ConstMatrixFRef qkv, const AttentionMask& mask, MatrixFRef context) const;

  /// Computes the context of one text from the queries, [m, H·w], of its last m tokens, and keys and values, [n, 2G·w]
  /// = [K | V], in a matrix of their own. A single query reads them in place.
  void forward_last(ConstMatrixFRef queries, ConstMatrixFRef keys_values, MatrixFRef context) const;

  /// The cotangent of qkv from that of the context. If they have fewer rows than qkv, they are without the rows that
  /// all texts share, and only queries of the other rows contribute.
  void vjp(ConstMatrixFRef qkv, const AttentionMask& mask, ConstMatrixFRef context_cotangent,
           MatrixFRef qkv_cotangent) const;

  /// P_head, [n, n], of one text. Throws UsageError when there is no such head.
  MatrixF probabilities(ConstMatrixFRef qkv, const AttentionMask& mask, Index head) const;

  /// The keys that a query of a text may see at all, hidden ones included.
  RowRange keys_of(Index query, RowRange text) const;
};

}  // namespace wordsway
