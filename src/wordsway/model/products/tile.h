// The inner loop of float32 products: a tile of the result, [R, V·kLanes], stays in registers while its depth is run
// through.
#pragma once

#include <array>
#include <type_traits>

#include "wordsway/model/products/vectors.h"

namespace wordsway::products {

template <int R, int V>
struct Tile {
  // Not `sum{}`: GCC 12 would clear the tile in memory, by a call, and read it back.
  Tile() {
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < V; ++v) sum[r][v] = Lanes{};
  }

  /// Adds one step of the depth: narrow(r) times a row of the panel.
  template <typename Stored = F32, typename NarrowOperand>
  [[gnu::always_inline]] void add(const NarrowOperand& narrow, const typename Stored::Value* panel) {
    Lanes b[V];
    for (int v = 0; v < V; ++v) b[v] = Stored::widen(panel + v * kLanes);
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < V; ++v) sum[r][v] += narrow(r) * b[v];
  }

  /// Adds `row` to every row.
  void add_row(const float* row) {
    for (int v = 0; v < V; ++v) {
      const Lanes addend = load<Lanes>(row + v * kLanes);
      for (int r = 0; r < R; ++r) sum[r][v] += addend;
    }
  }

  Lanes sum[R][V];
};

/// How a finished tile enters the result: C = alpha·tile + beta·C. With beta = 0, C is not read.
struct Blend {
  float alpha;
  float beta;
};

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

/// Rows of the tile into rows of the result, `stride` apart.
template <int R, int V>
[[gnu::always_inline]] inline void put(const Tile<R, V>& tile, Blend blend, float* to, Index stride, Index columns) {
  for (int r = 0; r < R; ++r) blend_row<V>(tile.sum[r], blend, to + r * stride, columns);
}

/// Calls body with V, the number of vectors of a panel, as a type.
template <typename Body>
void with_vectors(Index width, const Body& body) {
  switch (width / kLanes) {
    case 1:
      return body(std::integral_constant<int, 1>{});
    case 2:
      return body(std::integral_constant<int, 2>{});
    default:
      return body(std::integral_constant<int, kVectors>{});
  }
}

/// Calls body(row, R) for groups of kRows of `rows` rows, then for the rest by halves: 4, 2, 1.
template <int R = static_cast<int>(kRows), typename Body>
void for_groups(Index rows, const Body& body, Index row = 0) {
  for (; row + R <= rows; row += R) body(row, std::integral_constant<int, R>{});
  if constexpr (R > 1) {
    if (row < rows) for_groups<R / 2>(rows, body, row);
  }
}

}  // namespace wordsway::products
