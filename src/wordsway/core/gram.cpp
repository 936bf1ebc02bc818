#include "wordsway/core/gram.h"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway {

namespace {

constexpr Index kTile = 256;  // large enough for a product at full speed, small enough to share out

}  // namespace

void add_gram_lower(ConstMatrixRef B, MatrixRef K) {
  ensure(K.rows() == B.rows() && K.cols() == B.rows(), "a square K of B's rows");
  const Blocks tiles{B.rows(), kTile};
  std::vector<std::pair<Index, Index>> pairs;
  for (Index a = 0; a < tiles.count(); ++a)
    for (Index b = 0; b <= a; ++b) pairs.emplace_back(a, b);
  parallel_for(static_cast<Index>(pairs.size()), [&](Index item) {
    const auto [a, b] = pairs[static_cast<size_t>(item)];
    K.block(tiles.begin(a), tiles.begin(b), tiles.length(a), tiles.length(b)).noalias() +=
        B.middleRows(tiles.begin(a), tiles.length(a)) * B.middleRows(tiles.begin(b), tiles.length(b)).transpose();
  });
}

void mirror_lower(Matrix& K) {
  K.triangularView<Eigen::StrictlyUpper>() = K.transpose();
}

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
