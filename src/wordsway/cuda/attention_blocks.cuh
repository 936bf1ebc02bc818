// Parts that kernels of attention share which go through a text in tiles (attention_tiles.cuh): the place of a block,
// how rows come into shared memory, and where results go.
#pragma once

#include <type_traits>

#include "wordsway/cuda/attention_rows.cuh"
#include "wordsway/cuda/attention_tiles.cuh"

namespace wordsway::cuda {

// A block has a tile of rows that stays, 16 of them for each warp, and goes through tiles that move.
template <typename Tiles>
constexpr int kThreads = 2 * Tiles::kStaying;

// The work of a block: a text, a head, and the tile of the text's rows that stays. Positions count from the start of
// the text, rows from the first row of its own.
template <typename Tiles>
struct Place {
  int text, head, first, last;  // positions of the tile, `last` included
  int begin, before, length;    // first row of the text, positions before it, all positions

  __device__ explicit Place(const AttentionCall& call)
      : text(static_cast<int>(blockIdx.z)),
        head(static_cast<int>(blockIdx.y)),
        begin(call.texts.begins[text]),
        before(call.texts.firsts != nullptr ? call.texts.firsts[text] : 0) {
    length = before + call.texts.begins[text + 1] - begin;
    first = before + static_cast<int>(blockIdx.x) * Tiles::kStaying;
    last = min(first + Tiles::kStaying, length) - 1;
  }
  __device__ bool is_empty() const { return first >= length; }
  __device__ long row(int position) const { return begin + position - before; }
  // Position r = 0, 1 that this lane has entries of, in the warp's 16 rows of the tile.
  __device__ int position(int r) const { return first + warp_row() + static_cast<int>(threadIdx.x) % 32 / 4 + 8 * r; }
  __device__ bool is_idle() const { return first + warp_row() > last; }  // this warp
  __device__ static int warp_row() { return 16 * (static_cast<int>(threadIdx.x) / 32); }
};

// Copies of 16 bytes from memory into shared memory, which are complete after await_copies; 0 where there is
// nothing.
__device__ inline void copy_later(void* to, const void* from, bool is_there) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(is_there ? 16 : 0));
}
__device__ inline void await_copies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}

// Positions [first, first + kTileRows) of w columns into shared memory, times `factor`; 0 from `end` on. They are there
// after await_copies and a barrier.
template <typename Tiles, int kTileRows, typename From>
__device__ void load_rows(typename Tiles::Number* to, const From& from, int width, int first, int end,
                          float factor = 1) {
  using Number = typename Tiles::Number;
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(*from.at(0))>, Number>) {
    constexpr int kUnit = 16 / static_cast<int>(sizeof(Number)), kUnits = Tiles::kWidth / kUnit;
    if (width % kUnit == 0) {  // then rows begin at multiples of 16 bytes
#pragma unroll
      for (int item = 0; item < kTileRows * kUnits; item += kThreads<Tiles>) {
        const int unit = item + static_cast<int>(threadIdx.x), row = unit / kUnits, c = kUnit * (unit % kUnits);
        if (kTileRows * kUnits % kThreads<Tiles> != 0 && unit >= kTileRows * kUnits) break;
        copy_later(to + row * Tiles::kStride + c, from.at(min(first + row, end - 1)) + (c < width ? c : 0),
                   first + row < end && c < width);
      }
      return;
    }
  }
  constexpr int kQuads = Tiles::kWidth / 4, kItems = kTileRows * kQuads / kThreads<Tiles>;
  constexpr int kTogether = kItems < 8 ? kItems : 8;  // loads on their way at once
#pragma unroll
  for (int item = 0; item < kItems; item += kTogether) {
    decltype(raw4(from.at(0))) raw[kTogether];
#pragma unroll
    for (int k = 0; k < kTogether; ++k) {
      const int quad = (item + k) * kThreads<Tiles> + static_cast<int>(threadIdx.x);
      const int position = first + quad / kQuads, c = 4 * (quad % kQuads);
      raw[k] = {};
      if (position < end && c < width) raw[k] = raw4(from.at(position) + c);
    }
#pragma unroll
    for (int k = 0; k < kTogether; ++k) {
      const int quad = (item + k) * kThreads<Tiles> + static_cast<int>(threadIdx.x);
      float4 v = widened(raw[k]);
      if constexpr (Tiles::kScaled) v = {v.x * factor, v.y * factor, v.z * factor, v.w * factor};
      Tiles::put4(to + quad / kQuads * Tiles::kStride + 4 * (quad % kQuads), v);
    }
  }
}

// Tiles of 16 bits that move have room for the next pair, which is on its way while one is used.
template <typename Tiles>
constexpr int kMovingPairs = sizeof(typename Tiles::Number) == 2 ? 2 : 1;

