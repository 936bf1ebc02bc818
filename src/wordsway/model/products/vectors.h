// The few vector operations that products need, on GCC's vector types; clang has them too.
#pragma once

#include <cstring>

#include "wordsway/model/products/panels.h"

namespace wordsway::products {

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

/// from: four rows `from_row` apart, to: their transpose, rows `to_row` apart.
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

}  // namespace wordsway::products
