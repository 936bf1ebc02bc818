#include "wordsway/model/tiles.h"

#include <array>
#include <cstring>

namespace wordsway::tiles {
namespace {

using Lanes __attribute__((vector_size(kLanes * sizeof(float)))) = float;
using Four __attribute__((vector_size(16))) = float;
using FourIndices __attribute__((vector_size(16))) = int;

template <typename Vector>
inline Vector load(const float* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

template <typename Vector>
inline void store(float* to, Vector v) {
  std::memcpy(to, &v, sizeof v);
}

template <int R, int V>
struct Tile {
  Lanes sum[R][V];
};

constexpr Index kLine = 64 / sizeof(float);

template <int R, int V>
inline void add_products(Tile<R, V>& tile, const float* const (&rows)[R], Index p, const float* panel) {
  Lanes b[V];
  for (int v = 0; v < V; ++v) b[v] = load<Lanes>(panel + v * kLanes);
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v) tile.sum[r][v] += rows[r][p] * b[v];
}

// The rows of the narrow operand each have their own pointer, so that an address is a pointer and one common offset.
// The rows after them are asked for in time: they come from far away, and eight streams are too many for the processor
// to foresee.
template <int R, int V>
inline Tile<R, V> run_along_rows(const Narrow& narrow, const float* panel, Index depth) {
  Tile<R, V> tile{};
  const float* rows[R];
  for (int r = 0; r < R; ++r) rows[r] = narrow.data + r * narrow.row;
  Index p = 0;
  for (; p + kLine <= depth; p += kLine) {
    for (int r = 0; r < R; ++r) __builtin_prefetch(rows[r] + R * narrow.row + p, 0, 2);
    for (Index q = p; q < p + kLine; ++q, panel += V * kLanes) add_products(tile, rows, q, panel);
  }
  for (; p < depth; ++p, panel += V * kLanes) add_products(tile, rows, p, panel);
  return tile;
}

// Rows next to each other in memory: the narrow operand is a transposed matrix.
template <int R, int V>
inline Tile<R, V> run_across_rows(const Narrow& narrow, const float* panel, Index depth) {
  Tile<R, V> tile{};
  const float* column = narrow.data;
  for (Index p = 0; p < depth; ++p, panel += V * kLanes, column += narrow.depth) {
    Lanes b[V];
    for (int v = 0; v < V; ++v) b[v] = load<Lanes>(panel + v * kLanes);
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < V; ++v) tile.sum[r][v] += column[r] * b[v];
  }
  return tile;
}

template <int R, int V>
inline Tile<R, V> run(const Narrow& narrow, const float* panel, Index depth) {
  return narrow.depth == 1 ? run_along_rows<R, V>(narrow, panel, depth) : run_across_rows<R, V>(narrow, panel, depth);
}

// from: four rows `from_row` apart, to: their transpose, rows `to_row` apart.
inline void transpose_four(const float* from, Index from_row, float* to, Index to_row) {
  const Four a = load<Four>(from), b = load<Four>(from + from_row);
  const Four c = load<Four>(from + 2 * from_row), d = load<Four>(from + 3 * from_row);
  const auto pick = [](Four x, Four y, FourIndices which) { return __builtin_shuffle(x, y, which); };
  const Four ab_low = pick(a, b, FourIndices{0, 4, 1, 5}), ab_high = pick(a, b, FourIndices{2, 6, 3, 7});
  const Four cd_low = pick(c, d, FourIndices{0, 4, 1, 5}), cd_high = pick(c, d, FourIndices{2, 6, 3, 7});
  store(to, pick(ab_low, cd_low, FourIndices{0, 1, 4, 5}));
  store(to + to_row, pick(ab_low, cd_low, FourIndices{2, 3, 6, 7}));
  store(to + 2 * to_row, pick(ab_high, cd_high, FourIndices{0, 1, 4, 5}));
  store(to + 3 * to_row, pick(ab_high, cd_high, FourIndices{2, 3, 6, 7}));
}

template <int V>
inline void blend_row(const Lanes (&sum)[V], Blend blend, float* to, Index columns) {
  if (columns == V * kLanes) {
    for (int v = 0; v < V; ++v) {
      Lanes result = blend.alpha * sum[v];
      if (blend.beta != 0) result += blend.beta * load<Lanes>(to + v * kLanes);
      store(to + v * kLanes, result);
    }
    return;
  }
  std::array<float, V * kLanes> row;
  std::memcpy(row.data(), sum, sizeof row);
  for (Index c = 0; c < columns; ++c)
    to[c] = blend.alpha * row[static_cast<size_t>(c)] + (blend.beta != 0 ? blend.beta * to[c] : 0.f);
}

template <int R, int V>
void put(const Tile<R, V>& tile, Blend blend, float* to, Index stride, Index columns) {
  for (int r = 0; r < R; ++r) blend_row<V>(tile.sum[r], blend, to + r * stride, columns);
}

// The tile's columns are rows of C. Turned in memory first, then blended four columns of C at a time.
template <int R, int V>
void put_transposed(const Tile<R, V>& tile, Blend blend, float* to, Index stride, Index columns) {
  alignas(64) std::array<float, R * V * kLanes> rows, turned;
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v) store(rows.data() + (r * V + v) * kLanes, blend.alpha * tile.sum[r][v]);
  if constexpr (R % 4 == 0) {
    for (Index c = 0; c < columns; c += 4)
      for (int r = 0; r < R; r += 4)
        transpose_four(rows.data() + r * V * kLanes + c, V * kLanes, turned.data() + c * R + r, R);
  } else {
    for (Index c = 0; c < columns; ++c)
      for (int r = 0; r < R; ++r)
        turned[static_cast<size_t>(c * R + r)] = rows[static_cast<size_t>(r * V * kLanes + c)];
  }
  for (Index c = 0; c < columns; ++c) {
    float* row = to + c * stride;
    const float* from = turned.data() + c * R;
    if (blend.beta == 0) {
      std::memcpy(row, from, R * sizeof(float));
    } else {
      for (int r = 0; r < R; ++r) row[r] = from[r] + blend.beta * row[r];
    }
  }
}

