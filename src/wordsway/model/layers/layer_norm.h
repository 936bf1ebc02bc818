// Layer normalisation of every row: y = gain ∘ (x − mean)/√(variance + ε) + bias.
//
// x, y: [n, d]; gain, bias: [d]. mean and variance (divided by d) are those of the row. A row has the same bits
// whatever stands beside it.
#pragma once

#include "wordsway/core/matrix.h"

namespace wordsway {

/// What the vjp needs of a forward.
struct LayerNormTrace {
  MatrixF normalised;                 // [n, d] (x − mean)/√(variance + ε)
  Eigen::VectorXf inverse_deviation;  // [n]    1/√(variance + ε)
};

struct LayerNorm {
  RowF gain;
  RowF bias;  // empty: none
  float epsilon = 0;

  Index parameters() const { return gain.size() + bias.size(); }

  /// y may be x; no trace is left where none is given.
  void forward(ConstMatrixFRef x, LayerNormTrace* trace, MatrixFRef y) const;
  MatrixF forward(ConstMatrixFRef x) const;
  /// The cotangent of x from that of y; they may be the same matrix.
  void vjp(const LayerNormTrace& trace, ConstMatrixFRef y_cotangent, MatrixFRef x_cotangent) const;
};

}  // namespace wordsway
