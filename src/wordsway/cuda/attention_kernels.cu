#include <stdexcept>

#include "wordsway/cuda/attention_kernels.cuh"
#include "wordsway/cuda/operand.cuh"

namespace wordsway::cuda {
namespace {

// A block has a tile of 64 rows that stays, 16·kSlabs of them for each warp, and goes through tiles that move.
constexpr int kRows = 64;

template <int kWidth, bool kSplit>
struct Shape {
  // Two slabs would share what a warp reads of the moving tile, but fill the registers: 1.2 times slower on an H200.
  static constexpr int kSlabs = 1;
  static constexpr int kWarps = kRows / (16 * kSlabs);
  static constexpr int kThreads = 32 * kWarps;
  static constexpr int kBlocks = kWidth > 64 ? 2 : 3;    // on a multiprocessor: the compiler keeps registers for them
  static constexpr int kMoving = kWidth > 64 ? 32 : 64;  // rows of a moving tile
  // From row to row in shared memory: +4 spreads what a warp reads at once over all banks, by rows and by columns.
  static constexpr int kStride = kWidth + 4;
};

__device__ void mma(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Four blocks of 8 rows and 4 columns of floats from shared memory: lane 4r + c gets (r, c) of each. Lane 8k + r says
// where row r of block k is.
__device__ void load_blocks(unsigned (&to)[4], const float* row) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address));
}

// Numbers of a fragment as TF32, and what that leaves out where it counts. Shared memory has floats where it counts,
// else numbers that are TF32 already.
template <int kCount, bool kSplit>
struct Fragment {
  unsigned high[kCount];
  unsigned low[kSplit ? kCount : 1];

  __device__ void set(int k, float x) {
    const float rounded = tf32_of(x);
    high[k] = __float_as_uint(rounded);
    if constexpr (kSplit) low[k] = __float_as_uint(x - rounded);
  }
  __device__ void set_stored(int k, unsigned bits) {
    if constexpr (kSplit) {
      set(k, __uint_as_float(bits));
    } else {
      high[k] = bits;
    }
  }
};

template <bool kSplit>
__device__ void multiply(float (&c)[4], const Fragment<4, kSplit>& a, const Fragment<2, kSplit>& b) {
  if constexpr (kSplit) {  // small terms first
    mma(c, a.low, b.high);
    mma(c, a.high, b.low);
  }
  mma(c, a.high, b.high);
}

// Entries (row, column), (row + 8, column), and both 4 columns further, of a matrix in shared memory: a fragment of 16
// rows and 8 columns. Where fragments are split, between two loads there is enough to do for one wide one.
template <bool kSplit>
__device__ Fragment<4, kSplit> load_tall(const float* from, int stride) {
  const int lane = threadIdx.x % 32;
  Fragment<4, kSplit> result;
  if constexpr (kSplit) {
    unsigned bits[4];
    load_blocks(bits, from + (lane % 8 + 8 * (lane / 8 % 2)) * stride + 4 * (lane / 16));
#pragma unroll
    for (int e = 0; e < 4; ++e) result.set_stored(e, bits[e]);
  } else {
    const float* at = from + lane / 4 * stride + lane % 4;
#pragma unroll
    for (int e = 0; e < 4; ++e) result.high[e] = __float_as_uint(at[8 * (e % 2) * stride + 4 * (e / 2)]);
  }
  return result;
}

// The same of 8 columns and 8 rows, twice: that of the next 8 rows too.
template <bool kSplit>
__device__ void load_two(Fragment<2, kSplit> (&to)[2], const float* from, int stride) {
  const int lane = threadIdx.x % 32;
  if constexpr (kSplit) {
    unsigned bits[4];
    load_blocks(bits, from + (lane % 8 + 8 * (lane / 16)) * stride + 4 * (lane / 8 % 2));
#pragma unroll
    for (int e = 0; e < 4; ++e) to[e / 2].set_stored(e % 2, bits[e]);
  } else {
    const float* at = from + lane / 4 * stride + lane % 4;
#pragma unroll
    for (int e = 0; e < 4; ++e) to[e / 2].high[e % 2] = __float_as_uint(at[8 * (e / 2) * stride + 4 * (e % 2)]);
  }
}

