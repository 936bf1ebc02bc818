// Passes over the rows of matrices, for kernels: every row is read once, for all moves of a group.
//
// A block takes tiles of kRows rows, which travel to its shared memory ahead of time, and has three things to do with
// each: products of the rows with vectors, what follows from these for every row and move (coefficients), and sums of
// the rows times their coefficients. They are done at the same time for three tiles that follow each other: workers,
// most of the warps, multiply tile i and add tile i − 2 up, while the others turn the products of tile i − 1 into
// coefficients. One barrier for each tile keeps them together. All sums have a fixed order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include <cuda_pipeline.h>

namespace wordsway::cuda {

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr int kMostWorkers = 384;  // threads
constexpr unsigned kAll = 0xffffffffu;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Slope {
  double value, slope;
};

inline __device__ double warp_sum(double value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(kAll, value, offset);
  return value;
}

inline __device__ double warp_max(double value) {
  for (int offset = 16; offset > 0; offset /= 2) value = fmax(value, __shfl_xor_sync(kAll, value, offset));
  return value;
}

// For all threads of a block; `shared` has room for 32 numbers.
template <typename Combine>
__device__ double block_reduce(double value, double* shared, double neutral, Combine combine) {
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  double total = neutral;
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) total = combine(total, shared[warp]);
  return total;
}

inline __device__ double block_sum(double value, double* shared) {
  return block_reduce(warp_sum(value), shared, 0, [](double a, double b) { return a + b; });
}

inline __device__ double block_max(double value, double* shared) {
  return block_reduce(warp_max(value), shared, -kInfinity, [](double a, double b) { return fmax(a, b); });
}

// The largest among neighbouring lanes, kWidth of them.
template <int kWidth>
__device__ double segment_max(double value) {
  for (int offset = kWidth / 2; offset > 0; offset /= 2) value = fmax(value, __shfl_xor_sync(kAll, value, offset));
  return value;
}

