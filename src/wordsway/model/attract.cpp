#include "wordsway/model/attract.h"

#include <Eigen/Cholesky>

#include "wordsway/core/error.h"

namespace wordsway {

Vector attracting_direction(const Transformer& transformer, ConstMatrixFRef x, Index i, double regularisation) {
  ensure(i >= 0 && i < x.rows() && regularisation > 0, "token exists, regularisation is positive");
  const Index n = x.rows(), d = x.cols();
  if (n == 1) return x.row(0).transpose().cast<double>();
  Matrix A = transformer.score_gradients(x).cast<double>();
  for (Index row = i; row < A.rows(); row += n) A.row(row).setZero();  // its own query moves with it
  const Vector wanted = A.colwise().sum().transpose();                 // Aᵀ1
  Matrix gram(d, d);
  gram.noalias() = A.transpose() * A;
  gram.diagonal().array() += regularisation * gram.trace() / static_cast<double>(d);
  return gram.llt().solve(wanted);
}

}  // namespace wordsway
