#include "wordsway/model/gemm.h"

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/model/tiles.h"

namespace wordsway {
namespace {

// Below this many multiplications, waking a thread costs more than it saves.
constexpr double kWorthAThread = 1 << 20;

constexpr Index kRowBlock = 288;  // packed rows of a linear layer's input: 0.9 MB at the depth below, in the L2 cache
constexpr Index kLayerDepth = 768;
constexpr Index kDepth = 256;  // of a panel that is used for many rows: 48 KB

// Enough blocks to share out, wide enough to be worth their overhead.
Blocks column_blocks(Index n) {
  return {n, n >= 1536 ? 384 : n >= 768 ? 192 : 96};
}

void share_out(Index count, double work, const std::function<void(Index)>& body) {
  if (work >= kWorthAThread) return parallel_for(count, body);
  for (Index item = 0; item < count; ++item) body(item);
}

double work_of(const MatrixFRef& C, Index depth) {
  return static_cast<double>(C.size()) * static_cast<double>(depth);
}

// C += or = A·Bᵀ for one slice of the depth, where A's slice is packed already.
void multiply_slice(const tiles::Panels& packed, ConstMatrixFRef B, Index begin, MatrixFRef C) {
  const tiles::Narrow narrow{B.data() + begin, B.outerStride(), 1};
  tiles::multiply_into_transposed(narrow, B.rows(), packed, {1, begin == 0 ? 0.f : 1.f}, C);
}

}  // namespace

// The rows of A are packed, a block of them at a time; threads share out the rows of B, which stay as they are.
void multiply_transposed(ConstMatrixFRef A, ConstMatrixFRef B, MatrixFRef C, const Epilogue& epilogue) {
  ensure(A.cols() == B.cols() && C.rows() == A.rows() && C.cols() == B.rows(), "shapes of A·Bᵀ fit");
  const Blocks rows{C.rows(), kRowBlock}, columns = column_blocks(C.cols()), slices{A.cols(), kLayerDepth};
  for (Index i = 0; i < rows.count(); ++i) {
    const Index begin = rows.begin(i), m = rows.length(i);
    float* buffer = tiles::scratch(0, tiles::panels_size(A.cols(), m));
    std::vector<tiles::Panels> packed(static_cast<size_t>(slices.count()));
    const double work = work_of(C, A.cols());
    share_out(slices.count(), work, [&](Index s) {
      float* to = buffer + tiles::panels_size(slices.begin(s), m);
      packed[static_cast<size_t>(s)] = tiles::pack_transposed(A.block(begin, slices.begin(s), m, slices.length(s)), to);
    });
    share_out(columns.count(), work, [&](Index j) {
      auto block = C.block(begin, columns.begin(j), m, columns.length(j));
      for (Index s = 0; s < slices.count(); ++s)
        multiply_slice(packed[static_cast<size_t>(s)], B.middleRows(columns.begin(j), columns.length(j)),
                       slices.begin(s), block);
      if (epilogue) epilogue(block, begin, columns.begin(j));
    });
  }
}

void multiply(ConstMatrixFRef A, ConstMatrixFRef B, MatrixFRef C, const Epilogue& epilogue) {
  ensure(A.cols() == B.rows() && C.rows() == A.rows() && C.cols() == B.cols(), "shapes of A·B fit");
  const Blocks columns = column_blocks(C.cols());
  share_out(columns.count(), work_of(C, A.cols()), [&](Index j) {
    const Index begin = columns.begin(j), n = columns.length(j);
    auto block = C.middleCols(begin, n);
    gemm_on_this_thread(Op::kPlain, Op::kPlain, 1, A, B.middleCols(begin, n), 0, block);
    if (epilogue) epilogue(block, 0, begin);
  });
}

void gemm_on_this_thread(Op op_a, Op op_b, float alpha, ConstMatrixFRef A, ConstMatrixFRef B, float beta,
                         MatrixFRef C) {
  if (C.size() == 0) return;
  const bool a_plain = op_a == Op::kPlain, b_plain = op_b == Op::kPlain;
  const Index depth = a_plain ? A.cols() : A.rows();
  const Blocks slices{depth, kDepth};
  for (Index s = 0; s < slices.count(); ++s) {
    const Index begin = slices.begin(s), length = slices.length(s);
    float* buffer = tiles::scratch(1, tiles::panels_size(length, C.cols()));
    const tiles::Panels panels = b_plain ? tiles::pack(B.middleRows(begin, length), buffer)
                                         : tiles::pack_transposed(B.middleCols(begin, length), buffer);
    const tiles::Narrow narrow = a_plain ? tiles::Narrow{A.data() + begin, A.outerStride(), 1}
                                         : tiles::Narrow{A.data() + begin * A.outerStride(), 1, A.outerStride()};
    tiles::multiply(narrow, C.rows(), panels, {alpha, s == 0 ? beta : 1.f}, C);
  }
}

}  // namespace wordsway