template <int kWidth>
__device__ double segment_sum(double value) {
  for (int offset = kWidth / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(kAll, value, offset);
  return value;
}

// The sums of kCount values over a warp, kCount a power of 2: lane l has that of value index_of_sum<kCount>(l).
template <int kCount>
__device__ double sums_over_warp(double (&values)[kCount]) {
  int offset = 16;
#pragma unroll
  for (int left = kCount / 2; left > 0; left /= 2, offset /= 2) {
    const bool high = threadIdx.x & offset;
#pragma unroll
    for (int v = 0; v < left; ++v) {
      const double sent = high ? values[v] : values[v + left];
      values[v] = (high ? values[v + left] : values[v]) + __shfl_xor_sync(kAll, sent, offset);
    }
  }
  for (; offset > 0; offset /= 2) values[0] += __shfl_xor_sync(kAll, values[0], offset);
  return values[0];
}

template <int kCount>
__device__ int index_of_sum(int lane) {
  return lane * kCount / 32;
}

// Numbers that are loaded and added together: two where rows begin at even places.
template <int kVector>
struct Numbers;

template <>
struct Numbers<1> {
  double x;
};

template <>
struct alignas(16) Numbers<2> {
  double x, y;
};

inline __device__ double dot(Numbers<1> a, Numbers<1> b, double sum) {
  return sum + a.x * b.x;
}

inline __device__ double dot(Numbers<2> a, Numbers<2> b, double sum) {
  return sum + a.x * b.x + a.y * b.y;
}

inline __device__ void add(Numbers<1>& sum, double factor, Numbers<1> a) {
  sum.x += factor * a.x;
}

inline __device__ void add(Numbers<2>& sum, double factor, Numbers<2> a) {
  sum.x += factor * a.x;
  sum.y += factor * a.y;
}

inline __device__ void scale_by(Numbers<1>& a, double factor) {
  a.x *= factor;
}

inline __device__ void scale_by(Numbers<2>& a, double factor) {
  a.x *= factor;
  a.y *= factor;
}

// The copies of whole tiles to a ring in shared memory, in order. Where the device can (compute capability 9.0), one
// thread asks for all of a tile, and a barrier in shared memory counts the bytes that arrive; elsewhere, and where rows
// do not begin at even places, every thread copies its part.
template <int kVector, int kStages, int kAhead>
class TileCopies {
 public:
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  static constexpr bool kWhole = kVector == 2;
#else
  static constexpr bool kWhole = false;
#endif

  // By all threads of the block, before a __syncthreads().
  explicit __device__ TileCopies(std::uint64_t* arrived) : arrived_(arrived) {
    if constexpr (kWhole) {
      if (threadIdx.x > 0) return;
      for (int stage = 0; stage < kStages; ++stage)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address(arrived_ + stage)));
      asm volatile("fence.proxy.async.shared::cta;");
    }
  }

  // kMatrices blocks of `count` numbers each, `apart` from each other in the ring.
  template <int kMatrices, typename Packed>
  __device__ void start(const Packed* const (&from)[kMatrices], int count, Packed* to, int apart, int stage, int thread,
                        int threads) {
    if constexpr (kWhole) {
      if (thread != 0) return;
      const unsigned barrier = address(arrived_ + stage), bytes = static_cast<unsigned>(count * sizeof(Packed));
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(kMatrices * bytes));
#pragma unroll
      for (int a = 0; a < kMatrices; ++a)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         address(to + a * apart)),
                     "l"(from[a]), "r"(bytes), "r"(barrier)
                     : "memory");
    } else {
#pragma unroll
      for (int a = 0; a < kMatrices; ++a)
        for (int c = thread; c < count; c += threads)
          __pipeline_memcpy_async(to + a * apart + c, from[a] + c, sizeof(Packed));
    }
  }

  // After every start(), also where there was nothing left to start.
  __device__ void commit() const {
    if constexpr (!kWhole) __pipeline_commit();
  }

  // Until the copy to this stage has arrived, for the turn-th time.
  __device__ void wait(int stage, int turn) const {
    if constexpr (kWhole) {
      const unsigned barrier = address(arrived_ + stage), parity = turn & 1;
      unsigned done = 0;
      while (done == 0)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(barrier), "r"(parity)
                     : "memory");
    } else {
      __pipeline_wait_prior(kAhead - 1);
    }
  }

 private:
  static __device__ unsigned address(const void* shared) {
    return static_cast<unsigned>(__cvta_generic_to_shared(shared));
  }

  std::uint64_t* arrived_;
};

/// What a pass reads and writes. Of kind k are the products with vectors[k] and the sums with the coefficients of that
/// kind; kind 1 is of the second matrix, the others of the first.
struct RowPass {
  long rows = 0;
  int columns = 0, count = 0;      // count: moves
  const double* matrices[2] = {};  // [rows, columns]
  const double* vectors[3] = {};   // [count, columns]
  double* sums = nullptr;          // [count, slots, kinds, columns], written for slot = the block's part; null: none
  int slots = 0;
};

/// A row of a move, and whether it exists: what a thread of the turning warps is asked about.
struct TurnedRow {
  int move;
  long row;
  bool there;
};

// A task has
//   kMatrices, kKinds     as above
//   kTurners              warps that turn products into coefficients, each some of the kinds
//   kProducts             whether there are vectors at all
//   begin(turner, move)                                              what is needed of the thread's own move
//   kRowNumbers, row_number(turner, k, row)                          and of a row: where its k-th number lies, or null
//   turn<kRows>(turner, row, numbers, products, coefficients)        returns the scale of the sums of kind 2 so far;
//                                                                    asked by all threads of the warp
//   writes(turner, kind)  whether this warp is the one that finds the coefficients of a kind
//   finish<kRows>(turner, row)                                       once all rows are done

/// The tiles of a block, blockIdx.y, blockIdx.y + gridDim.y, … of all, and the first of its moves.
struct BlockTiles {
  int count, first_move;
  long step, first_row;  // of the rows
};

template <int kRows>
__device__ BlockTiles tiles_of_block(const RowPass& pass, int moves) {
  const long all = (pass.rows + kRows - 1) / kRows;
  return {blockIdx.y < all ? static_cast<int>((all - 1 - blockIdx.y) / gridDim.y) + 1 : 0,
          static_cast<int>(blockIdx.x) * moves, static_cast<long>(gridDim.y) * kRows,
          static_cast<long>(blockIdx.y) * kRows};
}