// c[m][t] += A·Bᵀ for the warp's slabs of 16 rows of A and rows 8t ... of B, both in shared memory, [rows, kWidth].
template <int kWidth, bool kSplit, int kSlabs, int kTiles>
__device__ void multiply_rows(float (&c)[kSlabs][kTiles][4], const float* a_rows, const float* b_rows) {
  constexpr int kS = Shape<kWidth, kSplit>::kStride;
#pragma unroll
  for (int k = 0; k < kWidth; k += 8) {
    Fragment<4, kSplit> a[kSlabs];
#pragma unroll
    for (int m = 0; m < kSlabs; ++m) a[m] = load_tall<kSplit>(a_rows + 16 * m * kS + k, kS);
#pragma unroll
    for (int t = 0; t < kTiles; t += 2) {
      Fragment<2, kSplit> b[2];
      load_two<kSplit>(b, b_rows + 8 * t * kS + k, kS);
#pragma unroll
      for (int m = 0; m < kSlabs; ++m) {
        multiply(c[m][t], a[m], b[0]);
        multiply(c[m][t + 1], a[m], b[1]);
      }
    }
  }
}

// c[m][u] += P·B for P in the accumulators of a product, [16, 8·kTiles] in each slab, and columns 8u ... of B,
// [8·kTiles, kWidth]. An accumulator has columns 2q and 2q + 1 where a fragment has q and q + 4: B's rows are taken in
// the same order.
template <int kWidth, bool kSplit, int kSlabs, int kTiles>
__device__ void multiply_tile(float (&c)[kSlabs][kWidth / 8][4], const float (&p)[kSlabs][kTiles][4],
                              const float* b_rows) {
  constexpr int kS = Shape<kWidth, kSplit>::kStride;
  const int lane = threadIdx.x % 32, column = lane / 4, pair = 2 * (lane % 4);
#pragma unroll
  for (int t = 0; t < kTiles; ++t) {
    Fragment<4, kSplit> a[kSlabs];
#pragma unroll
    for (int m = 0; m < kSlabs; ++m) {
      a[m].set(0, p[m][t][0]);
      a[m].set(1, p[m][t][2]);
      a[m].set(2, p[m][t][1]);
      a[m].set(3, p[m][t][3]);
    }
    const float* from = b_rows + (8 * t + pair) * kS + column;
#pragma unroll
    for (int u = 0; u < kWidth / 8; ++u) {
      Fragment<2, kSplit> b;
      b.set_stored(0, __float_as_uint(from[8 * u]));
      b.set_stored(1, __float_as_uint(from[kS + 8 * u]));
#pragma unroll
      for (int m = 0; m < kSlabs; ++m) multiply(c[m][u], a[m], b);
    }
  }
}

// Rows [first, first + kTileRows) of a text, w columns of a matrix, into shared memory; 0 past the end.
template <int kWidth, bool kSplit, int kTileRows>
__device__ void load_rows(float* to, const float* from, long stride, const float* bias, int width, int first,
                          int count) {
  constexpr int kQuads = kWidth / 4;
  for (int item = threadIdx.x; item < kTileRows * kQuads; item += Shape<kWidth, kSplit>::kThreads) {
    const int row = item / kQuads, c = 4 * (item % kQuads);
    float4 v = {0, 0, 0, 0};
    if (first + row < count && c < width) {
      v = *reinterpret_cast<const float4*>(from + (first + row) * stride + c);
      if (bias != nullptr) {
        const float4 b = *reinterpret_cast<const float4*>(bias + c);
        v = {v.x + b.x, v.y + b.y, v.z + b.z, v.w + b.w};
      }
      if constexpr (!kSplit) v = {tf32_of(v.x), tf32_of(v.y), tf32_of(v.z), tf32_of(v.w)};
    }
    *reinterpret_cast<float4*>(to + row * Shape<kWidth, kSplit>::kStride + c) = v;
  }
}

// What a query may see of a text.
struct Sight {
  const AttentionCall& call;
  int length;
  const float* bias;  // of the head, by distance
  float scale;        // from products to exponents of 2

