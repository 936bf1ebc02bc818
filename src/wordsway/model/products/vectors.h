// The few vector operations that products need, on GCC's vector types; clang has them too.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "wordsway/io/half_float.h"
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

// How weights are stored, and how a vector of them becomes floats. All three are exact.

struct F32 {
  using Value = float;
  static Lanes widen(const Value* from) { return load<Lanes>(from); }
  static float widen_one(Value value) { return value; }
};

struct Bf16 {
  using Value = std::uint16_t;
  static Lanes widen(const Value* from) {
    using Bits __attribute__((vector_size(kLanes * sizeof(std::uint16_t)))) = std::uint16_t;
    using WideBits __attribute__((vector_size(kLanes * sizeof(std::uint32_t)))) = std::uint32_t;
    Bits bits;
    std::memcpy(&bits, from, sizeof bits);
    return reinterpret_cast<Lanes>(__builtin_convertvector(bits, WideBits) << 16);
  }
  static float widen_one(Value value) { return float_from_bf16(value); }
};

struct F16 {
  using Value = std::uint16_t;
  static Lanes widen(const Value* from) {
#if defined(__AVX512F__)
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
#elif defined(__F16C__) && defined(__AVX__)
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
#else
    Lanes lanes;
    for (Index lane = 0; lane < kLanes; ++lane) lanes[lane] = float_from_f16(from[lane]);
    return lanes;
#endif
  }
  static float widen_one(Value value) {
    return float_from_f16(value);
  }
};

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
