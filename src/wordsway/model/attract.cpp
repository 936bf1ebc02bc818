#include "wordsway/model/attract.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/model/layers/self_attention.h"

namespace wordsway {
namespace {

constexpr Index kStrip = 32;  // rows of a product that one thread computes

}  // namespace

Vector attracting_direction(const Transformer& transformer, ConstMatrixFRef x, Index i, double regularisation) {
  if (i < 0 || i >= x.rows())
    throw UsageError(fmt::format("token {} is out of range; the text has tokens 0 to {}", i, x.rows() - 1));
  if (!(regularisation > 0) || !std::isfinite(regularisation))
    throw UsageError(fmt::format("the regularisation must be a number above 0; got {}", regularisation));
  const Index n = x.rows(), d = x.cols();
  Matrix A = transformer.score_gradients(x, i).cast<double>();
  for (Index row = i; row < A.rows(); row += n) A.row(row).setZero();  // its own query moves with it
  if (A.isZero(0)) return x.row(i).transpose().cast<double>();         // no other query sees it
  const Vector wanted = A.colwise().sum().transpose();                 // Aᵀ1
  Matrix gram(d, d);
  gram.noalias() = A.transpose() * A;
  gram.diagonal().array() += regularisation * gram.trace() / static_cast<double>(d);
  return gram.llt().solve(wanted);
}

AttractingDirections::AttractingDirections(const Transformer& transformer, ConstMatrixFRef x, double regularisation)
    : transformer_(transformer), x_(x), regularisation_(regularisation) {
  const SelfAttention& first = *transformer.block_parts(0).attention;
  shares_ = x.rows() > 1 && !first.rotary && !first.head_norms && !first.heads.causal && !first.heads.window;
  if (!shares_) return;
  rows_ = transformer.score_gradients(x, 0).cast<double>();
  sum_ = rows_.colwise().sum().transpose();
  const Index d = x.cols(), strips = (d + kStrip - 1) / kStrip;
  gram_.setZero(d, d);
  parallel_for(strips, [&](Index s) {
    const Index begin = s * kStrip, size = std::min(kStrip, d - begin);
    gram_.block(begin, 0, size, begin + size).noalias() =
        rows_.middleCols(begin, size).transpose() * rows_.leftCols(begin + size);
  });
  shift_ = regularisation * gram_.trace() / static_cast<double>(x.cols());
  factor_.compute(gram_ + shift_ * Matrix::Identity(x.cols(), x.cols()));
}

Vector AttractingDirections::operator()(Index i) const {
  if (!shares_ || i < 0 || i >= x_.rows() || !(regularisation_ > 0) || !(shift_ > 0))
    return attracting_direction(transformer_, x_, i, regularisation_);
  const Index n = x_.rows(), heads = rows_.rows() / n;
  Matrix own(heads, x_.cols());
  for (Index h = 0; h < heads; ++h) own.row(h) = rows_.row(h * n + i);
  const Vector wanted = sum_ - own.colwise().sum().transpose();
  const double shift = regularisation_ * (gram_.trace() - own.squaredNorm()) / static_cast<double>(x_.cols());
  if (wanted.isZero(0) || !(shift > 0)) return attracting_direction(transformer_, x_, i, regularisation_);
  return solve(own, shift, wanted);
}

// (AᵀA − UᵀU + λ) y = b by conjugate gradients with the factor of AᵀA + λ₀, from which it differs by a matrix of as
// many ranks as there are heads and by little else: a few more steps than that suffice.
Vector AttractingDirections::solve(const Matrix& own, double shift, const Vector& wanted) const {
  constexpr int kMoreSteps = 20;
  constexpr double kExact = 1e-13;
  Vector y = Vector::Zero(wanted.size()), residual = wanted, z = factor_.solve(residual), direction = z;
  double square = residual.dot(z);
  for (Index step = 0; step < own.rows() + kMoreSteps && residual.norm() > kExact * wanted.norm(); ++step) {
    Vector image = gram_.selfadjointView<Eigen::Lower>() * direction;
    image += shift * direction - own.transpose() * (own * direction);
    const double length = square / direction.dot(image);
    y += length * direction;
    residual -= length * image;
    z = factor_.solve(residual);
    const double next = residual.dot(z);
    direction = z + next / square * direction;
    square = next;
  }
  return y;
}

}  // namespace wordsway
