#include "wordsway/cuda/attention_kernels.cuh"

#include <stdexcept>

#include "wordsway/cuda/operand.cuh"

namespace wordsway::cuda {
namespace {

constexpr int kWarps = 4, kThreads = 32 * kWarps;
constexpr int kRows = 16 * kWarps;  // of the tile that stays: 16 for each warp

// The tile that moves has fewer rows for wide heads, whose sums fill the registers.
template <int kWidth>
inline constexpr int kMoving = kWidth > 64 ? 32 : 64;
// From row to row in shared memory: +4 spreads what a warp reads at once over all banks, by rows and by columns.
template <int kWidth>
inline constexpr int kStride = kWidth + 4;

__device__ void mma(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Numbers of a fragment as TF32, and what that leaves out where it counts.
template <int kCount, bool kSplit>
struct Fragment {
  unsigned high[kCount];
  unsigned low[kSplit ? kCount : 1];

  __device__ void set(int k, float x) {
    const float rounded = tf32_of(x);
    high[k] = __float_as_uint(rounded);
    if constexpr (kSplit) low[k] = __float_as_uint(x - rounded);
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

// c[t] += A·Bᵀ for the warp's 16 rows of A and rows 8t ... of B, both in shared memory, [rows, kWidth].
template <int kWidth, int kTiles, bool kSplit>
__device__ void multiply_rows(float (&c)[kTiles][4], const float* a_rows, const float* b_rows) {
  constexpr int kS = kStride<kWidth>;
  const int lane = threadIdx.x % 32, row = lane / 4, column = lane % 4;
#pragma unroll
  for (int k = 0; k < kWidth; k += 8) {
    Fragment<4, kSplit> a;
    a.set(0, a_rows[row * kS + k + column]);
    a.set(1, a_rows[(row + 8) * kS + k + column]);
    a.set(2, a_rows[row * kS + k + column + 4]);
    a.set(3, a_rows[(row + 8) * kS + k + column + 4]);
#pragma unroll
    for (int t = 0; t < kTiles; ++t) {
      Fragment<2, kSplit> b;
      b.set(0, b_rows[(8 * t + row) * kS + k + column]);
      b.set(1, b_rows[(8 * t + row) * kS + k + column + 4]);
      multiply(c[t], a, b);
    }
  }
}

// c[u] += P·B for P in the accumulators of a product, [16, 8·kTiles], and columns 8u ... of B, [8·kTiles, kWidth]. An
// accumulator has columns 2q and 2q + 1 where a fragment has q and q + 4: B's rows are taken in the same order.
template <int kWidth, int kTiles, bool kSplit>
__device__ void multiply_tile(float (&c)[kWidth / 8][4], const float (&p)[kTiles][4], const float* b_rows) {
  constexpr int kS = kStride<kWidth>;
  const int lane = threadIdx.x % 32, column = lane / 4, pair = 2 * (lane % 4);
#pragma unroll
  for (int t = 0; t < kTiles; ++t) {
    Fragment<4, kSplit> a;
    a.set(0, p[t][0]);
    a.set(1, p[t][2]);
    a.set(2, p[t][1]);
    a.set(3, p[t][3]);
#pragma unroll
    for (int u = 0; u < kWidth / 8; ++u) {
      Fragment<2, kSplit> b;
      b.set(0, b_rows[(8 * t + pair) * kS + 8 * u + column]);
      b.set(1, b_rows[(8 * t + pair + 1) * kS + 8 * u + column]);
      multiply(c[u], a, b);
    }
  }
}

// Rows [first, first + kTileRows) of a text, w columns of a matrix from `column` on, into shared memory; 0 past the end.
template <int kWidth, int kTileRows>
__device__ void load_rows(float* to, const float* from, long stride, const float* bias, int width, int first, int count) {
  constexpr int kQuads = kWidth / 4;
  for (int item = threadIdx.x; item < kTileRows * kQuads; item += kThreads) {
    const int row = item / kQuads, c = 4 * (item % kQuads);
    float4 v = {0, 0, 0, 0};
    if (first + row < count && c < width) {
      v = *reinterpret_cast<const float4*>(from + (first + row) * stride + c);
      if (bias != nullptr) {
        const float4 b = *reinterpret_cast<const float4*>(bias + c);
        v = {v.x + b.x, v.y + b.y, v.z + b.z, v.w + b.w};
      }
    }
    *reinterpret_cast<float4*>(to + row * kStride<kWidth> + c) = v;
  }
}

// What a query may see of a text.
struct Sight {
  const AttentionCall& call;
  int length;
  const float* bias;  // of the head, by distance

  __device__ Sight(const AttentionCall& of, int tokens, int head)
      : call(of),
        length(tokens),
        bias(of.distance_bias != nullptr ? of.distance_bias + static_cast<long>(head) * (2 * of.most - 1) + of.most - 1
                                         : nullptr) {}

  __device__ bool sees(int query, int key) const {
    if (query >= length || key >= length || (call.causal && key > query)) return false;
    return call.window < 0 || abs(key - query) <= call.window;
  }
  __device__ float score(float product, int query, int key) const {
    return bias != nullptr ? product * call.scale + bias[key - query] : product * call.scale;
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

__device__ float quad_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}

__device__ float quad_sum(float x) {
  x += __shfl_xor_sync(0xffffffffu, x, 1);
  return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

template <int kWidth, bool kSplit, typename Store>
__global__ void __launch_bounds__(kThreads) forward_kernel(AttentionCall call, float* context, Store store, float* log_sums) {
  constexpr int kM = kMoving<kWidth>, kTiles = kM / 8;
  const Place place = place_of_block();
  const int begin = call.texts.begins[place.text], length = call.texts.begins[place.text + 1] - begin;
  if (place.first >= length) return;
  extern __shared__ float4 shared4[];
  float* queries = reinterpret_cast<float*>(shared4);
  float* keys = queries + kRows * kStride<kWidth>;
  float* values = keys + kM * kStride<kWidth>;
  const int w = call.width, group = place.head * call.kv_heads / call.heads;
  const long stride = static_cast<long>(call.heads + 2 * call.kv_heads) * w;
  const int key_column = (call.heads + group) * w, value_column = key_column + call.kv_heads * w;
  const float* rows = call.qkv + begin * stride;
  const auto bias_at = [&](int column) { return call.bias != nullptr ? call.bias + column : nullptr; };
  load_rows<kWidth, kRows>(queries, rows + place.head * w, stride, bias_at(place.head * w), w, place.first, length);
  const Sight sight(call, length, place.head);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int query[2] = {place.first + 16 * warp + lane / 4, place.first + 16 * warp + lane / 4 + 8};
  float most[2] = {-INFINITY, -INFINITY}, sum[2] = {0, 0}, out[kWidth / 8][4] = {};
  const int first = sight.first_key(place.first) / kM * kM, end = sight.end_key(min(place.first + kRows, length) - 1);
  for (int key0 = first; key0 < end; key0 += kM) {
    __syncthreads();
    load_rows<kWidth, kM>(keys, rows + key_column, stride, bias_at(key_column), w, key0, length);
    load_rows<kWidth, kM>(values, rows + value_column, stride, bias_at(value_column), w, key0, length);
    __syncthreads();
    float p[kTiles][4] = {};
    multiply_rows<kWidth, kTiles, kSplit>(p, queries + 16 * warp * kStride<kWidth>, keys);
    float highest[2] = {most[0], most[1]};
#pragma unroll
    for (int t = 0; t < kTiles; ++t)
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int key = key0 + 8 * t + 2 * (lane % 4) + e % 2;
        p[t][e] = sight.sees(query[e / 2], key) ? sight.score(p[t][e], query[e / 2], key) : -INFINITY;
        highest[e / 2] = fmaxf(highest[e / 2], p[t][e]);
      }
    float factor[2];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      highest[r] = quad_max(highest[r]);
      const float finite = highest[r] == -INFINITY ? 0.f : highest[r];
      factor[r] = expf(most[r] - finite);  // 0 the first time
      most[r] = highest[r];
      highest[r] = finite;
      sum[r] *= factor[r];
    }
#pragma unroll
    for (int t = 0; t < kTiles; ++t)
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        p[t][e] = expf(p[t][e] - highest[e / 2]);
        sum[e / 2] += p[t][e];
      }
#pragma unroll
    for (int u = 0; u < kWidth / 8; ++u)
#pragma unroll
      for (int e = 0; e < 4; ++e) out[u][e] *= factor[e / 2];
    multiply_tile<kWidth, kTiles, kSplit>(out, p, values);
  }
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    sum[r] = quad_sum(sum[r]);
    if (query[r] >= length) continue;
    const long row = begin + query[r];
    if (log_sums != nullptr && lane % 4 == 0) log_sums[row * call.heads + place.head] = most[r] + logf(sum[r]);
#pragma unroll
    for (int u = 0; u < kWidth / 8; ++u) {
      const int c = 8 * u + 2 * (lane % 4);
      if (c >= w) continue;
      const float a = out[u][2 * r] / sum[r], b = out[u][2 * r + 1] / sum[r];
      const int column = place.head * w + c;
      if (context != nullptr)
        *reinterpret_cast<float2*>(context + row * call.heads * w + column) = {a, b};
      if (store.data != nullptr) store.put2(row, column, a, b);
    }
  }
}

// dots[row, head] = ⟨context, its cotangent⟩ of the head.
__global__ void dots_kernel(long items, int heads, int width, const float* context, const float* cotangent,
                            float* dots) {
  const long item = (static_cast<long>(blockIdx.x) * kThreads + threadIdx.x) / 32;
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
__global__ void __launch_bounds__(kThreads)
    query_cotangent_kernel(AttentionCall call, const float* log_sums, const float* dots, const float* cotangent, Target<Store> target) {
  constexpr int kM = kMoving<kWidth>, kTiles = kM / 8;
  const Place place = place_of_block();
  const int begin = call.texts.begins[place.text], length = call.texts.begins[place.text + 1] - begin;
  if (place.first >= length) return;
  extern __shared__ float4 shared4[];
  float* queries = reinterpret_cast<float*>(shared4);
  float* outs = queries + kRows * kStride<kWidth>;
  float* keys = outs + kRows * kStride<kWidth>;
  float* values = keys + kM * kStride<kWidth>;
  const int w = call.width, group = place.head * call.kv_heads / call.heads;
  const long stride = static_cast<long>(call.heads + 2 * call.kv_heads) * w, out_stride = static_cast<long>(call.heads) * w;
  const int key_column = (call.heads + group) * w, value_column = key_column + call.kv_heads * w;
  const float* rows = call.qkv + begin * stride;
  const auto bias_at = [&](int column) { return call.bias != nullptr ? call.bias + column : nullptr; };
  load_rows<kWidth, kRows>(queries, rows + place.head * w, stride, bias_at(place.head * w), w, place.first, length);
  load_rows<kWidth, kRows>(outs, cotangent + begin * out_stride + place.head * w, out_stride, nullptr, w, place.first, length);
  const Sight sight(call, length, place.head);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int query[2] = {place.first + 16 * warp + lane / 4, place.first + 16 * warp + lane / 4 + 8};
  float log_sum[2] = {0, 0}, dot[2] = {0, 0}, found[kWidth / 8][4] = {};
  for (int r = 0; r < 2; ++r) {
    if (query[r] >= length) continue;
    log_sum[r] = log_sums[static_cast<long>(begin + query[r]) * call.heads + place.head];
    dot[r] = dots[static_cast<long>(begin + query[r]) * call.heads + place.head];
  }
  const int first = sight.first_key(place.first) / kM * kM, end = sight.end_key(min(place.first + kRows, length) - 1);
  for (int key0 = first; key0 < end; key0 += kM) {
    __syncthreads();
    load_rows<kWidth, kM>(keys, rows + key_column, stride, bias_at(key_column), w, key0, length);
    load_rows<kWidth, kM>(values, rows + value_column, stride, bias_at(value_column), w, key0, length);
    __syncthreads();
    float p[kTiles][4] = {}, slope[kTiles][4] = {};
    multiply_rows<kWidth, kTiles, kSplit>(p, queries + 16 * warp * kStride<kWidth>, keys);
    multiply_rows<kWidth, kTiles, kSplit>(slope, outs + 16 * warp * kStride<kWidth>, values);
#pragma unroll
    for (int t = 0; t < kTiles; ++t)
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int r = e / 2, key = key0 + 8 * t + 2 * (lane % 4) + e % 2;
        const float weight = sight.sees(query[r], key) ? expf(sight.score(p[t][e], query[r], key) - log_sum[r]) : 0.f;
        p[t][e] = weight * (slope[t][e] - dot[r]) * call.scale;
      }
    multiply_tile<kWidth, kTiles, kSplit>(found, p, keys);
  }
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    if (query[r] >= length) continue;
#pragma unroll
    for (int u = 0; u < kWidth / 8; ++u) {
      const int c = 8 * u + 2 * (lane % 4);
      if (c < w) target.put(begin + query[r], place.head * w + c, found[u][2 * r], found[u][2 * r + 1]);
    }
  }
}

// A head of keys and values belongs to one block: the query heads that share it come one after the other.
template <int kWidth, bool kSplit, typename Store>
__global__ void __launch_bounds__(kThreads)
    key_cotangent_kernel(AttentionCall call, const float* log_sums, const float* dots, const float* cotangent, Target<Store> target) {
  constexpr int kM = kMoving<kWidth>, kTiles = kM / 8;
  const Place place = place_of_block();  // of the head of keys
  const int begin = call.texts.begins[place.text], length = call.texts.begins[place.text + 1] - begin;
  if (place.first >= length) return;
  extern __shared__ float4 shared4[];
  float* keys = reinterpret_cast<float*>(shared4);
  float* values = keys + kRows * kStride<kWidth>;
  float* queries = values + kRows * kStride<kWidth>;
  float* outs = queries + kM * kStride<kWidth>;
  float* log_sum = outs + kM * kStride<kWidth>;
  float* dot = log_sum + kM;
  const int w = call.width;
  const long stride = static_cast<long>(call.heads + 2 * call.kv_heads) * w, out_stride = static_cast<long>(call.heads) * w;
  const int key_column = (call.heads + place.head) * w, value_column = key_column + call.kv_heads * w;
  const float* rows = call.qkv + begin * stride;
  const auto bias_at = [&](int column) { return call.bias != nullptr ? call.bias + column : nullptr; };
  load_rows<kWidth, kRows>(keys, rows + key_column, stride, bias_at(key_column), w, place.first, length);
  load_rows<kWidth, kRows>(values, rows + value_column, stride, bias_at(value_column), w, place.first, length);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int key[2] = {place.first + 16 * warp + lane / 4, place.first + 16 * warp + lane / 4 + 8};
  float by_key[kWidth / 8][4] = {}, by_value[kWidth / 8][4] = {};
  const int shared_by = call.heads / call.kv_heads;
  for (int head = place.head * shared_by; head < (place.head + 1) * shared_by; ++head) {
    const Sight sight(call, length, head);
    const int first = sight.first_query(place.first) / kM * kM, end = sight.end_query(min(place.first + kRows, length) - 1);
    for (int query0 = first; query0 < end; query0 += kM) {
      __syncthreads();
      load_rows<kWidth, kM>(queries, rows + head * w, stride, bias_at(head * w), w, query0, length);
      load_rows<kWidth, kM>(outs, cotangent + begin * out_stride + head * w, out_stride, nullptr, w, query0, length);
      for (int q = threadIdx.x; q < kM; q += kThreads) {
        const long row = begin + min(query0 + q, length - 1);
        log_sum[q] = log_sums[row * call.heads + head];
        dot[q] = dots[row * call.heads + head];
      }
      __syncthreads();
      float p[kTiles][4] = {}, slope[kTiles][4] = {};
      multiply_rows<kWidth, kTiles, kSplit>(p, keys + 16 * warp * kStride<kWidth>, queries);
      multiply_rows<kWidth, kTiles, kSplit>(slope, values + 16 * warp * kStride<kWidth>, outs);
#pragma unroll
      for (int t = 0; t < kTiles; ++t)
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int r = e / 2, q = 8 * t + 2 * (lane % 4) + e % 2;
          const bool seen = sight.sees(query0 + q, key[r]);
          p[t][e] = seen ? expf(sight.score(p[t][e], query0 + q, key[r]) - log_sum[q]) : 0.f;
          slope[t][e] = p[t][e] * (slope[t][e] - dot[q]) * call.scale;
        }
      multiply_tile<kWidth, kTiles, kSplit>(by_value, p, outs);
      multiply_tile<kWidth, kTiles, kSplit>(by_key, slope, queries);
    }
  }
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    if (key[r] >= length) continue;
#pragma unroll
    for (int u = 0; u < kWidth / 8; ++u) {
      const int c = 8 * u + 2 * (lane % 4);
      if (c >= w) continue;
      target.put(begin + key[r], key_column + c, by_key[u][2 * r], by_key[u][2 * r + 1]);
      target.put(begin + key[r], value_column + c, by_value[u][2 * r], by_value[u][2 * r + 1]);
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
    const size_t bytes = sizeof(float) * kStride<width()> * (kRows + 2 * kMoving<width()>);
    allow_shared(kernel, bytes);
    kernel<<<grid_of(call, call.heads), kThreads, bytes, stream>>>(call, context, store, log_sums);
  });
}

