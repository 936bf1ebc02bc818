// A second engine for the blocks of a model, on a device with a memory of its own (cuda/). Its interface is coarse:
// whole forward passes, and values and gradients of many copies of one text, each with one row of its own.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "wordsway/core/device.h"
#include "wordsway/core/matrix.h"
#include "wordsway/model/layers/attention.h"
#include "wordsway/model/layers/key_value_cache.h"

namespace wordsway {

/// Copies of a text: copy k has rows.row(k) in the place of its row tokens[k].
struct MovedRows {
  std::span<const Index> tokens;
  const MatrixF& rows;    // [copies, d]
  Index values_only = 0;  // how many copies, the last ones, want no gradient

  Index with_gradients() const { return rows.rows() - values_only; }
};

/// A text on the device, unchanged, and its copies. Calls may come from several threads; they take turns. Gradients,
/// [with_gradients(), d], are with respect to the row that was moved; none are computed if null is given. The bits of a
/// copy do not depend on the other copies of the batch, only on their number (in a decoder also on the rows from the
/// moved one on).
class DeviceText {
 public:
  virtual ~DeviceText() = default;

  /// hidden_states[layer] of the text itself, [n, d].
  virtual const MatrixF& hidden() const = 0;

  /// ‖h − h₀‖² of every copy, h being its hidden state and h₀ that of the text.
  virtual Vector distances(const MovedRows& moved, MatrixF* gradients) const = 0;

  /// Takes what was read out of some copies and returns the cotangents of those that want a gradient, which come
  /// first.
  using Respond = std::function<MatrixF(const MatrixF& found, Index first)>;

  /// Reads out Σ_j weights[j]·h_j, [copies, d]. `respond` is called for some copies at a time, from copy `first` on.
  virtual void read_out(const MovedRows& moved, const RowF& weights, const Respond& respond,
                        MatrixF* gradients) const = 0;
  /// Reads out all of h, [copies·n, d].
  virtual void read_states(const MovedRows& moved, const Respond& respond, MatrixF* gradients) const = 0;
};

/// May be used from several threads at once; they take turns.
class DeviceEngine {
 public:
  virtual ~DeviceEngine() = default;

  virtual Device device() const = 0;
  /// "NVIDIA H200".
  virtual std::string name() const = 0;
  /// How many rows of texts are best computed at once.
  virtual Index batch_rows() const = 0;

  /// Transformer::forward for texts that hide no token.
  virtual MatrixF forward(ConstMatrixFRef x, Index layer, const AttentionMask& mask) const = 0;
  /// Hidden states 0 to `layers`.
  virtual std::vector<MatrixF> hidden_states(ConstMatrixFRef x, Index layers, const AttentionMask& mask) const = 0;

  virtual std::unique_ptr<DeviceText> text(ConstMatrixFRef x, Index layer) const = 0;

  /// For decoders: an empty cache, and the last hidden states of rows that follow the `tokens` rows in it, which are
  /// appended to it.
  virtual std::unique_ptr<DeviceCache> make_cache() const = 0;
  virtual MatrixF extend(ConstMatrixFRef x, DeviceCache& cache, Index tokens) const = 0;

  /// Transformer::logits and its vjp, for models with a head for the next word. May be called by a Respond of a
  /// DeviceText, on its thread.
  virtual MatrixF logits(ConstMatrixFRef hidden) const = 0;
  virtual MatrixF logits_vjp(ConstMatrixFRef cotangent) const = 0;
};

}  // namespace wordsway
