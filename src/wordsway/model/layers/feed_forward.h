// The two-layer perceptron of a transformer block, with its residual: y = x + σ(x·W₁ᵀ + b₁)·W₂ᵀ + b₂, row by row.
//
// x, y: [n, d]; W₁: [f, d], W₂: [d, f]; between them [n, f].
#pragma once

#include "wordsway/model/layers/activation.h"
#include "wordsway/model/layers/linear.h"

namespace wordsway {

struct FeedForward {
  Linear up;
  Linear down;
  HiddenActivation activation;

  /// Also writes what the vjp needs: slope = σ'(x·W₁ᵀ + b₁), [n, f].
  void forward(ConstMatrixFRef x, MatrixF& slope, MatrixFRef y) const;
  /// The cotangent of x from that of y, residual included.
  void vjp(ConstMatrixFRef slope, ConstMatrixFRef y_cotangent, MatrixFRef x_cotangent) const;
};

}  // namespace wordsway