  __device__ Sight(const AttentionCall& of, int tokens, int head)
      : call(of),
        length(tokens),
        bias(of.distance_bias != nullptr ? of.distance_bias + static_cast<long>(head) * (2 * of.most - 1) + of.most - 1
                                         : nullptr),
        scale(of.scale * 1.44269504088896341f) {}

  __device__ bool sees(int query, int key) const {
    if (query >= length || key >= length || (call.causal && key > query)) return false;
    return call.window < 0 || abs(key - query) <= call.window;
  }
  // Whether all queries below `end` see all keys below `key_end`, and nothing is added to their scores.
  __device__ bool whole(int end, int key_end) const {
    return bias == nullptr && !call.causal && call.window < 0 && end <= length && key_end <= length;
  }
  // A product that counts nothing where the key is not seen, with the bias in the units of the product.
  __device__ float seen(float product, int query, int key) const {
    if (!sees(query, key)) return -INFINITY;
    return bias != nullptr ? product + bias[key - query] / call.scale : product;
  }
  // Keys that queries [first, last] may see, and queries that may see keys [first, last]: tiles outside are left out.
  __device__ int first_key(int query) const { return call.window < 0 ? 0 : max(0, query - call.window); }
  __device__ int end_key(int query) const {
    int end = length;
    if (call.causal) end = min(end, query + 1);
    if (call.window >= 0) end = min(end, query + call.window + 1);
    return end;
  }
  __device__ int first_query(int key) const {
    return max(call.causal ? key : 0, call.window < 0 ? 0 : key - call.window);
  }
  __device__ int end_query(int key) const { return call.window < 0 ? length : min(length, key + call.window + 1); }
};

struct Place {
  int text, head, first;  // first row of the tile that stays
};

__device__ Place place_of_block() {
  return {static_cast<int>(blockIdx.z), static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.x) * kRows};
}

// Hides scores that do not count: `query` and `key` say which they are, by row and by column of the tile.
template <int kSlabs, int kTiles, typename Query, typename Key>
__device__ void hide_unseen(float (&p)[kSlabs][kTiles][4], const Sight& sight, const Query& query, const Key& key) {
#pragma unroll
  for (int m = 0; m < kSlabs; ++m)
#pragma unroll
    for (int t = 0; t < kTiles; ++t)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        p[m][t][e] =
            sight.seen(p[m][t][e], query(m, e / 2), key(8 * t + 2 * (static_cast<int>(threadIdx.x) % 4) + e % 2));
}

__device__ float quad_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}