/// How the warps of a block pass numbers to each other, for two tiles in turns. Products come in two halves.
constexpr int kHalves = 2;
template <int kRows, int kMoves, typename Task>
struct PassMemory {
  double products[2][Task::kKinds][kHalves][kRows][kMoves], coefficients[2][Task::kKinds][kRows][kMoves];
  double scales[2][kMoves], row_numbers[3][Task::kTurners][Task::kRowNumbers][32];
};

/// The work of the turning warps: products of one tile after the other become coefficients.
template <int kRows, int kMoves, typename Task>
__device__ __forceinline__ void turn_products(const RowPass& pass, const BlockTiles& tiles, Task& task, int turner,
                                              PassMemory<kRows, kMoves, Task>& shared) {
  constexpr int kKinds = Task::kKinds;
  const int lane = threadIdx.x % 32;
  const int r = lane % kRows, m = min(lane / kRows, kMoves - 1);
  const int move = min(tiles.first_move + m, pass.count - 1);
  const bool counts = lane < kRows * kMoves && tiles.first_move + m < pass.count;
  task.begin(turner, move);
  const auto row_of = [&](int tile) {
    const long at = tiles.first_row + tile * tiles.step + r;
    return TurnedRow{move, at, counts && tile < tiles.count && at < pass.rows};
  };
  // Numbers of rows travel two tiles ahead, each thread's own to its own place.
  const auto fetch_numbers = [&](int tile) {
    const TurnedRow row = row_of(tile);
#pragma unroll
    for (int k = 0; k < Task::kRowNumbers; ++k) {
      const double* const from = row.there ? task.row_number(turner, k, row) : nullptr;
      if (from != nullptr)
        __pipeline_memcpy_async(&shared.row_numbers[tile % 3][turner][k][lane], from, sizeof(double));
    }
    __pipeline_commit();
  };
  fetch_numbers(0);
  for (int i = 0; i < tiles.count + 2; ++i) {
    __syncthreads();
    fetch_numbers(i + 1);
    if (i >= 1 && i <= tiles.count) {
      const int side = (i - 1) % 2;
      const TurnedRow row = row_of(i - 1);
      __pipeline_wait_prior(2);
      double numbers[Task::kRowNumbers];
#pragma unroll
      for (int k = 0; k < Task::kRowNumbers; ++k) numbers[k] = shared.row_numbers[(i - 1) % 3][turner][k][lane];
      double found[kKinds] = {}, written[kKinds] = {};
      if (Task::kProducts) {
#pragma unroll
        for (int k = 0; k < kKinds; ++k)
          found[k] = shared.products[side][k][0][r][m] + shared.products[side][k][1][r][m];
      }
      const double scale = task.template turn<kRows>(turner, row, numbers, found, written);
      if (lane < kRows * kMoves) {
#pragma unroll
        for (int k = 0; k < kKinds; ++k)
          if (task.writes(turner, k)) shared.coefficients[side][k][r][m] = written[k];
        if (r == 0 && task.writes(turner, 2)) shared.scales[side][m] = scale;
      }
    }
  }
  task.template finish<kRows>(turner, TurnedRow{move, r, counts});
}

