// Layer normalisation of every row: y = gain ∘ (x − mean)/√(variance + ε) + bias.
//
// x, y: [n, d]; gain, bias: [d]. mean and variance (divided by d) are those of the row. A row has the same bits
// alone and among others. RMS normalisation, that of most decoders, takes the mean for 0: y = gain ∘ x/√(mean x² +
// ε).
#pragma once

#include "wordsway/core/matrix.h"

namespace wordsway {

/// What a forward pass keeps for the vjp.
struct LayerNormTrace {
  MatrixF normalised;                 // [n, d] (x − mean)/√(variance + ε)
  Eigen::VectorXf inverse_deviation;  // [n]    1/√(variance + ε)

  /// The trace of some rows.
  LayerNormTrace rows(Index begin, Index count) const;
  /// Replaces the rows from `begin` on by the trace of some rows.
  void replace_rows(Index begin, const LayerNormTrace& rows);
};

struct LayerNorm {
  RowF gain;
  RowF bias;  // empty: none
  float epsilon = 0;
  bool centred = true;  // false: RMS normalisation

  Index parameters() const { return gain.size() + bias.size(); }

  /// y may be x; keeps no trace if none is given.
  void forward(ConstMatrixFRef x, LayerNormTrace* trace, MatrixFRef y) const;
  MatrixF forward(ConstMatrixFRef x) const;
  /// The cotangent of x from that of y; they may be the same matrix.
  void vjp(const LayerNormTrace& trace, ConstMatrixFRef y_cotangent, MatrixFRef x_cotangent) const;
};

}  // namespace wordsway
