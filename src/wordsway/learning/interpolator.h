// Solves with the kernel matrix K = ΦΦᵀ, as the min-norm interpolator θ* = Φᵀ K⁻¹ Y needs, by a Cholesky factor.
#pragma once

#include <string>

#include <Eigen/Cholesky>

#include "wordsway/core/matrix.h"

namespace wordsway {

class Interpolator {
 public:
  /// K: [N, N] symmetric, from samples with p features each. Throws DataError if K is not square or is singular to
  /// rounding, naming the samples responsible where possible. If K is nearly singular, adds a jitter to its diagonal,
  /// and warning() says how large.
  Interpolator(Matrix K, Index p);

  /// K⁻¹ b, refined once. Throws DataError unless b is [N].
  Vector solve(ConstVectorRef b) const;

  double condition() const { return condition_; }  // of K as given, in the 2-norm
  double jitter() const { return jitter_; }
  const std::string& warning() const { return warning_; }  // empty when there is nothing to say

 private:
  void factor();
  [[noreturn]] void throw_singular() const;

  Matrix K_;
  Index features_;
  Eigen::LLT<Matrix> factor_;
  double condition_ = 1, jitter_ = 0;
  std::string warning_;
};

}  // namespace wordsway