struct Plain {
  template <int R, int V>
  static void put_tile(const Tile<R, V>& tile, Blend blend, MatrixFRef C, Index row, Index column, Index columns) {
    put(tile, blend, C.data() + row * C.outerStride() + column, C.outerStride(), columns);
  }
};

struct Transposed {
  template <int R, int V>
  static void put_tile(const Tile<R, V>& tile, Blend blend, MatrixFRef C, Index row, Index column, Index columns) {
    put_transposed(tile, blend, C.data() + column * C.outerStride() + row, C.outerStride(), columns);
  }
};

template <typename Order, int R>
void group(const Narrow& narrow, Index row, const Panels& panels, Index j, Blend blend, MatrixFRef C) {
  const Narrow at{narrow.data + row * narrow.row, narrow.row, narrow.depth};
  const Index column = j * kPanel, columns = panels.used(j);
  const float* panel = panels.panel(j);
  switch (panels.width(j) / kLanes) {
    case 1:
      return Order::put_tile(run<R, 1>(at, panel, panels.depth), blend, C, row, column, columns);
    case 2:
      return Order::put_tile(run<R, 2>(at, panel, panels.depth), blend, C, row, column, columns);
    default:
      return Order::put_tile(run<R, kVectors>(at, panel, panels.depth), blend, C, row, column, columns);
  }
}

// Rows beyond the last full group go by halves: 8, 4, 2, 1.
template <typename Order, int R>
void rest(const Narrow& narrow, Index row, Index rows, const Panels& panels, Index j, Blend blend, MatrixFRef C) {
  for (; row + R <= rows; row += R) group<Order, R>(narrow, row, panels, j, blend, C);
  if constexpr (R > 1) {
    if (row < rows) rest<Order, R / 2>(narrow, row, rows, panels, j, blend, C);
  }
}

void zero_columns(float* panel, Index depth, Index width, Index from) {
  for (Index p = 0; p < depth; ++p)
    for (Index c = from; c < width; ++c) panel[p * width + c] = 0;
}

}  // namespace

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
  const Index stride = Bt.outerStride();
  for (Index j = 0; j < panels.count(); ++j) {
    const Index width = panels.width(j), used = panels.used(j), fours = used / 4 * 4, depth = panels.depth / 4 * 4;
    float* panel = to + j * kPanel * panels.depth;
    const float* rows = Bt.data() + j * kPanel * stride;
    for (Index c = 0; c < fours; c += 4)
      for (Index p = 0; p < depth; p += 4) transpose_four(rows + c * stride + p, stride, panel + p * width + c, width);
    for (Index c = 0; c < used; ++c)
      for (Index p = c < fours ? depth : 0; p < panels.depth; ++p) panel[p * width + c] = rows[c * stride + p];
    if (used < width) zero_columns(panel, panels.depth, width, used);
  }
  return panels;
}

// A panel is small enough for the nearest cache and used for all rows before the next.
void multiply(const Narrow& narrow, Index rows, const Panels& panels, Blend blend, MatrixFRef C) {
  for (Index j = 0; j < panels.count(); ++j) rest<Plain, kRows>(narrow, 0, rows, panels, j, blend, C);
}

// Here the narrow operand is the large one: each group of its rows is used for all panels before the next.
void multiply_into_transposed(const Narrow& narrow, Index rows, const Panels& panels, Blend blend, MatrixFRef C) {
  const Index full = rows / kRows * kRows;
  for (Index row = 0; row < full; row += kRows)
    for (Index j = 0; j < panels.count(); ++j) group<Transposed, kRows>(narrow, row, panels, j, blend, C);
  for (Index j = 0; j < panels.count(); ++j) rest<Transposed, kRows>(narrow, full, rows, panels, j, blend, C);
}

float* scratch(int which, Index size) {
  thread_local std::array<RowF, 2> kept;
  RowF& buffer = kept[static_cast<size_t>(which)];
  if (buffer.size() < size) buffer.resize(size);
  return buffer.data();
}

}  // namespace wordsway::tiles
