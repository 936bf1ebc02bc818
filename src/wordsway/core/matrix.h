// Matrix and vector types. Tokens are rows, so matrices are row-major: a row is one contiguous token.
#pragma once

#include <Eigen/Core>

// Memory that one side of this interface allocates is freed on the other (docs/decisions/0003-eigen-abi.md).
static_assert(EIGEN_MAX_ALIGN_BYTES == 64, "compile with -DEIGEN_MAX_ALIGN_BYTES=64, as the wordsway library was");

namespace wordsway {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using VectorRef = Eigen::Ref<Vector>;
using ConstVectorRef = Eigen::Ref<const Vector>;
using MatrixRef = Eigen::Ref<Matrix>;
using ConstMatrixRef = Eigen::Ref<const Matrix>;

// Matrices of the model engine, in float32.
using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowF = Eigen::Matrix<float, 1, Eigen::Dynamic, Eigen::RowMajor>;

/// Rows are contiguous; the stride from row to row is free, so a head's columns [n, d/h] of [n, d] need no copy.
using MatrixFRef = Eigen::Ref<MatrixF>;
using ConstMatrixFRef = Eigen::Ref<const MatrixF>;
using RowFRef = Eigen::Ref<RowF>;
using ConstRowFRef = Eigen::Ref<const RowF>;

}  // namespace wordsway
