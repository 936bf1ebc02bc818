// The first matrix of random features, V = [V_0 … V_{n−1}]: one [k, d] block a token, V flat(X) = Σ_j V_j x_j.
//
// X: [n, d], V: [k, n·d].
#pragma once

#include <memory>

#include "wordsway/core/matrix.h"
#include "wordsway/random/gaussian_matrix.h"

namespace wordsway {

class TokenBlocks {
 public:
  /// `norm` is ‖V‖_F, or what is expected of it: scale·√(k·n·d).
  TokenBlocks(Index n, Index d, Index k, double norm) : n_(n), d_(d), k_(k), norm_(norm) {}
  virtual ~TokenBlocks() = default;

  Index n() const { return n_; }
  Index d() const { return d_; }
  Index k() const { return k_; }
  double norm() const { return norm_; }

  /// V flat(X): [k]. Thread-safe, like all of this class.
  virtual Vector image(const Matrix& X) = 0;
  /// V_i; the same matrix whenever it is asked for.
  virtual std::shared_ptr<GaussianMatrix> block(Index i) = 0;
  /// V written down.
  Matrix complete();
  /// Bytes held now, or by the largest block that was let go.
  virtual double memory_bytes() const = 0;

 private:
  Index n_, d_, k_;
  double norm_;
};

/// What is expected of ‖V‖_F when the entries of V: [k, n·d] are N(0, scale²).
double expected_norm(Index n, Index d, Index k, double scale);

}  // namespace wordsway
