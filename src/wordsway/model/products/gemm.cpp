#include "wordsway/model/products/gemm.h"

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/model/products/tile.h"

namespace wordsway {
namespace products {
namespace {

constexpr Index kDepth = 256;  // of a panel that is used for many rows: 48 KB

// The operand read number by number: element (r, p) is at data[r·row + p·depth].
struct Narrow {
  const float* data;
  Index row;
  Index depth;
};

// Rows of the narrow operand each have their own pointer, so that an address is a pointer and one common offset.
template <int R, int V>
inline Tile<R, V> run_along_rows(const Narrow& narrow, const float* panel, Index depth) {
  Tile<R, V> tile;
  const float* rows[R];
  for (int r = 0; r < R; ++r) rows[r] = narrow.data + r * narrow.row;
  for (Index p = 0; p < depth; ++p, panel += V * kLanes) tile.add([&](int r) { return rows[r][p]; }, panel);
  return tile;
}

// Rows next to each other in memory: the narrow operand is a transposed matrix.
template <int R, int V>
inline Tile<R, V> run_across_rows(const Narrow& narrow, const float* panel, Index depth) {
  Tile<R, V> tile;
  const float* column = narrow.data;
  for (Index p = 0; p < depth; ++p, panel += V * kLanes, column += narrow.depth)
    tile.add([&](int r) { return column[r]; }, panel);
  return tile;
}

// Each tile is put away in the branch that computed it: where two branches hand it on, GCC 12 keeps it in memory.
template <int R, int V>
void one_tile(const Narrow& narrow, const float* panel, Index depth, Blend blend, float* to, Index stride,
              Index columns) {
  if (narrow.depth == 1) {
    put(run_along_rows<R, V>(narrow, panel, depth), blend, to, stride, columns);
  } else {
    put(run_across_rows<R, V>(narrow, panel, depth), blend, to, stride, columns);
  }
}

// A panel is small enough for the nearest cache and used for all rows before the next.
void multiply(const Narrow& narrow, const Panels& panels, Blend blend, MatrixFRef C) {
  for (Index j = 0; j < panels.count(); ++j) {
    with_vectors(panels.width(j), [&](auto vectors) {
      for_groups(C.rows(), [&](Index row, auto rows) {
        const Narrow at{narrow.data + row * narrow.row, narrow.row, narrow.depth};
        float* to = C.data() + row * C.outerStride() + j * kPanel;
        one_tile<rows, vectors>(at, panels.panel(j), panels.depth, blend, to, C.outerStride(), panels.used(j));
      });
    });
  }
}

}  // namespace
}  // namespace products

void gemm_on_this_thread(Transpose op_a, Transpose op_b, float alpha, ConstMatrixFRef A, ConstMatrixFRef B, float beta,
                         MatrixFRef C) {
  if (C.size() == 0) return;
  const bool a_plain = op_a == Transpose::kPlain, b_plain = op_b == Transpose::kPlain;
  const Blocks slices{a_plain ? A.cols() : A.rows(), products::kDepth};
  for (Index s = 0; s < slices.count(); ++s) {
    const Index begin = slices.begin(s), length = slices.length(s);
    float* buffer = products::scratch(1, products::panels_size(length, C.cols()));
    const products::Panels panels = b_plain ? products::pack(B.middleRows(begin, length), buffer)
                                            : products::pack_transposed(B.middleCols(begin, length), buffer);
    const products::Narrow narrow = a_plain ? products::Narrow{A.data() + begin, A.outerStride(), 1}
                                            : products::Narrow{A.data() + begin * A.outerStride(), 1, A.outerStride()};
    products::multiply(narrow, panels, {alpha, s == 0 ? beta : 1.f}, C);
  }
}

}  // namespace wordsway