__device__ float quad_sum(float x) {
  x += __shfl_xor_sync(0xffffffffu, x, 1);
  return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

template <int kWidth, bool kSplit, typename Store>
__global__ void __launch_bounds__(Shape<kWidth, kSplit>::kThreads, Shape<kWidth, kSplit>::kBlocks)
    forward_kernel(AttentionCall call, float* context, Store store, float* log_sums) {
  using S = Shape<kWidth, kSplit>;
  constexpr int kM = S::kMoving, kTiles = kM / 8, kSlabs = S::kSlabs;
  const Place place = place_of_block();
  const int begin = call.texts.begins[place.text], length = call.texts.begins[place.text + 1] - begin;
  if (place.first >= length) return;
  extern __shared__ float4 shared4[];
  float* queries = reinterpret_cast<float*>(shared4);
  float* keys = queries + kRows * S::kStride;
  float* values = keys + kM * S::kStride;
  const int w = call.width, group = place.head * call.kv_heads / call.heads;
  const long stride = static_cast<long>(call.heads + 2 * call.kv_heads) * w;
  const int key_column = (call.heads + group) * w, value_column = key_column + call.kv_heads * w;
  const float* rows = call.qkv + begin * stride;
  const auto bias_at = [&](int column) { return call.bias != nullptr ? call.bias + column : nullptr; };
  load_rows<kWidth, kSplit, kRows>(queries, rows + place.head * w, stride, bias_at(place.head * w), w, place.first,
                                   length);
  const Sight sight(call, length, place.head);
  const int lane = threadIdx.x % 32, warp_row = 16 * kSlabs * (threadIdx.x / 32);
  // Row r = 0, 1 of slab m that this lane has entries of.
  const auto query = [&](int m, int r) { return place.first + warp_row + 16 * m + lane / 4 + 8 * r; };
  float most[kSlabs][2], sum[kSlabs][2] = {}, out[kSlabs][kWidth / 8][4] = {};
  for (int m = 0; m < kSlabs; ++m) most[m][0] = most[m][1] = -INFINITY;
  const int first = sight.first_key(place.first) / kM * kM, end = sight.end_key(min(place.first + kRows, length) - 1);
  for (int key0 = first; key0 < end; key0 += kM) {
    __syncthreads();
    load_rows<kWidth, kSplit, kM>(keys, rows + key_column, stride, bias_at(key_column), w, key0, length);
    load_rows<kWidth, kSplit, kM>(values, rows + value_column, stride, bias_at(value_column), w, key0, length);
    __syncthreads();
    float p[kSlabs][kTiles][4] = {};
    multiply_rows<kWidth, kSplit>(p, queries + warp_row * S::kStride, keys);
    // Rows past the end of the text are not written.
    if (!sight.whole(length, key0 + kM)) hide_unseen(p, sight, query, [&](int column) { return key0 + column; });
#pragma unroll
    for (int m = 0; m < kSlabs; ++m) {
      float highest[2] = {most[m][0], most[m][1]}, factor[2];
#pragma unroll
      for (int t = 0; t < kTiles; ++t)
#pragma unroll
        for (int e = 0; e < 4; ++e) highest[e / 2] = fmaxf(highest[e / 2], p[m][t][e]);
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        highest[r] = quad_max(highest[r]);
        const float finite = highest[r] == -INFINITY ? 0.f : highest[r];
        factor[r] = exp2f((most[m][r] - finite) * sight.scale);  // 0 the first time
        most[m][r] = highest[r];
        highest[r] = finite * sight.scale;
        sum[m][r] *= factor[r];
      }
#pragma unroll
      for (int t = 0; t < kTiles; ++t)
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          p[m][t][e] = exp2f(fmaf(p[m][t][e], sight.scale, -highest[e / 2]));
          sum[m][e / 2] += p[m][t][e];
        }
#pragma unroll
      for (int u = 0; u < kWidth / 8; ++u)
#pragma unroll
        for (int e = 0; e < 4; ++e) out[m][u][e] *= factor[e / 2];
    }
    multiply_tile<kWidth, kSplit>(out, p, values);
  }
#pragma unroll
  for (int m = 0; m < kSlabs; ++m)
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const float total = quad_sum(sum[m][r]);
      if (query(m, r) >= length) continue;
      const long row = begin + query(m, r);
      if (log_sums != nullptr && lane % 4 == 0)
        log_sums[row * call.heads + place.head] = most[m][r] * sight.scale + log2f(total);
#pragma unroll
      for (int u = 0; u < kWidth / 8; ++u) {
        const int c = 8 * u + 2 * (lane % 4);
        if (c >= w) continue;
        const float a = out[m][u][2 * r] / total, b = out[m][u][2 * r + 1] / total;
        const int column = place.head * w + c;
        if (context != nullptr) *reinterpret_cast<float2*>(context + row * call.heads * w + column) = {a, b};
        if (store.data != nullptr) store.put2(row, column, a, b);
      }
    }
}

constexpr int kDotThreads = 128;

// dots[row, head] = ⟨context, its cotangent⟩ of the head.
__global__ void dots_kernel(long items, int heads, int width, const float* context, const float* cotangent,
                            float* dots) {
  const long item = (static_cast<long>(blockIdx.x) * kDotThreads + threadIdx.x) / 32;
  if (item >= items) return;
  const int lane = threadIdx.x % 32;
  float sum = 0;
  for (int c = lane; c < width; c += 32) sum += context[item * width + c] * cotangent[item * width + c];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (lane == 0) dots[item] = sum;
}

// Where a cotangent goes: floats, or an operand.
template <typename Store>
struct Target {
  float* plain;
  int columns;
  Store store;

  __device__ void put(long row, int column, float a, float b) const {
    if (plain != nullptr) {
      *reinterpret_cast<float2*>(plain + row * columns + column) = {a, b};
    } else {
      store.put2(row, column, a, b);
    }
  }
};

