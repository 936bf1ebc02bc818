#include "wordsway/model/products/strips.h"

#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "wordsway/core/error.h"
#include "wordsway/model/products/tile.h"

namespace wordsway::products {
namespace {

using Integers __attribute__((vector_size(kLanes * sizeof(std::int32_t)))) = std::int32_t;

// How blocks become floats, a vector of rows at a time. `Run` is what neighbouring values share, in registers while
// they are gone through: their scales, and where their bits are. `block` is the block of all rows, so that its byte k
// is at k * kLanes.
//
// Values in the upper halves of bytes are not shifted down: they are 16 times as large and their step is 16 times as
// small, which is exact.

// GCC 12 makes __builtin_convertvector from 8 to 32 bits one lane at a time, hence the instructions by name.
[[gnu::always_inline]] inline Integers bytes_at(const std::uint8_t* block, Index byte) {
  const std::uint8_t* from = block + byte * kLanes;
#if defined(__AVX512F__)
  return reinterpret_cast<Integers>(_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#elif defined(__AVX2__)
  return reinterpret_cast<Integers>(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
#else
  Integers result;
  for (Index lane = 0; lane < kLanes; ++lane) result[lane] = from[lane];
  return result;
#endif
}

[[gnu::always_inline]] inline Integers signed_bytes_at(const std::uint8_t* block, Index byte) {
  const std::uint8_t* from = block + byte * kLanes;
#if defined(__AVX512F__)
  return reinterpret_cast<Integers>(_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#elif defined(__AVX2__)
  return reinterpret_cast<Integers>(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
#else
  Integers result;
  for (Index lane = 0; lane < kLanes; ++lane) result[lane] = static_cast<std::int8_t>(from[lane]);
  return result;
#endif
}

[[gnu::always_inline]] inline Lanes half_at(const std::uint8_t* block, Index byte) {
  std::uint16_t halves[kLanes];
  std::memcpy(halves, block + byte * kLanes, sizeof halves);
  return F16::widen(halves);
}

[[gnu::always_inline]] inline Lanes floats(Integers integers) {
  return __builtin_convertvector(integers, Lanes);
}

template <typename Stored>
struct Plain {
  static constexpr Index kValues = 1, kRun = 1, kBytes = sizeof(typename Stored::Value);
  struct Run {
    Run(const std::uint8_t* block, Index /*run*/) { std::memcpy(values, block, sizeof values); }
    Lanes value(Index /*j*/) const { return Stored::widen(values); }
    typename Stored::Value values[kLanes];
  };
};

struct Q8 {
  static constexpr Index kValues = 32, kRun = 32, kBytes = 34;
  struct Run {
    Run(const std::uint8_t* block, Index /*run*/) : scale(half_at(block, 0)), q(block + 2 * kLanes) {}
    Lanes value(Index j) const { return scale * floats(signed_bytes_at(q, j)); }
    Lanes scale;
    const std::uint8_t* q;
  };
};

struct Half {
  explicit Half(bool upper) : unit(upper ? 16 : 1) {}
  Lanes step(Lanes scale) const { return unit == 16 ? scale * 0.0625F : scale; }
  int unit;
};

struct Q4 {
  static constexpr Index kValues = 32, kRun = 16, kBytes = 18;
  struct Run {
    Run(const std::uint8_t* block, Index run)
        : half(run % 2 == 1), step(half.step(half_at(block, 0))), q(block + 2 * kLanes) {}
    Lanes value(Index j) const { return step * floats((bytes_at(q, j) & 15 * half.unit) - 8 * half.unit); }
    Half half;
    Lanes step;
    const std::uint8_t* q;
  };
};

// Of 32 values of Q4_K and Q5_K. Eight scales s and t of 6 bits are in 12 bytes: RunScales of io/gguf_blocks.cpp.
struct StepAndShift {
  StepAndShift(const std::uint8_t* block, Index run) : half(run % 2 == 1) {
    const Index packed = 4 + run;
    Integers s, t;
    if (run < 4) {
      s = bytes_at(block, packed) & 63;
      t = bytes_at(block, packed + 4) & 63;
    } else {
      s = (bytes_at(block, packed + 4) & 15) | (bytes_at(block, packed - 4) >> 6 << 4);
      t = (bytes_at(block, packed + 4) >> 4) | (bytes_at(block, packed) >> 6 << 4);
    }
    step = half.step(half_at(block, 0) * floats(s));
    shift = half_at(block, 2) * floats(t);
  }
  Half half;
  Lanes step, shift;
};

struct Q4K {
  static constexpr Index kValues = 256, kRun = 32, kBytes = 144;
  struct Run : StepAndShift {
    Run(const std::uint8_t* block, Index run) : StepAndShift(block, run), q(block + (16 + run / 2 * 32) * kLanes) {}
    Lanes value(Index j) const { return step * floats(bytes_at(q, j) & 15 * half.unit) - shift; }
    const std::uint8_t* q;
  };
};

struct Q5K {
  static constexpr Index kValues = 256, kRun = 32, kBytes = 176;
  struct Run : StepAndShift {
    Run(const std::uint8_t* block, Index run)
        : StepAndShift(block, run),
          high(block + 16 * kLanes),
          q(block + (48 + run / 2 * 32) * kLanes),
          down(static_cast<int>(run % 2 == 1 ? run : run + 4)) {}
    Lanes value(Index j) const {
      const Integers upper = bytes_at(high, j) << 8 >> down & 16 * half.unit;  // bit `run` of the byte
      return step * floats((bytes_at(q, j) & 15 * half.unit) | upper) - shift;
    }
    const std::uint8_t *high, *q;
    int down;
  };
};

struct Q6K {
  static constexpr Index kValues = 256, kRun = 16, kBytes = 210;
  struct Run {
    Run(const std::uint8_t* block, Index run)
        : half(run / 4 % 2 == 1),
          step(half.step(half_at(block, 208) * floats(signed_bytes_at(block, 192 + run)))),
          low(block + (run / 8 * 64 + run % 4 * 16) * kLanes),
          high(block + (128 + run / 8 * 32 + run % 2 * 16) * kLanes),
          up(run / 2 % 2 == 1 ? 2 : 4) {}
    Lanes value(Index j) const {
      const Integers upper = bytes_at(high, j) << up & 48 * half.unit;
      return step * floats(((bytes_at(low, j) & 15 * half.unit) | upper) - 32 * half.unit);
    }
    Half half;
    Lanes step;
    const std::uint8_t *low, *high;
    int up;
  };
};

template <typename Body>
void with_blocks(std::string_view type, const Body& body) {
  if (type == "F32") return body(Plain<F32>{});
  if (type == "F16") return body(Plain<F16>{});
  if (type == "BF16") return body(Plain<Bf16>{});
  if (type == "Q8_0") return body(Q8{});
  if (type == "Q4_0") return body(Q4{});
  if (type == "Q4_K") return body(Q4K{});
  if (type == "Q5_K") return body(Q5K{});
  if (type == "Q6_K") return body(Q6K{});
  ensure(false, "strips are made of types that can be read");
}

// use(p, the values of V strips at p), for every p < depth in order.
template <typename Block, int V, typename Use>
[[gnu::always_inline]] inline void for_values(const Strip* strips, Index depth, const Use& use) {
  for (Index begin = 0, block = 0; begin < depth; begin += Block::kValues, ++block)
    for (Index run = 0; run < Block::kValues / Block::kRun; ++run) {
      const auto run_of = [&](int v) {
        return typename Block::Run(strips[v].bytes + block * Block::kBytes * kLanes, run);
      };
      const auto use_run = [&](const auto&... runs) {
        const Index first = begin + run * Block::kRun;
#pragma GCC unroll 4
        for (Index j = 0; j < Block::kRun; ++j) {
          const Lanes values[V] = {runs.value(j)...};
          use(first + j, values);
        }
      };
      if constexpr (V == 1) use_run(run_of(0));
      if constexpr (V == 2) use_run(run_of(0), run_of(1));
      if constexpr (V == 3) use_run(run_of(0), run_of(1), run_of(2));
    }
}

template <typename Block, int R, int V>
void multiply(const float* group, const Strip* strips, Index depth, const float* addend, float* to, Index stride,
              Index columns) {
  Tile<R, V> tile;
  for_values<Block, V>(
      strips, depth, [&](Index p, const Lanes(&values)[V]) __attribute__((always_inline)) {
        for (int r = 0; r < R; ++r)
          for (int v = 0; v < V; ++v) tile.sum[r][v] += group[p * kRows + r] * values[v];
      });
  tile.add_row(addend);  // last, as in products of floats
  put(tile, {1, 0}, to, stride, columns);
}

// body(how blocks are stored, V, the first of V neighbouring strips of one type), until all have had their turn.
template <typename Body>
void for_strips(std::span<const Strip> strips, const Body& body) {
  for (size_t first = 0; first < strips.size();) {
    size_t end = first + 1;
    while (end < strips.size() && strips[end].type == strips[first].type) ++end;
    with_blocks(strips[first].type->name, [&](auto block) {
      with_vectors(static_cast<Index>(end - first) * kLanes,
                   [&](auto vectors) { body(block, vectors, static_cast<Index>(first)); });
    });
    first = end;
  }
}

// Bytes of a block that stay together from byte k on, because they are one number.
size_t number_bytes(const GgufType& type, size_t k) {
  if (type.block_values == 1) return type.block_bytes;
  const bool scale = type.name == "Q6_K" ? k >= 208 : k < (type.block_values == 32 ? 2 : 4);
  return scale ? 2 : 1;
}

// body(offset in a row, bytes) for all numbers of a row; bytes is a type.
template <typename Body>
void for_numbers(const GgufType& type, size_t row_bytes, const Body& body) {
  for (size_t block = 0; block < row_bytes; block += type.block_bytes)
    for (size_t k = 0; k < type.block_bytes; k += number_bytes(type, k)) switch (number_bytes(type, k)) {
        case 1:
          body(block + k, std::integral_constant<size_t, 1>{});
          break;
        case 2:
          body(block + k, std::integral_constant<size_t, 2>{});
          break;
        default:
          body(block + k, std::integral_constant<size_t, 4>{});
      }
}

}  // namespace

void pack_strip(const GgufType& type, std::span<const std::byte> rows, size_t row_bytes, std::uint8_t* to) {
  const size_t used = rows.size() / row_bytes;
  for_numbers(type, row_bytes, [&](size_t at, auto bytes) {
    std::uint8_t* numbers = to + at * kLanes;
    for (size_t lane = 0; lane < used; ++lane)
      std::memcpy(numbers + lane * bytes, rows.data() + lane * row_bytes + at, bytes);
    std::memset(numbers + used * bytes, 0, (kLanes - used) * bytes);
  });
}

void unpack_strip_row(const Strip& strip, Index lane, std::span<float> row) {
  std::vector<std::byte> stored(row.size() / strip.type->block_values * strip.type->block_bytes);
  for_numbers(*strip.type, stored.size(), [&](size_t at, auto bytes) {
    std::memcpy(stored.data() + at, strip.bytes + at * kLanes + static_cast<size_t>(lane) * bytes, bytes);
  });
  gguf_blocks_to_f32(strip.type->name, stored, row);
}

void widen_strips(std::span<const Strip> strips, Index depth, float* to) {
  const Index width = static_cast<Index>(strips.size()) * kLanes;
  for (size_t k = 0; k < strips.size(); ++k)
    with_blocks(strips[k].type->name, [&](auto block) {
      float* column = to + static_cast<Index>(k) * kLanes;
      for_values<decltype(block), 1>(&strips[k], depth,
                                     [&](Index p, const Lanes(&values)[1]) { store(column + p * width, values[0]); });
    });
}

void multiply_strips(const float* group, std::span<const Strip> strips, Index depth, const float* addend,
                     MatrixFRef C) {
  for_strips(strips, [&](auto block, auto vectors, Index first) {
    const Index column = first * kLanes, columns = std::min<Index>(vectors * kLanes, C.cols() - column);
    for_groups(C.rows(), [&](Index row, auto rows) {
      multiply<decltype(block), rows, vectors>(group + row, &strips[static_cast<size_t>(first)], depth, addend + column,
                                               C.data() + row * C.outerStride() + column, C.outerStride(), columns);
    });
  });
}

}  // namespace wordsway::products