void attention_backward(cudaStream_t stream, const AttentionCall& call, long rows, const float* context,
                        const float* log_sums, const float* context_cotangent, float* dots, float* plain,
                        const Operand& operand) {
  const long items = rows * call.heads;
  dots_kernel<<<static_cast<unsigned>((items + kWarps - 1) / kWarps), kThreads, 0, stream>>>(
      items, call.heads, call.width, context, context_cotangent, dots);
  with_shape(call, operand, [&](auto width, auto split, auto store) {
    const Target<decltype(store)> target{plain, (call.heads + 2 * call.kv_heads) * call.width, store};
    const size_t bytes = sizeof(float) * (kStride<width()> * (2 * kRows + 2 * kMoving<width()>) + 2 * kMoving<width()>);
    auto* by_query = query_cotangent_kernel<width(), split(), decltype(store)>;
    allow_shared(by_query, bytes);
    by_query<<<grid_of(call, call.heads), kThreads, bytes, stream>>>(call, log_sums, dots, context_cotangent, target);
    auto* by_key = key_cotangent_kernel<width(), split(), decltype(store)>;
    allow_shared(by_key, bytes);
    by_key<<<grid_of(call, call.kv_heads), kThreads, bytes, stream>>>(call, log_sums, dots, context_cotangent, target);
  });
}

}  // namespace wordsway::cuda