template <int kWidth, bool kSplit, typename Store>
__global__ void __launch_bounds__(Shape<kWidth, kSplit>::kThreads, Shape<kWidth, kSplit>::kBlocks)
    query_cotangent_kernel(AttentionCall call, const float* log_sums, const float* dots, const float* cotangent,
                           Target<Store> target) {
  using S = Shape<kWidth, kSplit>;
  constexpr int kM = S::kMoving, kTiles = kM / 8, kSlabs = S::kSlabs;
  const Place place = place_of_block();
  const int begin = call.texts.begins[place.text], length = call.texts.begins[place.text + 1] - begin;
  if (place.first >= length) return;
  extern __shared__ float4 shared4[];
  float* queries = reinterpret_cast<float*>(shared4);
  float* outs = queries + kRows * S::kStride;
  float* keys = outs + kRows * S::kStride;
  float* values = keys + kM * S::kStride;
  const int w = call.width, group = place.head * call.kv_heads / call.heads;
  const long stride = static_cast<long>(call.heads + 2 * call.kv_heads) * w;
  const long out_stride = static_cast<long>(call.heads) * w;
  const int key_column = (call.heads + group) * w, value_column = key_column + call.kv_heads * w;
  const float* rows = call.qkv + begin * stride;
  const auto bias_at = [&](int column) { return call.bias != nullptr ? call.bias + column : nullptr; };
  load_rows<kWidth, kSplit, kRows>(queries, rows + place.head * w, stride, bias_at(place.head * w), w, place.first,
                                   length);
  load_rows<kWidth, kSplit, kRows>(outs, cotangent + begin * out_stride + place.head * w, out_stride, nullptr, w,
                                   place.first, length);
  const Sight sight(call, length, place.head);
  const int lane = threadIdx.x % 32, warp_row = 16 * kSlabs * (threadIdx.x / 32);
  const auto query = [&](int m, int r) { return place.first + warp_row + 16 * m + lane / 4 + 8 * r; };
  float log_sum[kSlabs][2] = {}, dot[kSlabs][2] = {}, found[kSlabs][kWidth / 8][4] = {};
#pragma unroll
  for (int m = 0; m < kSlabs; ++m)
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      if (query(m, r) >= length) continue;
      const long at = static_cast<long>(begin + query(m, r)) * call.heads + place.head;
      log_sum[m][r] = log_sums[at];
      dot[m][r] = dots[at];
    }
  const int first = sight.first_key(place.first) / kM * kM, end = sight.end_key(min(place.first + kRows, length) - 1);
  for (int key0 = first; key0 < end; key0 += kM) {
    __syncthreads();
    load_rows<kWidth, kSplit, kM>(keys, rows + key_column, stride, bias_at(key_column), w, key0, length);
    load_rows<kWidth, kSplit, kM>(values, rows + value_column, stride, bias_at(value_column), w, key0, length);
    __syncthreads();
    float p[kSlabs][kTiles][4] = {}, slope[kSlabs][kTiles][4] = {};
    multiply_rows<kWidth, kSplit>(p, queries + warp_row * S::kStride, keys);
    multiply_rows<kWidth, kSplit>(slope, outs + warp_row * S::kStride, values);
    if (!sight.whole(length, key0 + kM)) hide_unseen(p, sight, query, [&](int column) { return key0 + column; });
#pragma unroll
    for (int m = 0; m < kSlabs; ++m)
#pragma unroll
      for (int t = 0; t < kTiles; ++t)
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int r = e / 2;
          const float weight = exp2f(fmaf(p[m][t][e], sight.scale, -log_sum[m][r]));
          p[m][t][e] = weight * (slope[m][t][e] - dot[m][r]);
        }
    multiply_tile<kWidth, kSplit>(found, p, keys);
  }
#pragma unroll
  for (int m = 0; m < kSlabs; ++m)
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      if (query(m, r) >= length) continue;
#pragma unroll
      for (int u = 0; u < kWidth / 8; ++u) {
        const int c = 8 * u + 2 * (lane % 4);
        if (c < w)
          target.put(begin + query(m, r), place.head * w + c, found[m][u][2 * r] * call.scale,
                     found[m][u][2 * r + 1] * call.scale);
      }
    }
}

