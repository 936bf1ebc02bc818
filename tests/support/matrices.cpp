#include "support/matrices.h"

#include <cmath>
#include <random>

namespace wordsway::test {

MatrixF random_matrix(Index rows, Index columns, unsigned seed, float scale) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal(0, scale);
  return MatrixF::NullaryExpr(rows, columns, [&] { return normal(engine); });
}

RowF random_row(Index size, unsigned seed, float scale) {
  return random_matrix(1, size, seed, scale).row(0);
}

double relative_error(const Matrix& got, const Matrix& expected) {
  if (got.rows() != expected.rows() || got.cols() != expected.cols() || !got.allFinite()) return INFINITY;
  return (got - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

}  // namespace wordsway::test
