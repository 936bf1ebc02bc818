// Cholesky factors of matrices that may be singular.
#pragma once

#include "wordsway/core/matrix.h"

namespace wordsway {

/// C with C Cᵀ = M to rounding: lower triangular, zero above its diagonal. M: [N, N] positive semidefinite, of which
/// the lower triangle is read. Where a row depends on those before it, the diagonal entry and the column below it are
/// 0. The first rows of C do not depend on the later ones of M.
Matrix semidefinite_factor(const Matrix& M);

}  // namespace wordsway