// A head of keys and values belongs to one block: the query heads that share it come one after the other.
template <int kWidth, bool kSplit, typename Store>
__global__ void __launch_bounds__(Shape<kWidth, kSplit>::kThreads, Shape<kWidth, kSplit>::kBlocks)
    key_cotangent_kernel(AttentionCall call, const float* log_sums, const float* dots, const float* cotangent,
                         Target<Store> target) {
  using S = Shape<kWidth, kSplit>;
  constexpr int kM = S::kMoving, kTiles = kM / 8, kSlabs = S::kSlabs;
  const Place place = place_of_block();  // of the head of keys
  const int begin = call.texts.begins[place.text], length = call.texts.begins[place.text + 1] - begin;
  if (place.first >= length) return;
  extern __shared__ float4 shared4[];
  float* keys = reinterpret_cast<float*>(shared4);
  float* values = keys + kRows * S::kStride;
  float* queries = values + kRows * S::kStride;
  float* outs = queries + kM * S::kStride;
  float* log_sum = outs + kM * S::kStride;
  float* dot = log_sum + kM;
  const int w = call.width;
  const long stride = static_cast<long>(call.heads + 2 * call.kv_heads) * w;
  const long out_stride = static_cast<long>(call.heads) * w;
  const int key_column = (call.heads + place.head) * w, value_column = key_column + call.kv_heads * w;
  const float* rows = call.qkv + begin * stride;
  const auto bias_at = [&](int column) { return call.bias != nullptr ? call.bias + column : nullptr; };
  load_rows<kWidth, kSplit, kRows>(keys, rows + key_column, stride, bias_at(key_column), w, place.first, length);
  load_rows<kWidth, kSplit, kRows>(values, rows + value_column, stride, bias_at(value_column), w, place.first, length);
  const int lane = threadIdx.x % 32, warp_row = 16 * kSlabs * (threadIdx.x / 32);
  const auto key = [&](int m, int r) { return place.first + warp_row + 16 * m + lane / 4 + 8 * r; };
  float by_key[kSlabs][kWidth / 8][4] = {}, by_value[kSlabs][kWidth / 8][4] = {};
  const int shared_by = call.heads / call.kv_heads;
  for (int head = place.head * shared_by; head < (place.head + 1) * shared_by; ++head) {
    const Sight sight(call, length, head);
    const int first = sight.first_query(place.first) / kM * kM;
    const int end = sight.end_query(min(place.first + kRows, length) - 1);
    for (int query0 = first; query0 < end; query0 += kM) {
      __syncthreads();
      load_rows<kWidth, kSplit, kM>(queries, rows + head * w, stride, bias_at(head * w), w, query0, length);
      load_rows<kWidth, kSplit, kM>(outs, cotangent + begin * out_stride + head * w, out_stride, nullptr, w, query0,
                                    length);
      for (int q = threadIdx.x; q < kM; q += S::kThreads) {
        const long at = static_cast<long>(begin + min(query0 + q, length - 1)) * call.heads + head;
        log_sum[q] = log_sums[at];
        dot[q] = dots[at];
      }
      __syncthreads();
      float p[kSlabs][kTiles][4] = {}, slope[kSlabs][kTiles][4] = {};
      multiply_rows<kWidth, kSplit>(p, keys + warp_row * S::kStride, queries);
      multiply_rows<kWidth, kSplit>(slope, values + warp_row * S::kStride, outs);
      if (!sight.whole(query0 + kM, length)) {
        // Rows of the tile are keys here, and columns queries.
#pragma unroll
        for (int m = 0; m < kSlabs; ++m)
#pragma unroll
          for (int t = 0; t < kTiles; ++t)
#pragma unroll
            for (int e = 0; e < 4; ++e)
              p[m][t][e] = sight.seen(p[m][t][e], query0 + 8 * t + 2 * (lane % 4) + e % 2, key(m, e / 2));
      }
#pragma unroll
      for (int m = 0; m < kSlabs; ++m)
#pragma unroll
        for (int t = 0; t < kTiles; ++t)
#pragma unroll
          for (int e = 0; e < 4; ++e) {
            const int q = 8 * t + 2 * (lane % 4) + e % 2;
            p[m][t][e] = exp2f(fmaf(p[m][t][e], sight.scale, -log_sum[q]));
            slope[m][t][e] = p[m][t][e] * (slope[m][t][e] - dot[q]);
          }
      multiply_tile<kWidth, kSplit>(by_value, p, outs);
      multiply_tile<kWidth, kSplit>(by_key, slope, queries);
    }
  }
#pragma unroll
  for (int m = 0; m < kSlabs; ++m)
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      if (key(m, r) >= length) continue;
#pragma unroll
      for (int u = 0; u < kWidth / 8; ++u) {
        const int c = 8 * u + 2 * (lane % 4);
        if (c >= w) continue;
        target.put(begin + key(m, r), key_column + c, by_key[m][u][2 * r] * call.scale,
                   by_key[m][u][2 * r + 1] * call.scale);
        target.put(begin + key(m, r), value_column + c, by_value[m][u][2 * r], by_value[m][u][2 * r + 1]);
      }
    }
}

