// The condition number of a symmetric positive definite matrix from its extreme eigenvalues, by Lanczos iterations with
// full reorthogonalisation (Golub & Van Loan, chapter 10): on K for the largest, on K⁻¹ for the smallest.
#pragma once

#include <functional>

#include "wordsway/core/matrix.h"

namespace wordsway {

/// y = A x for a symmetric A: [size, size].
using SymmetricOperator = std::function<Vector(const Vector& x)>;

/// The largest eigenvalue of A, to about 1e-10 relative where A has a positive one that dominates. Deterministic.
double largest_eigenvalue(Index size, const SymmetricOperator& A);

}  // namespace wordsway
