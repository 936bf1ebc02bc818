#include "wordsway/core/semidefinite_factor.h"

#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

namespace wordsway {
namespace {

// Column by column. In a semidefinite matrix a pivot that is 0 has only zeros below it, so the column is left out.
Matrix factor_with_gaps(const Matrix& M) {
  const Index N = M.rows();
  const double rounding = 4 * static_cast<double>(N) * std::numeric_limits<double>::epsilon();
  Matrix C = Matrix::Zero(N, N);
  for (Index j = 0; j < N; ++j) {
    const double pivot = M(j, j) - C.row(j).head(j).squaredNorm();
    if (!(pivot > rounding * M(j, j))) continue;
    C(j, j) = std::sqrt(pivot);
    const Index below = N - j - 1;
    C.col(j).tail(below) =
        (M.col(j).tail(below) - C.bottomLeftCorner(below, j) * C.row(j).head(j).transpose()) / C(j, j);
  }
  return C;
}

}  // namespace

Matrix semidefinite_factor(const Matrix& M) {
  const Eigen::LLT<Matrix> regular(M);
  if (regular.info() == Eigen::Success) return regular.matrixL();
  return factor_with_gaps(M);
}

}  // namespace wordsway