/// The work of the other warps: they fetch tiles, multiply their rows by the vectors, and add rows times coefficients.
template <int kVector, int kPlaces, int kRows, int kMoves, int kAhead, typename Task>
__device__ __forceinline__ void multiply_and_add_rows(const RowPass& pass, const BlockTiles& tiles, int workers,
                                                      Numbers<kVector>* ring, const Numbers<kVector>* vectors,
                                                      TileCopies<kVector, 3 + kAhead, kAhead>& copies,
                                                      PassMemory<kRows, kMoves, Task>& shared) {
  constexpr int kKinds = Task::kKinds, kMatrices = Task::kMatrices, kStages = 3 + kAhead;
  constexpr int kUnitRows = kRows < 2 ? 1 : 2;
  using Packed = Numbers<kVector>;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, places = pass.columns / kVector;
  const int matrix_places = kRows * places, stage = kMatrices * matrix_places;
  const int threads = 32 * workers, thread = static_cast<int>(threadIdx.x);
  // Tiles are fetched in order, to one place of the ring after the other.
  int fetched = 0, fetch_stage = 0;
  const auto fetch_next = [&] {
    if (fetched < tiles.count) {
      const long first = tiles.first_row + fetched * tiles.step;
      const Packed* from[kMatrices];
#pragma unroll
      for (int a = 0; a < kMatrices; ++a) from[a] = reinterpret_cast<const Packed*>(pass.matrices[a]) + first * places;
      copies.start(from, static_cast<int>(min(static_cast<long>(kRows), pass.rows - first)) * places,
                   ring + fetch_stage * stage, matrix_places, fetch_stage, thread, threads);
      ++fetched;
      fetch_stage = fetch_stage + 1 < kStages ? fetch_stage + 1 : 0;
    }
    copies.commit();
  };
  for (int t = 0; t < kAhead; ++t) fetch_next();
  Packed sums[kKinds][kMoves][kPlaces] = {};
  int product_stage = 0, sum_stage = 0, turn = 0;
  for (int i = 0; i < tiles.count + 2; ++i) {
    if (i < tiles.count) copies.wait(product_stage, turn);
    __syncthreads();
    fetch_next();
    if (Task::kProducts && i < tiles.count) {
      const Packed* const tile = ring + product_stage * stage;
      constexpr int kUnits = kKinds * (kRows / kUnitRows) * kHalves;
      const int half_places = (places + 63) / 64 * 32;
      for (int unit = warp; unit < kUnits; unit += workers) {
        const int k = unit % kKinds, half = unit / kKinds % kHalves, first = unit / (kKinds * kHalves) * kUnitRows;
        const Packed* const rows = tile + (kMatrices > 1 && k == 1 ? matrix_places : 0) + first * places;
        const Packed* const with = vectors + k * kMoves * places;
        double found[kUnitRows * kMoves] = {};
        const int end = min(places, (half + 1) * half_places);
#pragma unroll 3
        for (int c = half * half_places + lane; c < end; c += 32) {
          Packed x[kUnitRows];
#pragma unroll
          for (int u = 0; u < kUnitRows; ++u) x[u] = rows[u * places + c];
#pragma unroll
          for (int m = 0; m < kMoves; ++m) {
            const Packed v = with[m * places + c];
#pragma unroll
            for (int u = 0; u < kUnitRows; ++u) found[u * kMoves + m] = dot(x[u], v, found[u * kMoves + m]);
          }
        }
        const double sum = sums_over_warp<kUnitRows * kMoves>(found);
        const int which = index_of_sum<kUnitRows * kMoves>(lane);
        if (lane % (32 / (kUnitRows * kMoves)) == 0)
          shared.products[i % 2][k][half][first + which / kMoves][which % kMoves] = sum;
      }
    }
    if (++product_stage == kStages) {
      product_stage = 0;
      ++turn;
    }
    if (pass.sums != nullptr && i >= 2) {
      const Packed* const tile = ring + sum_stage * stage;
      const int side = i % 2;
      const int rows =
          static_cast<int>(min(static_cast<long>(kRows), pass.rows - tiles.first_row - (i - 2) * tiles.step));
      if (kKinds > 2) {
#pragma unroll
        for (int m = 0; m < kMoves; ++m) {
          const double scale = shared.scales[side][m];
#pragma unroll
          for (int c = 0; c < kPlaces; ++c) scale_by(sums[kKinds - 1][m][c], scale);
        }
      }
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        if (r >= rows) break;
        Packed x[kMatrices][kPlaces];
#pragma unroll
        for (int a = 0; a < kMatrices; ++a)
#pragma unroll
          for (int c = 0; c < kPlaces; ++c) {
            // Threads beyond the last place read it again; what they add up is not written.
            x[a][c] = tile[a * matrix_places + r * places + min(thread + c * threads, places - 1)];
          }
#pragma unroll
        for (int k = 0; k < kKinds; ++k)
#pragma unroll
          for (int m = 0; m < kMoves; ++m) {
            const double coefficient = shared.coefficients[side][k][r][m];
#pragma unroll
            for (int c = 0; c < kPlaces; ++c) add(sums[k][m][c], coefficient, x[kMatrices > 1 && k == 1 ? 1 : 0][c]);
          }
      }
      sum_stage = sum_stage + 1 < kStages ? sum_stage + 1 : 0;
    }
  }
  if (pass.sums == nullptr) return;
