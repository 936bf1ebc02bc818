// The two-layer perceptron of a transformer block, added to a residual, row by row.
//
//   y = r + σ(x·W₁ᵀ + b₁)·W₂ᵀ + b₂                                plain: W₁ is [f, d]
//   y = r + (σ(a) ∘ b)·W₂ᵀ + b₂,   [a, b] = x·W₁ᵀ + b₁            gated: W₁ is [2f, d]
//
// x, r, y: [n, d]; W₂: [d, f]; between them [n, f].
#pragma once

#include "wordsway/model/layers/activation.h"
#include "wordsway/model/layers/linear.h"

namespace wordsway {

/// What a forward pass keeps for the vjp.
struct FeedForwardTrace {
  MatrixF slope;  // [n, f] σ'(·), times b where gated
  MatrixF value;  // [n, f] σ(a), where gated
};

struct FeedForward {
  Linear up;
  Linear down;
  ActivationKind activation = ActivationKind::kGelu;
  bool gated = false;

  Index parameters() const { return up.parameters() + down.parameters(); }

  /// Keeps no trace if none is given.
  void forward(ConstMatrixFRef x, ConstMatrixFRef residual, FeedForwardTrace* trace, MatrixFRef y) const;
  /// The cotangent of x from that of y, the residual aside. `then` sees every block of the result.
  void vjp(const FeedForwardTrace& trace, ConstMatrixFRef y_cotangent, MatrixFRef x_cotangent,
           const Epilogue& then = {}) const;

 private:
  MatrixF inside(ConstMatrixFRef x, FeedForwardTrace* trace) const;
  MatrixF gated_inside(ConstMatrixFRef x, FeedForwardTrace* trace) const;
};

}  // namespace wordsway
