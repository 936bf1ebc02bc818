// The one seam for large float32 products of the model engine.
//
// A product is cut into blocks of the result whose sizes depend on its shape alone; threads pick blocks up
// (core/parallel.h), each computed on one thread by model/tiles.h. So any number of threads gives the same bits. Why
// not a library: docs/decisions/0007-float-products.md.
#pragma once

#include <functional>

#include "wordsway/model/float_matrix.h"

namespace wordsway {

/// Called for every finished block of a product, while it is still in cache: the block of C, which it may change, and
/// its first row and column. Blocks do not overlap and run at the same time.
using Epilogue = std::function<void(MatrixFRef block, Index row, Index column)>;

/// C = A·Bᵀ.  A: [m, k], B: [n, k], C: [m, n].
void multiply_transposed(ConstMatrixFRef A, ConstMatrixFRef B, MatrixFRef C, const Epilogue& epilogue = {});

/// C = A·B.  A: [m, k], B: [k, n], C: [m, n].
void multiply(ConstMatrixFRef A, ConstMatrixFRef B, MatrixFRef C, const Epilogue& epilogue = {});

/// C = alpha·op(A)·op(B) + beta·C on the calling thread, op(M) = Mᵀ where asked for.
/// For products inside a block of somebody else's partition, such as one head of attention. With beta = 0, C is not
/// read.
enum class Op { kPlain, kTransposed };
void gemm_on_this_thread(Op op_a, Op op_b, float alpha, ConstMatrixFRef A, ConstMatrixFRef B, float beta, MatrixFRef C);

}  // namespace wordsway