#pragma unroll
  for (int m = 0; m < kMoves; ++m) {
    if (tiles.first_move + m >= pass.count) break;
    auto* const to = reinterpret_cast<Packed*>(pass.sums) +
                     (static_cast<long>(tiles.first_move + m) * pass.slots + blockIdx.y) * kKinds * places;
#pragma unroll
    for (int k = 0; k < kKinds; ++k)
#pragma unroll
      for (int c = 0; c < kPlaces; ++c) {
        const int place = thread + c * threads;
        if (place < places) to[k * places + place] = sums[k][m][c];
      }
  }
}

/// Threads share the columns, kVector of them at a time: thread t has places t, t + workers, …, kPlaces of them.
template <int kVector, int kPlaces, int kRows, int kMoves, int kAhead, typename Task>
__device__ void pass_over_rows(const RowPass& pass, Task task) {
  constexpr int kKinds = Task::kKinds, kStages = 3 + kAhead;
  static_assert(kRows * kMoves <= 32);
  using Packed = Numbers<kVector>;
  extern __shared__ __align__(16) double memory[];
  __shared__ PassMemory<kRows, kMoves, Task> shared;
  __shared__ std::uint64_t arrived[kStages];
  const int warp = threadIdx.x / 32, workers = blockDim.x / 32 - Task::kTurners, places = pass.columns / kVector;
  const BlockTiles tiles = tiles_of_block<kRows>(pass, kMoves);
  auto* const ring = reinterpret_cast<Packed*>(memory);
  // [kinds, moves, places]; beyond the last move, that one again
  Packed* const vectors = ring + kStages * Task::kMatrices * kRows * places;
  TileCopies<kVector, kStages, kAhead> copies(arrived);
  if (Task::kProducts) {
    for (int k = 0; k < kKinds; ++k)
      for (int m = 0; m < kMoves; ++m) {
        const auto* const from = reinterpret_cast<const Packed*>(pass.vectors[k]) +
                                 static_cast<long>(min(tiles.first_move + m, pass.count - 1)) * places;
        for (int c = threadIdx.x; c < places; c += blockDim.x) vectors[(k * kMoves + m) * places + c] = from[c];
      }
  }

  __syncthreads();

  if (warp >= workers)
    turn_products<kRows, kMoves>(pass, tiles, task, warp - workers, shared);
  else
    multiply_and_add_rows<kVector, kPlaces, kRows, kMoves, kAhead>(pass, tiles, workers, ring, vectors, copies, shared);
}

template <int kVector, int kPlaces, int kRows, int kMoves, int kAhead, typename Task>
__global__ void __launch_bounds__(kMostWorkers + 32 * Task::kTurners, 1) pass_kernel(RowPass pass, Task task) {
  pass_over_rows<kVector, kPlaces, kRows, kMoves, kAhead>(pass, task);
}

// Moves that a block takes: more where there are more, as long as they and the tiles fit its memory.
constexpr int kMostTogether = 4, kShortRow = 768, kMiddleRow = 1024;

inline bool takes_several(int columns, int count) {
  return count > 1 && columns <= kShortRow;
}

inline int move_groups(int columns, int count) {
  return takes_several(columns, count) ? (count + kMostTogether - 1) / kMostTogether : count;
}

/// Into how many parts the rows are cut for so many moves: one block for each multiprocessor of an H200.
inline int row_parts(long rows, int columns, int count) {
  constexpr long kMultiprocessors = 132, kLeastRows = 8;
  return static_cast<int>(
      std::clamp<long>(kMultiprocessors / move_groups(columns, count), 1, (rows + kLeastRows - 1) / kLeastRows));
}

