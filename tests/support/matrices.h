// Random matrices, and how far two are apart.
#pragma once

#include "wordsway/core/matrix.h"

namespace wordsway::test {

MatrixF random_matrix(Index rows, Index columns, unsigned seed, float scale = 1);
RowF random_row(Index size, unsigned seed, float scale = 1);

/// Largest difference between entries, relative to the largest entry of `expected`.
double relative_error(const Matrix& got, const Matrix& expected);
inline double relative_error(const MatrixF& got, const Matrix& expected) {
  return relative_error(Matrix(got.cast<double>()), expected);
}

}  // namespace wordsway::test
