#include "wordsway/model/products/packed_weights.h"

#include <algorithm>
#include <array>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/model/products/tile.h"

namespace wordsway {
namespace products {
namespace {

constexpr Index kTextRows = 512;   // packed at a time; longer texts read the weights once more for each block
constexpr Index kPackedRows = 64;  // by one thread
constexpr Index kBlocks = 16;      // at least, to share out, where there are as many panels

using Addend = std::array<float, kPanel>;  // to every row of a panel

template <int R, int V>
void multiply_tile(const float* group, const float* panel, Index depth, const float* addend, float* to, Index stride,
                   Index columns) {
  Tile<R, V> tile;
#pragma GCC unroll 4
  for (Index p = 0; p < depth; ++p, group += kRows, panel += V * kLanes)
    tile.add([&](int r) { return group[r]; }, panel);
  tile.add_row(addend);  // last: a large bias at the start would cost every product its low digits
  put(tile, {1, 0}, to, stride, columns);
}

// C = groups·(panel j) + addend.  A panel is used for the whole text before the next: weights come from memory once,
// the text from the caches.
void multiply_panel(const float* groups, const Panels& panels, Index j, const Addend& addend, MatrixFRef C) {
  with_vectors(panels.width(j), [&](auto vectors) {
    for_groups(C.rows(), [&](Index row, auto rows) {
      // The last rows stand in one group, of which for_groups asks for parts.
      const float* group = groups + row / kRows * kRows * panels.depth + row % kRows;
      multiply_tile<rows, vectors>(group, panels.panel(j), panels.depth, addend.data(),
                                   C.data() + row * C.outerStride(), C.outerStride(), panels.used(j));
    });
  });
}

// The panel of W, [out, in], that belongs to the inputs from `input` on: pieces of the panels of Wᵀ, turned.
Panels turned_panel(const Panels& weights, Index input, Index columns, float* to) {
  const Panels result{to, weights.columns, columns};
  for (Index j = 0; j < weights.count(); ++j) {
    const float* from = weights.panel(j) + input * weights.width(j);
    transpose(from, weights.width(j), columns, weights.used(j), to + j * kPanel * result.width(0), result.width(0));
  }
  fill_up(result, to);
  return result;
}

// For every panel of the result: body(the text in groups, the number of the panel, its columns of C). The text, A, is
// packed first, then threads share out the panels, a few at a time; the epilogue sees those together.
template <typename Body>
void for_panels(ConstMatrixFRef A, MatrixFRef C, const Epilogue& epilogue, const Body& body) {
  const double work = static_cast<double>(C.size()) * static_cast<double>(A.cols());
  const Blocks texts{A.rows(), kTextRows}, panels{C.cols(), kPanel};
  const Blocks blocks{panels.count(), std::max<Index>(1, panels.count() / kBlocks)};
  for (Index i = 0; i < texts.count(); ++i) {
    const auto text = A.middleRows(texts.begin(i), texts.length(i));
    auto result = C.middleRows(texts.begin(i), texts.length(i));
    float* groups = scratch(0, groups_size(text.rows(), text.cols()));
    const Blocks pieces{text.rows(), kPackedRows};
    parallel_if(work >= kWorthAThread, pieces.count(), [&](Index piece) {
      const Index row = pieces.begin(piece);
      pack_groups(text.middleRows(row, pieces.length(piece)), groups + row * text.cols());
    });
    parallel_if(work >= kWorthAThread, blocks.count(), [&](Index block) {
      const Index first = blocks.begin(block), end = first + blocks.length(block), column = panels.begin(first);
      for (Index j = first; j < end; ++j) body(groups, j, result.middleCols(panels.begin(j), panels.length(j)));
      const Index columns = std::min(end * kPanel, C.cols()) - column;
      if (epilogue) epilogue(result.middleCols(column, columns), texts.begin(i), column);
    });
  }
}

}  // namespace
}  // namespace products

PackedWeights::PackedWeights(ConstMatrixFRef W)
    : inputs_(W.cols()), outputs_(W.rows()), values_(products::panels_size(W.cols(), W.rows())) {
  products::pack_transposed(W, values_.data());
}

MatrixF PackedWeights::rows(Index begin, Index count) const {
  MatrixF result(count, inputs_);
  for (Index row = 0; row < count; ++row) {
    const Index j = (begin + row) / products::kPanel, c = (begin + row) % products::kPanel;
    for (Index p = 0; p < inputs_; ++p) result(row, p) = panels().panel(j)[p * panels().width(j) + c];
  }
  return result;
}

void PackedWeights::forward(ConstMatrixFRef x, const RowF& bias, MatrixFRef y, const Epilogue& epilogue) const {
  ensure(x.cols() == inputs_ && (bias.size() == outputs_ || bias.size() == 0) && y.rows() == x.rows() &&
             y.cols() == outputs_,
         "shapes of x·Wᵀ + b fit");
  products::for_panels(x, y, epilogue, [&](const float* groups, Index j, MatrixFRef block) {
    products::Addend addend{};
    if (bias.size() > 0) std::copy_n(bias.data() + j * products::kPanel, block.cols(), addend.data());
    products::multiply_panel(groups, panels(), j, addend, block);
  });
}

void PackedWeights::vjp(ConstMatrixFRef y_cotangent, MatrixFRef x_cotangent, const Epilogue& epilogue) const {
  ensure(y_cotangent.cols() == outputs_ && x_cotangent.rows() == y_cotangent.rows() && x_cotangent.cols() == inputs_,
         "shapes of y·W fit");
  products::for_panels(y_cotangent, x_cotangent, epilogue, [&](const float* groups, Index j, MatrixFRef block) {
    float* buffer = products::scratch(1, products::panels_size(outputs_, block.cols()));
    const products::Panels panel = products::turned_panel(panels(), j * products::kPanel, block.cols(), buffer);
    products::multiply_panel(groups, panel, 0, {}, block);
  });
}

}  // namespace wordsway
