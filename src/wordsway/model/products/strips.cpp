#include "wordsway/model/products/strips.h"

#include <array>
#include <cstring>
#include <utility>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "wordsway/core/error.h"
#include "wordsway/model/products/tile.h"

namespace wordsway::products {
namespace {

// How blocks become floats, those of kLanes rows together. A run is neighbouring values that share their scales:
// run(block, r, room) has those in registers and its q, a byte each, in the block or unpacked into `room`; value(j) is
// what decode() of io/gguf_blocks.cpp makes of q. In `block`, byte k of all rows is at k * kLanes.

[[gnu::always_inline]] inline Lanes floats_at(const void* block, Index byte) {
  const char* from = static_cast<const char*>(block) + byte * kLanes;
  // GCC 12 makes __builtin_convertvector from 8 to 32 bits one lane at a time, hence the instructions by name.
#if defined(__AVX512F__)
  return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#elif defined(__AVX2__)
  return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
#else
  Lanes result;
  for (Index lane = 0; lane < kLanes; ++lane) result[lane] = static_cast<float>(static_cast<std::int8_t>(from[lane]));
  return result;
#endif
}

[[gnu::always_inline]] inline Lanes half_at(const std::uint8_t* block, Index byte) {
  std::uint16_t halves[kLanes];
  std::memcpy(halves, block + byte * kLanes, sizeof halves);
  return F16::widen(halves);
}

// Bits are picked from as many bytes as a register has, before these become floats.
using ManyBytes __attribute__((vector_size(sizeof(Lanes)))) = std::int8_t;
using Words __attribute__((vector_size(sizeof(Lanes)))) = std::uint16_t;

// There are no instructions that shift bytes. Whoever shifts down masks what comes in from the neighbour.
[[gnu::always_inline]] inline ManyBytes down(ManyBytes bytes, int bits) {
  return reinterpret_cast<ManyBytes>(reinterpret_cast<Words>(bytes) >> bits);
}
[[gnu::always_inline]] inline ManyBytes up(ManyBytes bytes, int bits) {
  return reinterpret_cast<ManyBytes>(reinterpret_cast<Words>(bytes) << bits);
}

// The `count` numbers pick(bytes of `low`, bytes of `high`); those that have all their bits in one place give it twice.
template <Index count, typename Pick>
[[gnu::always_inline]] inline const std::int8_t* unpack(const std::uint8_t* low, const std::uint8_t* high,
                                                        std::int8_t* room, const Pick& pick) {
  constexpr Index kStep = sizeof(ManyBytes), kEnd = count * kLanes;
  static_assert(kEnd % kStep == 0);
  for (Index k = 0; k < kEnd; k += kStep) {
    ManyBytes lower, upper;
    std::memcpy(&lower, low + k, sizeof lower);
    std::memcpy(&upper, high + k, sizeof upper);
    const ManyBytes picked = pick(lower, upper);
    std::memcpy(room + k, &picked, sizeof picked);
  }
  return room;
}

struct Scaled {
  Lanes step;
  const void* q;
  Lanes value(Index j) const { return step * floats_at(q, j); }
};

struct ScaledAndShifted {
  Lanes step, shift;
  const void* q;
  Lanes value(Index j) const { return step * floats_at(q, j) - shift; }
};

template <typename Stored>
struct Plain {
  static constexpr Index kValues = 1, kRun = 1, kBytes = sizeof(typename Stored::Value);
  static constexpr Index number_bytes(Index /*byte*/) { return kBytes; }
  struct Run {
    Lanes values;
    Lanes value(Index /*j*/) const { return values; }
  };
  [[gnu::always_inline]] static Run run(const std::uint8_t* block, Index /*r*/, std::int8_t* /*room*/) {
    typename Stored::Value values[kLanes];
    std::memcpy(values, block, sizeof values);
    return {Stored::widen(values)};
  }
};

struct Q8 {
  static constexpr Index kValues = 32, kRun = 32, kBytes = 34;
  static constexpr Index number_bytes(Index byte) { return byte == 0 ? 2 : 1; }
  [[gnu::always_inline]] static Scaled run(const std::uint8_t* block, Index /*r*/, std::int8_t* /*room*/) {
    return {half_at(block, 0), block + 2 * kLanes};
  }
};

struct Q4 {
  static constexpr Index kValues = 32, kRun = 16, kBytes = 18;
  static constexpr Index number_bytes(Index byte) { return byte == 0 ? 2 : 1; }
  [[gnu::always_inline]] static Scaled run(const std::uint8_t* block, Index r, std::int8_t* room) {
    const std::uint8_t* q = block + 2 * kLanes;
    const int half = static_cast<int>(r) * 4;
    return {half_at(block, 0), unpack<kRun>(q, q, room, [half](ManyBytes lower, ManyBytes /*upper*/) {
              return (down(lower, half) & 15) - 8;
            })};
  }
};

// Run r of Q4_K and Q5_K, with the scales s and t of RunScales (io/gguf_blocks.cpp).
[[gnu::always_inline]] inline ScaledAndShifted run_of_k(const std::uint8_t* block, Index r, const void* q) {
  alignas(64) std::array<std::uint8_t, kLanes> s, t;
  const std::uint8_t* packed = block + (4 + r) * kLanes;
  for (Index lane = 0; lane < kLanes; ++lane) {
    const auto byte = [&](Index k) { return packed[k * kLanes + lane]; };
    const auto i = static_cast<size_t>(lane);
    s[i] = static_cast<std::uint8_t>(r < 4 ? byte(0) & 63 : (byte(4) & 15) | byte(-4) >> 6 << 4);
    t[i] = static_cast<std::uint8_t>(r < 4 ? byte(4) & 63 : byte(4) >> 4 | byte(0) >> 6 << 4);
  }
  return {half_at(block, 0) * floats_at(s.data(), 0), half_at(block, 2) * floats_at(t.data(), 0), q};
}

struct Q4K {
  static constexpr Index kValues = 256, kRun = 32, kBytes = 144;
  static constexpr Index number_bytes(Index byte) { return byte < 4 ? 2 : 1; }
  [[gnu::always_inline]] static ScaledAndShifted run(const std::uint8_t* block, Index r, std::int8_t* room) {
    const std::uint8_t* q = block + (16 + r / 2 * 32) * kLanes;
    const int half = static_cast<int>(r % 2) * 4;
    return run_of_k(block, r, unpack<kRun>(q, q, room, [half](ManyBytes lower, ManyBytes /*upper*/) {
                      return down(lower, half) & 15;
                    }));
  }
};

struct Q5K {
  static constexpr Index kValues = 256, kRun = 32, kBytes = 176;
  static constexpr Index number_bytes(Index byte) { return byte < 4 ? 2 : 1; }
  [[gnu::always_inline]] static ScaledAndShifted run(const std::uint8_t* block, Index r, std::int8_t* room) {
    const std::uint8_t *high = block + 16 * kLanes, *q = block + (48 + r / 2 * 32) * kLanes;
    const int half = static_cast<int>(r % 2) * 4, bit = static_cast<int>(r);
    return run_of_k(block, r, unpack<kRun>(q, high, room, [half, bit](ManyBytes lower, ManyBytes upper) {
                      return (down(lower, half) & 15) | up(down(upper, bit) & 1, 4);
                    }));
  }
};

struct Q6K {
  static constexpr Index kValues = 256, kRun = 16, kBytes = 210;
  static constexpr Index number_bytes(Index byte) { return byte == 208 ? 2 : 1; }
  [[gnu::always_inline]] static Scaled run(const std::uint8_t* block, Index r, std::int8_t* room) {
    const std::uint8_t* low = block + (r / 8 * 64 + r % 4 * 16) * kLanes;
    const std::uint8_t* high = block + (128 + r / 8 * 32 + r % 2 * 16) * kLanes;
    const int half = static_cast<int>(r / 4 % 2) * 4, bits = static_cast<int>(r / 2 % 4) * 2;
    return {half_at(block, 208) * floats_at(block, 192 + r),
            unpack<kRun>(low, high, room, [half, bits](ManyBytes lower, ManyBytes upper) {
              return ((down(lower, half) & 15) | up(down(upper, bits) & 3, 4)) - 32;
            })};
  }
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

// Asks for part r of the block after `block`. Blocks of 256 values are read in several places at once, which the
// processor does not foresee: with Q6_K, a product with one row takes two thirds of the time for it.
template <typename Block>
[[gnu::always_inline]] inline void fetch_ahead(const std::uint8_t* block, Index r) {
  constexpr Index kLine = 64, kSize = Block::kBytes * kLanes, kPart = kSize * Block::kRun / Block::kValues;
  if constexpr (Block::kValues == 256)
    for (Index k = 0; k < kPart; k += kLine) __builtin_prefetch(block + kSize + r * kPart + k);
}

// use(p, the values of V strips at p), for every p < depth in order.
template <typename Block, int V, typename Use>
[[gnu::always_inline]] inline void for_values(const Strip* strips, Index depth, const Use& use) {
  alignas(64) std::int8_t rooms[V][Block::kRun * kLanes];
  const auto use_runs = [&](Index first, const auto&... runs) __attribute__((always_inline)) {
#pragma GCC unroll 4
    for (Index j = 0; j < Block::kRun; ++j) {
      const Lanes values[V] = {runs.value(j)...};
      use(first + j, values);
    }
  };
  for (Index begin = 0, offset = 0; begin < depth; begin += Block::kValues, offset += Block::kBytes * kLanes)
    for (Index r = 0; r < Block::kValues / Block::kRun; ++r)
      [&]<size_t... v>(std::index_sequence<v...>) __attribute__((always_inline)) {
        (fetch_ahead<Block>(strips[v].bytes + offset, r), ...);
        use_runs(begin + r * Block::kRun, Block::run(strips[v].bytes + offset, r, rooms[v])...);
      }
  (std::make_index_sequence<V>{});
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

// body(offset in a row, bytes) for all numbers of a row; bytes is a type.
template <typename Body>
void for_numbers(const GgufType& type, size_t row_bytes, const Body& body) {
  with_blocks(type.name, [&](auto block) {
    using Block = decltype(block);
    for (size_t begin = 0; begin < row_bytes; begin += Block::kBytes)
      for (Index k = 0; k < Block::kBytes; k += Block::number_bytes(k)) {
        const size_t at = begin + static_cast<size_t>(k);
        switch (Block::number_bytes(k)) {
          case 1:
            body(at, std::integral_constant<size_t, 1>{});
            break;
          case 2:
            body(at, std::integral_constant<size_t, 2>{});
            break;
          default:
            body(at, std::integral_constant<size_t, 4>{});
        }
      }
  });
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
