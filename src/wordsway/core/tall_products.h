// Products of tall and wide matrices that are bound by memory, in parallel, with the same bits for any number of
// threads.
#pragma once

#include "wordsway/core/matrix.h"

namespace wordsway {

// Products M Mᵀ of tall and wide matrices, in parallel, with the same bits for any number of threads.

/// K += B Bᵀ for the lower triangle of K (what lies above the diagonal is left as it happens to be). B: [N, m].
/// The sum over columns is not cut, so it is the caller who decides in which blocks it is accumulated.
void add_gram_lower(ConstMatrixRef B, MatrixRef K);

/// Copies the lower triangle to the upper one.
void mirror_lower(Matrix& K);

// Cholesky factors of matrices that may be singular.

/// C with C Cᵀ = M to rounding: lower triangular, zero above its diagonal. M: [N, N] positive semidefinite, of which
/// the lower triangle is read. Where a row depends on those before it, the diagonal entry and the column below it are
/// 0. The first rows of C do not depend on the later ones of M.
Matrix semidefinite_factor(const Matrix& M);

// Matrix-vector products in pairs, the matrix read once for both: they are bound by memory, so a pair costs what one
// product costs (bench/core prints the ratio). M: [rows, columns].

/// Mx = M x and Mtx = Mᵀ x for a square M.
void multiply_both_ways(ConstMatrixRef M, ConstVectorRef x, VectorRef Mx, VectorRef Mtx);

/// The adjoint of multiply_both_ways: result = Mᵀ u + M v.
void multiply_both_ways_adjoint(ConstMatrixRef M, ConstVectorRef u, ConstVectorRef v, VectorRef result);

/// Mu = M u and Mv = M v.
void multiply_pair(ConstMatrixRef M, ConstVectorRef u, ConstVectorRef v, VectorRef Mu, VectorRef Mv);

/// Mtu = Mᵀ u and Mtv = Mᵀ v.
void multiply_pair_transposed(ConstMatrixRef M, ConstVectorRef u, ConstVectorRef v, VectorRef Mtu, VectorRef Mtv);

}  // namespace wordsway