// Goes through pairs of tiles of kRows rows, [begin, end): load(at, one, other, which) brings the pair from position
// `at` on, use(at, one, other, which) has it. `which` counts the room that it lies in. All threads of a block call it.
template <typename Tiles, int kRows, typename Load, typename Use>
__device__ void for_each_pair(typename Tiles::Number* room, int begin, int end, const Load& load, const Use& use) {
  constexpr int kSize = kRows * Tiles::kStride;
  constexpr bool kAhead = kMovingPairs<Tiles> == 2;
  const auto bring = [&](int at, int which) {
    load(at, room + 2 * which * kSize, room + (2 * which + 1) * kSize, which);
  };
  if (begin < end) bring(begin, 0);
  int which = 0;
  for (int at = begin; at < end; at += kRows) {
    const bool is_last = at + kRows >= end;
    await_copies();
    __syncthreads();
    if (kAhead && !is_last) bring(at + kRows, 1 - which);
    use(at, room + 2 * which * kSize, room + (2 * which + 1) * kSize, which);
    if (kAhead) {
      which = 1 - which;
    } else if (!is_last) {
      __syncthreads();
      bring(at + kRows, 0);
    }
  }
  __syncthreads();
}

// The factor that brings the cotangents of a text into the range of their tiles: a power of 2, so that no bit is lost.
template <typename Tiles>
__device__ float cotangent_factor(const unsigned* largest, int text) {
  if constexpr (!Tiles::kScaled) return 1;
  const int exponent = static_cast<int>(largest[text] >> 23) - 127;
  return largest[text] == 0 ? 1.f : __uint_as_float(static_cast<unsigned>(min(max(127 - exponent, 1), 253)) << 23);
}

// The column of a tile that this lane has as entry e of its block of 8.
__device__ inline int column_of(int block, int e) {
  return 8 * block + 2 * (static_cast<int>(threadIdx.x) % 4) + e % 2;
}

// Four lanes that share a row have two columns each of four blocks of 8, as bfloat16. Then each of them has one block
// whole: 16 bytes that are written at once.
__device__ inline uint4 blocks_of_lanes(unsigned (&v)[4]) {
  const bool upper = threadIdx.x & 2, odd = threadIdx.x & 1;
  unsigned a = __shfl_xor_sync(0xffffffffu, upper ? v[0] : v[2], 2);
  unsigned b = __shfl_xor_sync(0xffffffffu, upper ? v[1] : v[3], 2);
  (upper ? v[0] : v[2]) = a;
  (upper ? v[1] : v[3]) = b;
  a = __shfl_xor_sync(0xffffffffu, odd ? v[0] : v[1], 1);
  b = __shfl_xor_sync(0xffffffffu, odd ? v[2] : v[3], 1);
  (odd ? v[0] : v[1]) = a;
  (odd ? v[2] : v[3]) = b;
  return {v[0], v[1], v[2], v[3]};
}

// Writes 16 rows of a tile, in the registers of a product, to an operand: `row` and `is_there` are those of this lane's
// row r = 0, 1, columns begin at `first` of the matrix and `begin` of the head, whose width bounds them. All lanes call
// it.
template <int kTiles, typename Store>
__device__ void store_row(const Store& store, long row, bool is_there, int r, int first, int begin, int width,
                          float scale, const float (&tile)[kTiles][4]) {
  if constexpr (std::is_same_v<Store, Bf16Store> && kTiles % 4 == 0) {
    if (width % 8 == 0) {  // then blocks begin at multiples of 16 bytes
#pragma unroll
      for (int u = 0; u < kTiles; u += 4) {
        unsigned pairs[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) pairs[k] = packed_bf16(tile[u + k][2 * r] * scale, tile[u + k][2 * r + 1] * scale);
        const uint4 block = blocks_of_lanes(pairs);
        const int c = begin + 8 * (u + static_cast<int>(threadIdx.x) % 4);
        if (is_there && c < width) *reinterpret_cast<uint4*>(store.data + row * store.columns + first + c) = block;
      }
      return;
    }
  }
  if (!is_there) return;
#pragma unroll
  for (int u = 0; u < kTiles; ++u) {
    const int c = begin + column_of(u, 0);
    if (c < width) store.put2(row, first + c, tile[u][2 * r] * scale, tile[u][2 * r + 1] * scale);
  }
}

// The destination of a cotangent: floats, or an operand.
template <typename Store>
struct Target {
  float* plain;
  int columns;
  Store store;

  /// Stores as store_row does.
  template <int kTiles>
  __device__ void put(long row, bool is_there, int r, int first, int begin, int width, float scale,
                      const float (&tile)[kTiles][4]) const {
    if (plain != nullptr) {
      store_row(PlainStore{plain, columns}, row, is_there, r, first, begin, width, scale, tile);
    } else {
      store_row(store, row, is_there, r, first, begin, width, scale, tile);
    }
  }
};

// Bytes of these rows in shared memory. More than 48 KB must be asked for.
template <typename Tiles, typename Kernel>
size_t shared_for(Kernel* kernel, int rows, int floats = 0) {
  const size_t bytes = sizeof(typename Tiles::Number) * static_cast<size_t>(rows) * Tiles::kStride +
                       sizeof(float) * static_cast<size_t>(floats);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  return bytes;
}

/// Does the work of attention_backward after its dots for texts that fit whole into the shared memory of a block, in
/// precisions with 16-bit tiles. Returns false, having done nothing, for others (attention_whole_kernels.cu).
bool attention_backward_whole(cudaStream_t stream, const AttentionCall& call, const float* log_sums,
                              const void* context_cotangent, const AttentionScratch& scratch, float* plain,
                              const Operand& operand);

}  // namespace wordsway::cuda
