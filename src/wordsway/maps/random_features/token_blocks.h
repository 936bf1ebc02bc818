// The first matrix of random features, V = [V_0 … V_{n−1}]: one [k, d] block a token, V flat(X) = Σ_j V_j x_j.
//
// X: [n, d], V: [k, n·d].
#pragma once

#include <memory>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/random/gaussian_matrix.h"
#include "wordsway/random/stream.h"

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
  /// V_i; every call returns the same matrix.
  virtual std::shared_ptr<GaussianMatrix> block(Index i) = 0;
  /// V written down.
  Matrix complete();
  /// Bytes held now, or by the largest block that was let go.
  virtual double memory_bytes() const = 0;

 private:
  Index n_, d_, k_;
  double norm_;
};

/// The expected ‖V‖_F for entries of V: [k, n·d] from N(0, scale²).
double expected_norm(Index n, Index d, Index k, double scale);

// Token blocks that exist: dense or streamed matrices.

class StoredBlocks final : public TokenBlocks {
 public:
  /// Block j has the entries of stream.derive(j); `streamed` says whether they are kept.
  StoredBlocks(const Stream& stream, Index n, Index d, Index k, double scale, bool streamed);
  /// Cut from V: [k, n·d].
  StoredBlocks(ConstMatrixRef V, Index n, Index d);

  Vector image(const Matrix& X) override;
  std::shared_ptr<GaussianMatrix> block(Index i) override { return blocks_[static_cast<size_t>(i)]; }
  double memory_bytes() const override;

 private:
  std::vector<std::shared_ptr<GaussianMatrix>> blocks_;
};

}  // namespace wordsway
