#include "wordsway/model/attract.h"

#include <cmath>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {

Vector attracting_direction(const Transformer& transformer, ConstMatrixFRef x, Index i, double regularisation) {
  if (i < 0 || i >= x.rows())
    throw UsageError(fmt::format("token {} is out of range; the text has tokens 0 to {}", i, x.rows() - 1));
  if (!(regularisation > 0) || !std::isfinite(regularisation))
    throw UsageError(fmt::format("the regularisation must be a number above 0; got {}", regularisation));
  const Index n = x.rows(), d = x.cols();
  Matrix A = transformer.score_gradients(x, i).cast<double>();
  for (Index row = i; row < A.rows(); row += n) A.row(row).setZero();  // its own query moves with it
  if (A.isZero(0)) return x.row(i).transpose().cast<double>();         // nobody else sees it
  const Vector wanted = A.colwise().sum().transpose();                 // Aᵀ1
  Matrix gram(d, d);
  gram.noalias() = A.transpose() * A;
  gram.diagonal().array() += regularisation * gram.trace() / static_cast<double>(d);
  return gram.llt().solve(wanted);
}

}  // namespace wordsway
