#include "wordsway/learning/interpolator.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/learning/condition.h"

namespace wordsway {
namespace {

// Above this condition number a solution keeps fewer than five digits, and a jitter of the reciprocal's size costs no
// more.
constexpr double kWorstCondition = 1e11;

// Rounding in the products of Φ leaves a singular K with eigenvalues of about this size relative to its largest.
double rounding(Index N) {
  return 32 * std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(N));
}

}  // namespace

Interpolator::Interpolator(Matrix K, Index p) : K_(std::move(K)), features_(p) {
  if (K_.rows() != K_.cols() || K_.rows() == 0)
    throw DataError(fmt::format("a kernel must be a square matrix, N x N; got {} x {}", K_.rows(), K_.cols()));
  if (!K_.allFinite()) throw DataError("the features of the training samples are not finite");
  factor();
}

void Interpolator::factor() {
  const Index N = K_.rows();
  const double largest = largest_eigenvalue(N, [this](const Vector& x) -> Vector { return K_ * x; });
  factor_.compute(K_);
  if (!(largest > 0) || factor_.info() != Eigen::Success) throw_singular();
  const double inverse = largest_eigenvalue(N, [this](const Vector& x) -> Vector { return factor_.solve(x); });
  if (!(largest * inverse < 1 / rounding(N))) throw_singular();
  condition_ = std::max(1.0, largest * inverse);
  if (condition_ <= kWorstCondition) return;

  jitter_ = largest / kWorstCondition;
  K_.diagonal().array() += jitter_;
  factor_.compute(K_);
  warning_ = fmt::format(
      "the kernel of the {} training samples is nearly singular (condition {:.2g}); {:.2g} was added to its diagonal, "
      "so "
      "the labels are met only approximately",
      N, condition_, jitter_);
}

Vector Interpolator::solve(ConstVectorRef b) const {
  if (b.size() != K_.rows())
    throw DataError(fmt::format("the kernel of {0} samples solves for {0} numbers; got {1}", K_.rows(), b.size()));
  Vector x = factor_.solve(b);
  const Vector residual = b - K_ * x;
  x += factor_.solve(residual);
  return x;
}

void Interpolator::throw_singular() const {
  const std::string what = "the kernel of the training samples is singular, so no unique interpolator exists: ";
  const Index N = K_.rows();
  for (Index a = 0; a < N; ++a) {
    if (K_(a, a) <= std::numeric_limits<double>::min())
      throw DataError(fmt::format("{}all features of sample {} are 0 or their squares are", what, a));
    for (Index b = 0; b < a; ++b)
      if (K_(a, a) + K_(b, b) - 2 * K_(a, b) <= rounding(N) * K_(a, a))
        throw DataError(fmt::format("{}samples {} and {} have the same features", what, b, a));
  }
  if (N > features_) throw DataError(fmt::format("{}there are {} samples and only {} features", what, N, features_));
  throw DataError(fmt::format("{}the features of the {} samples are linearly dependent", what, N));
}

}  // namespace wordsway
