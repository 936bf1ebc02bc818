// The interface of one layer of a transformer; an architecture is an embedding and a sequence of these.
//
// x, y: [n, d], the rows of one text or of several (layers/attention.h); where a row, a token or attention is asked
// for, of one text. A block is immutable and may be used from several threads at once, each with its own trace.
#pragma once

#include <memory>
#include <vector>

#include "wordsway/core/error.h"
#include "wordsway/core/matrix.h"
#include "wordsway/model/layers/attention.h"
#include "wordsway/model/layers/key_value_cache.h"

namespace wordsway {

struct FeedForward;
struct LayerNorm;
struct SelfAttention;

/// The weights of a block, for an engine on a device (model/device_engine.h). The block owns them.
struct BlockParts {
  bool normalises_first = false;              // as pre_norm_block.h; else as post_norm_block.h
  const LayerNorm* attention_norm = nullptr;  // LN₁; null where there is none
  const SelfAttention* attention = nullptr;
  const LayerNorm* feed_forward_norm = nullptr;  // LN₂ of a block that normalises first
  const FeedForward* feed_forward = nullptr;
  const LayerNorm* output_norm = nullptr;  // the last one; null where there is none
};

/// What a forward pass keeps for the vjp; each kind of block has its own. Only its first use allocates memory.
class BlockTrace {
 public:
  virtual ~BlockTrace() = default;

  /// False if no vjp will follow: the forward pass then skips what only the vjp needs.
  bool for_vjp = true;
};

class Block {
 public:
  virtual ~Block() = default;

  virtual std::unique_ptr<BlockTrace> make_trace() const = 0;

  /// y = block(x). `trace` must come from this block's make_trace (or that of a block of the same kind); y is resized.
  virtual void forward(ConstMatrixFRef x, const AttentionMask& mask, BlockTrace& trace, MatrixF& y) const = 0;

  /// Computes forward() for an x that differs from the x of `base` only in row i: work on other rows that row i does
  /// not change is taken from `base`.
  virtual void forward_changed_row(ConstMatrixFRef x, Index i, const BlockTrace& base, const AttentionMask& mask,
                                   BlockTrace& trace, MatrixF& y) const = 0;

  /// Computes forward() for texts whose first `first` rows are those of the text of `base`, from which a causal block
  /// takes what it needs of them: x and y, and the cotangents of a vjp at its trace, are the rows of the texts without
  /// these, one text below the other. Throws DataError unless the block is causal.
  virtual void forward_from(ConstMatrixFRef x, Index first, const BlockTrace& base, const AttentionMask& mask,
                            BlockTrace& trace, MatrixF& y) const;

  /// Computes y of the next tokens of a text, x: [m, d]. The cache has what this layer, counted from 0, needs of the
  /// tokens before them, and the new ones are appended. Throws DataError unless the block is causal.
  virtual void extend(ConstMatrixFRef x, Index layer, KeyValueCache& cache, MatrixF& y) const;

  /// The cotangent of x from that of y, at the x of the trace. x_cotangent is resized and may be y_cotangent.
  virtual void vjp(const BlockTrace& trace, const AttentionMask& mask, const MatrixF& y_cotangent,
                   MatrixF& x_cotangent) const = 0;

  /// Row i of that cotangent, [d].
  virtual RowF vjp_row(const BlockTrace& trace, const AttentionMask& mask, const MatrixF& y_cotangent,
                       Index i) const = 0;

  /// Attention probabilities of the heads [first, first + count), [n, n] each.
  virtual std::vector<MatrixF> attention(ConstMatrixFRef x, const AttentionMask& mask, Index first,
                                         Index count) const = 0;

  /// The gradients of the scores of all queries on one token with respect to that token's row, [heads·n, d]: row h·n +
  /// j is that of query j in head h, where j is another token; zero where the query does not see the token.
  virtual MatrixF score_gradients(ConstMatrixFRef x, Index token) const = 0;

  /// Numbers in all its tensors.
  virtual Index parameters() const = 0;

  virtual BlockParts parts() const = 0;
};

inline void Block::forward_from(ConstMatrixFRef /*x*/, Index /*first*/, const BlockTrace& /*base*/,
                                const AttentionMask& /*mask*/, BlockTrace& /*trace*/, MatrixF& /*y*/) const {
  throw DataError("the first rows of a text cannot be shared in a block whose tokens see those after them");
}

inline void Block::extend(ConstMatrixFRef /*x*/, Index /*layer*/, KeyValueCache& /*cache*/, MatrixF& /*y*/) const {
  throw DataError("a text cannot be extended by a block whose tokens see those after them");
}

}  // namespace wordsway
