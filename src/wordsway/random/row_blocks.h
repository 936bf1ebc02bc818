// Products with a matrix given as a sequence of row blocks, whoever makes them. Dense and streamed matrices share this
// code and its partition, which is why their answers agree to the last bit.
#pragma once

#include <functional>

#include "wordsway/core/matrix.h"

namespace wordsway {

/// Calls use(rows first … first + M.rows() of the matrix) with the block, which lives until the call returns.
using RowBlockUser = std::function<void(Index first, ConstMatrixRef M)>;
/// Makes the block of `count` rows from `first` on and hands it over. Called from several threads at once.
using RowBlockMaker = std::function<void(Index first, Index count, const RowBlockUser& use)>;

/// A [rows, columns] matrix in blocks of a fixed number of rows.
struct RowBlocks {
  Index rows, columns;
  RowBlockMaker make;

  void multiply(ConstVectorRef u, VectorRef result) const;
  void multiply_transposed(ConstVectorRef v, VectorRef result) const;
  /// A number not below the operator norm: from the largest eigenvalue of GᵀG plus a bound of all rounding.
  double norm_bound() const;
};

}  // namespace wordsway
