// Products of float32 matrices that are both read where they lie. For weights: products/packed_weights.h.
// Why not a library: docs/decisions/0007-float-products.md.
#pragma once

#include "wordsway/core/matrix.h"

namespace wordsway {

enum class Transpose { kPlain, kTransposed };

/// C = alpha·op(A)·op(B) + beta·C on the calling thread, op(M) = Mᵀ where asked for.
/// For products inside a block of somebody else's partition, such as one head of attention. With beta = 0, C is not
/// read.
void gemm_on_this_thread(Transpose op_a, Transpose op_b, float alpha, ConstMatrixFRef A, ConstMatrixFRef B, float beta,
                         MatrixFRef C);

}  // namespace wordsway
