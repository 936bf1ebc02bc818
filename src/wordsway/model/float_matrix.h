// The float32 matrices of the model engine. Tokens are rows, as everywhere in wordsway.
#pragma once

#include "wordsway/core/matrix.h"

namespace wordsway {

using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowF = Eigen::Matrix<float, 1, Eigen::Dynamic, Eigen::RowMajor>;

/// Rows are contiguous; the stride from row to row is free, so a head's columns [n, d/h] of [n, d] need no copy.
using MatrixFRef = Eigen::Ref<MatrixF>;
using ConstMatrixFRef = Eigen::Ref<const MatrixF>;
using RowFRef = Eigen::Ref<RowF>;
using ConstRowFRef = Eigen::Ref<const RowF>;

}  // namespace wordsway
