// Matrix-vector products in pairs, the matrix read once for both: they are bound by memory, so a pair costs what one
// product costs (bench/core prints the ratio). M: [rows, columns].
#pragma once

#include "wordsway/core/matrix.h"

namespace wordsway {

/// Mx = M x and Mtx = Mᵀ x for a square M.
void multiply_both_ways(ConstMatrixRef M, ConstVectorRef x, VectorRef Mx, VectorRef Mtx);

/// The adjoint of multiply_both_ways: result = Mᵀ u + M v.
void multiply_both_ways_adjoint(ConstMatrixRef M, ConstVectorRef u, ConstVectorRef v, VectorRef result);

/// Mu = M u and Mv = M v.
void multiply_pair(ConstMatrixRef M, ConstVectorRef u, ConstVectorRef v, VectorRef Mu, VectorRef Mv);

/// Mtu = Mᵀ u and Mtv = Mᵀ v.
void multiply_pair_transposed(ConstMatrixRef M, ConstVectorRef u, ConstVectorRef v, VectorRef Mtu, VectorRef Mtv);

}  // namespace wordsway
