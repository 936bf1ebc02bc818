#include "wordsway/model/products/panels.h"

#include <array>
#include <cstring>

#include "wordsway/model/products/vectors.h"

namespace wordsway::products {
namespace {

constexpr Index kLine = 64 / sizeof(float);

void zero_columns(float* to, Index depth, Index width, Index begin) {
  if (begin == width) return;
  for (Index p = 0; p < depth; ++p)
    for (Index c = begin; c < width; ++c) to[p * width + c] = 0;
}

}  // namespace

// By fours, one cache line of each row at a time, so that the lines that it goes to are filled while they are near.
void transpose(const float* from, Index stride, Index rows, Index depth, float* to, Index width) {
  const Index full_rows = rows / 4 * 4, full_depth = depth / 4 * 4;
  for (Index line = 0; line < full_depth; line += kLine)
    for (Index r = 0; r < full_rows; r += 4)
      for (Index p = line; p < std::min(full_depth, line + kLine); p += 4)
        transpose_four(from + r * stride + p, stride, to + p * width + r, width);
  for (Index r = 0; r < rows; ++r)
    for (Index p = r < full_rows ? full_depth : 0; p < depth; ++p) to[p * width + r] = from[r * stride + p];
}

Index panels_size(Index depth, Index columns) {
  return depth * ((columns + kLanes - 1) / kLanes * kLanes);
}

Panels pack(ConstMatrixFRef B, float* to) {
  const Panels panels{to, B.rows(), B.cols()};
  for (Index p = 0; p < panels.depth; ++p) {
    const float* row = B.data() + p * B.outerStride();
    for (Index j = 0; j < panels.count(); ++j) {
      const Index width = panels.width(j), used = panels.used(j);
      float* line = to + j * kPanel * panels.depth + p * width;
      std::memcpy(line, row + j * kPanel, static_cast<size_t>(used) * sizeof(float));
      for (Index c = used; c < width; ++c) line[c] = 0;
    }
  }
  return panels;
}

Panels pack_transposed(ConstMatrixFRef Bt, float* to) {
  const Panels panels{to, Bt.cols(), Bt.rows()};
  for (Index j = 0; j < panels.count(); ++j) {
    float* panel = to + j * kPanel * panels.depth;
    const float* rows = Bt.data() + j * kPanel * Bt.outerStride();
    transpose(rows, Bt.outerStride(), panels.used(j), panels.depth, panel, panels.width(j));
  }
  fill_up(panels, to);
  return panels;
}

void fill_up(const Panels& panels, float* to) {
  const Index last = panels.count() - 1;
  if (last >= 0) zero_columns(to + last * kPanel * panels.depth, panels.depth, panels.width(last), panels.used(last));
}

Index groups_size(Index rows, Index depth) {
  return (rows + kRows - 1) / kRows * kRows * depth;
}

void pack_groups(ConstMatrixFRef A, float* to) {
  for (Index row = 0; row < A.rows(); row += kRows, to += kRows * A.cols()) {
    const Index used = std::min(kRows, A.rows() - row);
    transpose(A.data() + row * A.outerStride(), A.outerStride(), used, A.cols(), to, kRows);
    zero_columns(to, A.cols(), kRows, used);
  }
}

float* scratch(int which, Index size) {
  thread_local std::array<RowF, 3> kept;
  RowF& buffer = kept[static_cast<size_t>(which)];
  if (buffer.size() < size) buffer.resize(size);
  return buffer.data();
}

}  // namespace wordsway::products
