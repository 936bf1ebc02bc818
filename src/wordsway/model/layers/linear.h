// y = x·Wᵀ + b for every row.  x: [n, in], W: [out, in] as PyTorch stores it, b: [out], y: [n, out].
#pragma once

#include "wordsway/model/products/packed_weights.h"

namespace wordsway {

/// Adds the same block of another matrix to every block of a result, as a residual connection does.
Epilogue plus(ConstMatrixFRef other);

struct Linear {
  PackedWeights weight;
  RowF bias;  // empty: none

  Index parameters() const { return weight.size() + bias.size(); }

  /// `then` sees every block of y, bias included.
  void forward(ConstMatrixFRef x, MatrixFRef y, const Epilogue& then = {}) const;
  MatrixF forward(ConstMatrixFRef x) const;
  /// The cotangent of x, [n, in], from that of y, [n, out]. `then` sees every block of the result.
  void vjp(ConstMatrixFRef y_cotangent, MatrixFRef x_cotangent, const Epilogue& then = {}) const;
};

}  // namespace wordsway