template <int kVector, int kPlaces, int kRows, int kMoves, int kAhead, typename Task>
void launch_pass_of(cudaStream_t stream, const RowPass& pass, const Task& task, int threads) {
  const dim3 grid(static_cast<unsigned>((pass.count + kMoves - 1) / kMoves),
                  static_cast<unsigned>(row_parts(pass.rows, pass.columns, pass.count)));
  const size_t bytes = sizeof(double) * static_cast<size_t>(pass.columns) *
                       ((3 + kAhead) * Task::kMatrices * kRows + (Task::kProducts ? Task::kKinds * kMoves : 0));
  const auto kernel = pass_kernel<kVector, kPlaces, kRows, kMoves, kAhead, Task>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  kernel<<<grid, static_cast<unsigned>(threads + 32 * Task::kTurners), bytes, stream>>>(pass, task);
}

/// As many rows in a tile, and as many tiles ahead, as fit a block's memory. Tiles of one matrix have twice the rows.
template <int kVector, int kPlaces, typename Task>
void launch_pass_at(cudaStream_t stream, const RowPass& pass, const Task& task, int threads) {
  constexpr int kMore = Task::kMatrices == 1 ? 2 : 1;
  if (takes_several(pass.columns, pass.count)) {
    if constexpr (Task::kMatrices == 1)
      return launch_pass_of<kVector, kPlaces, 8, kMostTogether, 1>(stream, pass, task, threads);
    else
      return launch_pass_of<kVector, kPlaces, 2, kMostTogether, 3>(stream, pass, task, threads);
  }
  if (pass.columns <= kShortRow) return launch_pass_of<kVector, kPlaces, 4 * kMore, 1, 1>(stream, pass, task, threads);
  if (pass.columns <= kMiddleRow) return launch_pass_of<kVector, kPlaces, 2 * kMore, 1, 3>(stream, pass, task, threads);
  launch_pass_of<kVector, kPlaces, kMore, 1, 2>(stream, pass, task, threads);
}

template <int kVector, typename Task>
void launch_pass_by(cudaStream_t stream, const RowPass& pass, const Task& task) {
  const int places = pass.columns / kVector, each = (places + kMostWorkers - 1) / kMostWorkers;
  const int threads = std::max(64, ((places + each - 1) / each + 31) / 32 * 32);
  if (each <= 1) return launch_pass_at<kVector, 1>(stream, pass, task, threads);
  if (each <= 2) return launch_pass_at<kVector, 2>(stream, pass, task, threads);
  if (each <= 3) return launch_pass_at<kVector, 3>(stream, pass, task, threads);
  if (each <= 6) return launch_pass_at<kVector, 6>(stream, pass, task, threads);
  throw std::length_error("rows of more than 2048 numbers");
}

template <typename Task>
void launch_pass(cudaStream_t stream, const RowPass& pass, const Task& task) {
  if (pass.columns % 2 == 0) return launch_pass_by<2>(stream, pass, task);
  launch_pass_by<1>(stream, pass, task);
}

// Sums over parts: a block has 32 columns, each summed by kGroups threads, whose sums are added in order.
constexpr int kGroups = 8;

template <int kSums, typename Term>
__device__ void sum_parts(int parts, const Term& term, double (&sums)[kSums]) {
  __shared__ double shared[kSums][kGroups][32];
  const int lane = threadIdx.x % 32, group = threadIdx.x / 32;
  double own[kSums] = {};
  for (int p = group; p < parts; p += kGroups) term(p, own);
#pragma unroll
  for (int s = 0; s < kSums; ++s) shared[s][group][lane] = own[s];
  __syncthreads();
#pragma unroll
  for (int s = 0; s < kSums; ++s) {
    sums[s] = 0;
    for (int g = 0; g < kGroups; ++g) sums[s] += shared[s][g][lane];
  }
}

inline dim3 grid_of_columns(unsigned count, int columns) {
  return {count, static_cast<unsigned>((columns + 31) / 32)};
}

inline int blocks_for(long count, int each) {
  return static_cast<int>(std::min<long>((count + each - 1) / each, 1 << 20));
}

}  // namespace wordsway::cuda
