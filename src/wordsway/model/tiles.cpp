#include "wordsway/model/tiles.h"

#include <array>
#include <cstring>

namespace wordsway::tiles {
namespace {

using Lanes __attribute__((vector_size(kLanes * sizeof(float)))) = float;
using Four __attribute__((vector_size(16))) = float;

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
  // Not `sum{}`: GCC 12 would clear the tile in memory, by a call, and read it back.
  Tile() {
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < V; ++v) sum[r][v] = Lanes{};
  }
  Lanes sum[R][V];
};

constexpr Index kLine = 64 / sizeof(float);
constexpr Index kTogether = 12 * kRows;  // rows whose tiles are turned into one buffer before they go into C

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
  Tile<R, V> tile;
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
  Tile<R, V> tile;
  const float* column = narrow.data;
  for (Index p = 0; p < depth; ++p, panel += V * kLanes, column += narrow.depth) {
    Lanes b[V];
    for (int v = 0; v < V; ++v) b[v] = load<Lanes>(panel + v * kLanes);
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < V; ++v) tile.sum[r][v] += column[r] * b[v];
  }
  return tile;
}

// from: four rows `from_row` apart, to: their transpose, rows `to_row` apart.
inline void transpose_four(const float* from, Index from_row, float* to, Index to_row) {
  const Four a = load<Four>(from), b = load<Four>(from + from_row);
  const Four c = load<Four>(from + 2 * from_row), d = load<Four>(from + 3 * from_row);
  const Four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Four cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  store(to, __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5));
  store(to + to_row, __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7));
  store(to + 2 * to_row, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
  store(to + 3 * to_row, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
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
[[gnu::always_inline]] inline void put(const Tile<R, V>& tile, Blend blend, float* to, Index stride, Index columns) {
  for (int r = 0; r < R; ++r) blend_row<V>(tile.sum[r], blend, to + r * stride, columns);
}

// One row of the turned tile into a row of C.
template <typename Vector>
inline void blend_turned(Vector from, float beta, float* to) {
  store(to, beta == 0 ? from : from + beta * load<Vector>(to));
}

#if defined(__AVX512F__)
using Eight __attribute__((vector_size(32))) = float;

// Eight rows of sixteen become sixteen rows of eight, in registers: pairs of rows are interleaved, then pairs of pairs,
// so that each quarter of a vector is four rows of one column; a column is a quarter of the upper four rows and one of
// the lower four.
inline void turn(const Lanes (&row)[8], Eight (&column)[16]) {
  Lanes pairs[8], fours[8];
  for (int r = 0; r < 8; r += 2) {
    pairs[r] = __builtin_shufflevector(row[r], row[r + 1], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    pairs[r + 1] =
        __builtin_shufflevector(row[r], row[r + 1], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
  }
  for (int half = 0; half < 8; half += 4)
    for (int k = 0; k < 2; ++k) {
      const Lanes a = pairs[half + k], b = pairs[half + k + 2];
      fours[half + 2 * k] = __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
      fours[half + 2 * k + 1] =
          __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    }
  for (int k = 0; k < 4; ++k) {
    const Lanes a = fours[k], b = fours[k + 4];
    column[k] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 16, 17, 18, 19);
    column[k + 4] = __builtin_shufflevector(a, b, 4, 5, 6, 7, 20, 21, 22, 23);
    column[k + 8] = __builtin_shufflevector(a, b, 8, 9, 10, 11, 24, 25, 26, 27);
    column[k + 12] = __builtin_shufflevector(a, b, 12, 13, 14, 15, 28, 29, 30, 31);
  }
}

template <int V>
[[gnu::always_inline]] inline void put_eight_turned(const Tile<8, V>& tile, Blend blend, float* to, Index stride,
                                                    Index columns) {
  for (int v = 0; v < V; ++v) {
    Lanes rows[8];
    Eight turned[16];
    for (int r = 0; r < 8; ++r) rows[r] = blend.alpha * tile.sum[r][v];
    turn(rows, turned);
    if (columns >= (v + 1) * kLanes) {
      for (int c = 0; c < 16; ++c) blend_turned(turned[c], blend.beta, to + (v * kLanes + c) * stride);
    } else {
      for (Index c = 0; c < columns - v * kLanes; ++c)
        blend_turned(turned[c], blend.beta, to + (v * kLanes + c) * stride);
    }
  }
}
#endif

// The tile's columns are rows of C. Turned in memory first, four columns of C at a time, then blended.
template <int R, int V>
void put_turned(const Tile<R, V>& tile, Blend blend, float* to, Index stride, Index columns) {
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
  for (Index c = 0; c < columns; ++c)
    for (int r = 0; r < R; ++r) blend_turned(turned[static_cast<size_t>(c * R + r)], blend.beta, to + c * stride + r);
}

template <int R, int V>
[[gnu::always_inline]] inline void put_transposed(const Tile<R, V>& tile, Blend blend, float* to, Index stride,
                                                  Index columns) {
#if defined(__AVX512F__)
  if constexpr (R == 8) return put_eight_turned(tile, blend, to, stride, columns);
#endif
  put_turned(tile, blend, to, stride, columns);
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

// Each tile is put away in the branch that computed it: where two branches hand it on, GCC 12 keeps it in memory.
template <typename Order, int R, int V>
void one_tile(const Narrow& narrow, Index row, const Panels& panels, Index j, Blend blend, MatrixFRef C) {
  const Narrow at{narrow.data + row * narrow.row, narrow.row, narrow.depth};
  const Index column = j * kPanel, columns = panels.used(j);
  const float* panel = panels.panel(j);
  if (narrow.depth == 1) {
    Order::put_tile(run_along_rows<R, V>(at, panel, panels.depth), blend, C, row, column, columns);
  } else {
    Order::put_tile(run_across_rows<R, V>(at, panel, panels.depth), blend, C, row, column, columns);
  }
}

template <typename Order, int R>
void group(const Narrow& narrow, Index row, const Panels& panels, Index j, Blend blend, MatrixFRef C) {
  switch (panels.width(j) / kLanes) {
    case 1:
      return one_tile<Order, R, 1>(narrow, row, panels, j, blend, C);
    case 2:
      return one_tile<Order, R, 2>(narrow, row, panels, j, blend, C);
    default:
      return one_tile<Order, R, kVectors>(narrow, row, panels, j, blend, C);
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
    // One cache line of each row at a time, so that the lines of the panel that it goes to are filled while they are
    // near.
    for (Index line = 0; line < depth; line += kLine)
      for (Index c = 0; c < fours; c += 4)
        for (Index p = line; p < std::min(depth, line + kLine); p += 4)
          transpose_four(rows + c * stride + p, stride, panel + p * width + c, width);
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

// Here the narrow operand is the large one: a few groups of its rows are used for all panels before the next. Rows of C
// lie pages apart, so their tiles are gathered first, and enter C by pieces of rows that fill whole cache lines.
void multiply_into_transposed(const Narrow& narrow, Index rows, const Panels& panels, Blend blend, MatrixFRef C) {
  const Index full = rows / kRows * kRows;
  alignas(64) std::array<float, kPanel * kTogether> gathered;
  for (Index first = 0; first < full; first += kTogether) {
    const Index together = std::min(kTogether, full - first);
    const Narrow at{narrow.data + first * narrow.row, narrow.row, narrow.depth};
    for (Index j = 0; j < panels.count(); ++j) {
      const Panels one{panels.panel(j), panels.depth, panels.used(j)};
      Eigen::Map<MatrixF> turned(gathered.data(), one.columns, together);
      for (Index row = 0; row < together; row += kRows)
        group<Transposed, kRows>(at, row, one, 0, {blend.alpha, 0}, turned);
      auto block = C.block(j * kPanel, first, one.columns, together);
      if (blend.beta == 0) {
        block = turned;
      } else {
        block = turned + blend.beta * block;
      }
    }
  }
  for (Index j = 0; j < panels.count(); ++j) rest<Transposed, kRows>(narrow, full, rows, panels, j, blend, C);
}

float* scratch(int which, Index size) {
  thread_local std::array<RowF, 2> kept;
  RowF& buffer = kept[static_cast<size_t>(which)];
  if (buffer.size() < size) buffer.resize(size);
  return buffer.data();
}

}  // namespace wordsway::tiles
