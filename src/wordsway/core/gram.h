// Products M Mᵀ of tall and wide matrices, in parallel, with the same bits for any number of threads.
#pragma once

#include "wordsway/core/matrix.h"

namespace wordsway {

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

}  // namespace wordsway
