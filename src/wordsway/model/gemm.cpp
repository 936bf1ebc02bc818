#include "wordsway/model/gemm.h"

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway {
namespace {

// Below this many multiplications, starting a thread costs more than it saves (about 20 µs against 10 µs of work).
constexpr double kWorthAThread = 1 << 21;

// Measured on two cores for m = 128 ... 512 and the widths of BERT and MiniLM: wide blocks reuse the packed rows of A,
// narrower ones leave enough blocks to share out.
Blocks column_blocks(Index n) {
  return {n, n >= 1536 ? 384 : 192};
}
Blocks row_blocks(Index m) {
  return {m, 256};
}

void multiply_blocks(Op op_b, ConstMatrixFRef A, ConstMatrixFRef B, MatrixFRef C, const Epilogue& epilogue) {
  const Blocks rows = row_blocks(C.rows()), columns = column_blocks(C.cols());
  const auto one_block = [&](Index item) {
    const Index i = rows.begin(item / columns.count()), m = rows.length(item / columns.count());
    const Index j = columns.begin(item % columns.count()), n = columns.length(item % columns.count());
    auto block = C.block(i, j, m, n);
    if (op_b == Op::kTransposed) {
      gemm_on_this_thread(Op::kPlain, op_b, 1, A.middleRows(i, m), B.middleRows(j, n), 0, block);
    } else {
      gemm_on_this_thread(Op::kPlain, op_b, 1, A.middleRows(i, m), B.middleCols(j, n), 0, block);
    }
    if (epilogue) epilogue(block, i, j);
  };
  const Index count = rows.count() * columns.count();
  const double work = static_cast<double>(C.size()) * static_cast<double>(A.cols());
  if (work >= kWorthAThread) {
    parallel_for(count, one_block);
  } else {
    for (Index item = 0; item < count; ++item) one_block(item);
  }
}

}  // namespace

void multiply_transposed(ConstMatrixFRef A, ConstMatrixFRef B, MatrixFRef C, const Epilogue& epilogue) {
  ensure(A.cols() == B.cols() && C.rows() == A.rows() && C.cols() == B.rows(), "shapes of A·Bᵀ fit");
  multiply_blocks(Op::kTransposed, A, B, C, epilogue);
}

void multiply(ConstMatrixFRef A, ConstMatrixFRef B, MatrixFRef C, const Epilogue& epilogue) {
  ensure(A.cols() == B.rows() && C.rows() == A.rows() && C.cols() == B.cols(), "shapes of A·B fit");
  multiply_blocks(Op::kPlain, A, B, C, epilogue);
}

}  // namespace wordsway