// Calls body(width, split, store) with a compile-time width and what belongs to the precision.
template <typename Body>
void with_shape(const AttentionCall& call, const Operand& operand, const Body& body) {
  const auto with_width = [&](auto width) {
    switch (call.precision) {
      case Precision::kF32:
        return body(width, std::true_type{}, SplitStore{static_cast<float*>(operand.data), operand.columns});
      case Precision::kTf32:
        return body(width, std::false_type{}, PlainStore{static_cast<float*>(operand.data), operand.columns});
      case Precision::kBf16:
        return body(width, std::false_type{}, Bf16Store{static_cast<__nv_bfloat16*>(operand.data), operand.columns});
    }
  };
  if (call.width <= 32) return with_width(std::integral_constant<int, 32>{});
  if (call.width <= 64) return with_width(std::integral_constant<int, 64>{});
  if (call.width <= kWidestHead) return with_width(std::integral_constant<int, kWidestHead>{});
  throw std::length_error("heads of more than 128 columns");
}

dim3 grid_of(const AttentionCall& call, int heads) {
  return {static_cast<unsigned>((call.texts.longest + kRows - 1) / kRows), static_cast<unsigned>(heads),
          static_cast<unsigned>(call.texts.count)};
}

// More than 48 KB must be asked for.
template <typename Kernel>
void allow_shared(Kernel* kernel, size_t bytes) {
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}

}  // namespace

void attention_forward(cudaStream_t stream, const AttentionCall& call, float* context, const Operand& operand,
                       float* log_sums) {
  with_shape(call, operand, [&](auto width, auto split, auto store) {
    auto* kernel = forward_kernel<width(), split(), decltype(store)>;
    using S = Shape<width(), split()>;
    const size_t bytes = sizeof(float) * S::kStride * (kRows + 2 * S::kMoving);
    allow_shared(kernel, bytes);
    kernel<<<grid_of(call, call.heads), S::kThreads, bytes, stream>>>(call, context, store, log_sums);
  });
}

void attention_backward(cudaStream_t stream, const AttentionCall& call, long rows, const float* context,
                        const float* log_sums, const float* context_cotangent, float* dots, float* plain,
                        const Operand& operand) {
  const long items = rows * call.heads;
  dots_kernel<<<static_cast<unsigned>((32 * items + kDotThreads - 1) / kDotThreads), kDotThreads, 0, stream>>>(
      items, call.heads, call.width, context, context_cotangent, dots);
  with_shape(call, operand, [&](auto width, auto split, auto store) {
    const Target<decltype(store)> target{plain, (call.heads + 2 * call.kv_heads) * call.width, store};
    using S = Shape<width(), split()>;
    const size_t bytes = sizeof(float) * (S::kStride * (2 * kRows + 2 * S::kMoving) + 2 * S::kMoving);
    auto* by_query = query_cotangent_kernel<width(), split(), decltype(store)>;
    allow_shared(by_query, bytes);
    by_query<<<grid_of(call, call.heads), S::kThreads, bytes, stream>>>(call, log_sums, dots, context_cotangent,
                                                                        target);
    auto* by_key = key_cotangent_kernel<width(), split(), decltype(store)>;
    allow_shared(by_key, bytes);
    by_key<<<grid_of(call, call.kv_heads), S::kThreads, bytes, stream>>>(call, log_sums, dots, context_cotangent,
                                                                         target);
  });
}

}  // namespace wordsway::cuda
