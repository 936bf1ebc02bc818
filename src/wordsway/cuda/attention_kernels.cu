#include <stdexcept>

#include "wordsway/cuda/attention_blocks.cuh"

namespace wordsway::cuda {
namespace {

__device__ float quad_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}

__device__ float quad_sum(float x) {
  x += __shfl_xor_sync(0xffffffffu, x, 1);
  return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

// Scores of the warp's queries on the keys from key0 on; those that do not count are −∞.
template <typename Tiles, int kTiles>
__device__ void scores_of(float (&p)[kTiles][4], const typename Tiles::Number* queries,
                          const typename Tiles::Number* keys, const Sight& sight, const Place<Tiles>& place, int key0) {
  Tiles::multiply_rows(p, queries + place.warp_row() * Tiles::kStride, keys);
  if (sight.whole(sight.length, key0 + 8 * kTiles)) return;  // rows past the end of the text are not written
#pragma unroll
  for (int t = 0; t < kTiles; ++t)
#pragma unroll
    for (int e = 0; e < 4; ++e) p[t][e] = sight.seen(p[t][e], place.position(e / 2), key0 + column_of(t, e));
}

template <typename Tiles, typename Store>
__global__ void __launch_bounds__(kThreads<Tiles>, Tiles::kBlocks)
    forward_kernel(AttentionCall call, float* context, Store store, float* log_sums) {
  using Number = typename Tiles::Number;
  constexpr int kM = Tiles::kMovingKeys, kTiles = kM / 8, kWidth = Tiles::kWidth;
  const Place<Tiles> place(call);
  if (place.is_empty()) return;
  extern __shared__ float4 shared4[];
  auto* queries = reinterpret_cast<Number*>(shared4);
  auto* moving = queries + Tiles::kStaying * Tiles::kStride;
  const int w = call.width;
  const Projections<typename Store::Product> from{call, place.begin, place.before};
  const int kv_head = place.head * call.kv_heads / call.heads;
  load_rows<Tiles, Tiles::kStaying>(queries, from.queries(place.head), w, place.first, place.length);
  const Sight sight(call, place.length, place.head);
  float most[2] = {-INFINITY, -INFINITY}, sum[2] = {}, out[kWidth / 8][4] = {};
  const int begin = sight.first_key(place.first) / kM * kM, end = sight.end_key(place.last);
  const auto load = [&](int key0, Number* keys, Number* values, int) {
    load_rows<Tiles, kM>(keys, from.all(from.key_column(kv_head)), w, key0, place.length);
    load_rows<Tiles, kM>(values, from.all(from.value_column(kv_head)), w, key0, place.length);
  };
  for_each_pair<Tiles, kM>(moving, begin, end, load, [&](int key0, const Number* keys, const Number* values, int) {
    if (place.is_idle()) return;
    float p[kTiles][4] = {};
    scores_of<Tiles>(p, queries, keys, sight, place, key0);
    float highest[2] = {most[0], most[1]}, factor[2];
#pragma unroll
    for (int t = 0; t < kTiles; ++t)
#pragma unroll
      for (int e = 0; e < 4; ++e) highest[e / 2] = fmaxf(highest[e / 2], p[t][e]);
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      highest[r] = quad_max(highest[r]);
      const float finite = highest[r] == -INFINITY ? 0.f : highest[r];
      factor[r] = Tiles::exp2((most[r] - finite) * sight.scale);  // 0 the first time
      most[r] = highest[r];
      highest[r] = finite * sight.scale;
      sum[r] *= factor[r];
    }
#pragma unroll
    for (int t = 0; t < kTiles; ++t)
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        p[t][e] = Tiles::exp2(fmaf(p[t][e], sight.scale, -highest[e / 2]));
        sum[e / 2] += p[t][e];
      }
#pragma unroll
    for (int u = 0; u < kWidth / 8; ++u)
#pragma unroll
      for (int e = 0; e < 4; ++e) out[u][e] *= factor[e / 2];
    Tiles::multiply_tile(out, p, values);
  });
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    sum[r] = quad_sum(sum[r]);
    const int query = place.position(r);
    const float inverse = sum[r] > 0 ? 1.f / sum[r] : 0.f;
    const long row = place.row(query);
    const bool is_there = query < place.length;
    if (is_there && threadIdx.x % 4 == 0)
      log_sums[row * call.heads + place.head] = most[r] * sight.scale + log2f(sum[r]);
    if (context != nullptr)
      store_row(PlainStore{context, call.heads * w}, row, is_there, r, place.head * w, 0, w, inverse, out);
    store_row(store, row, is_there, r, place.head * w, 0, w, inverse, out);
  }
}

constexpr int kDotThreads = 256;

// dots[row, head] = ⟨context, its cotangent⟩, so many lanes for each as a head has quads, and the largest cotangent of
// each text: the bits of floats from 0 on are in the order of the floats.
template <bool kLargest, int kLanes, typename Number>
__global__ void dots_kernel(AttentionCall call, const Number* context, const Number* cotangent,
                            AttentionScratch scratch) {
  const int text = static_cast<int>(blockIdx.y);
  const long begin = static_cast<long>(call.texts.begins[text]) * call.heads;
  const long end = static_cast<long>(call.texts.begins[text + 1]) * call.heads;
  const long item = begin + (static_cast<long>(blockIdx.x) * kDotThreads + threadIdx.x) / kLanes;
  const int c = 4 * (static_cast<int>(threadIdx.x) % kLanes);
  float sum = 0, most = 0;
  if (item < end && c < call.width) {
    const float4 a = load4(context + item * call.width + c), b = load4(cotangent + item * call.width + c);
    sum = (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
    most = fmaxf(fmaxf(fabsf(b.x), fabsf(b.y)), fmaxf(fabsf(b.z), fabsf(b.w)));
  }
  for (int offset = kLanes / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (c == 0 && item < end) scratch.dots[item] = sum;
  if constexpr (kLargest) {
    __shared__ unsigned of_warps[kDotThreads / 32];
    const unsigned of_warp = __reduce_max_sync(0xffffffffu, __float_as_uint(most));
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = of_warp;
    __syncthreads();
    if (threadIdx.x != 0) return;
    unsigned of_block = 0;
    for (const unsigned warp : of_warps) of_block = max(of_block, warp);
    atomicMax(scratch.largest + text, of_block);  // the same in any order
  }
}

template <typename Tiles, typename Store>
__global__ void __launch_bounds__(kThreads<Tiles>, Tiles::kBlocks)
    query_cotangent_kernel(AttentionCall call, const float* log_sums, AttentionScratch scratch,
                           const typename Store::Product* cotangent, Target<Store> target) {
  using Number = typename Tiles::Number;
  constexpr int kM = Tiles::kMovingKeys, kTiles = kM / 8, kWidth = Tiles::kWidth;
  const Place<Tiles> place(call);
  if (place.is_empty()) return;
  extern __shared__ float4 shared4[];
  auto* queries = reinterpret_cast<Number*>(shared4);
  auto* outs = queries + Tiles::kStaying * Tiles::kStride;
  auto* moving = outs + Tiles::kStaying * Tiles::kStride;
  const int w = call.width;
  const Projections<typename Store::Product> from{call, place.begin, place.before};
  const int kv_head = place.head * call.kv_heads / call.heads;
  const float factor = cotangent_factor<Tiles>(scratch.largest, place.text);
  load_rows<Tiles, Tiles::kStaying>(queries, from.queries(place.head), w, place.first, place.length);
  load_rows<Tiles, Tiles::kStaying>(outs, from.of_context(place.head, cotangent), w, place.first, place.length, factor);
  const Sight sight(call, place.length, place.head);
  float log_sum[2] = {}, dot[2] = {}, found[kWidth / 8][4] = {};
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    if (place.position(r) >= place.length) continue;
    const long at = place.row(place.position(r)) * call.heads + place.head;
    log_sum[r] = log_sums[at];
    dot[r] = scratch.dots[at] * factor;
  }
  const int begin = sight.first_key(place.first) / kM * kM, end = sight.end_key(place.last);
  const auto load = [&](int key0, Number* keys, Number* values, int) {
    load_rows<Tiles, kM>(keys, from.all(from.key_column(kv_head)), w, key0, place.length);
    load_rows<Tiles, kM>(values, from.all(from.value_column(kv_head)), w, key0, place.length);
  };
  for_each_pair<Tiles, kM>(moving, begin, end, load, [&](int key0, const Number* keys, const Number* values, int) {
    if (place.is_idle()) return;
    float p[kTiles][4] = {}, slope[kTiles][4] = {};
    scores_of<Tiles>(p, queries, keys, sight, place, key0);
    Tiles::multiply_rows(slope, outs + place.warp_row() * Tiles::kStride, values);
#pragma unroll
    for (int t = 0; t < kTiles; ++t)
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const float weight = Tiles::exp2(fmaf(p[t][e], sight.scale, -log_sum[e / 2]));
        p[t][e] = weight * (slope[t][e] - dot[e / 2]);
      }
    Tiles::multiply_tile(found, p, keys);
  });
  const float back = call.scale / factor;
#pragma unroll
  for (int r = 0; r < 2; ++r)
    target.put(place.row(place.position(r)), place.position(r) < place.length, r, place.head * w, 0, w, back, found);
}

// A head of keys and values belongs to one block: the query heads that share it come one after the other. Keys are
// those of the text's own rows, which queries of these rows alone look at and have cotangents for.
template <typename Tiles, typename Store>
__global__ void __launch_bounds__(kThreads<Tiles>, Tiles::kBlocks)
    key_cotangent_kernel(AttentionCall call, const float* log_sums, AttentionScratch scratch,
                         const typename Store::Product* cotangent, Target<Store> target) {
  using Number = typename Tiles::Number;
  constexpr int kM = Tiles::kMovingQueries, kTiles = kM / 8, kWidth = Tiles::kWidth;
  const Place<Tiles> place(call);  // of the head of keys
  if (place.is_empty()) return;
  extern __shared__ float4 shared4[];
  auto* keys = reinterpret_cast<Number*>(shared4);
  auto* values = keys + Tiles::kStaying * Tiles::kStride;
  auto* moving = values + Tiles::kStaying * Tiles::kStride;
  auto* sums = reinterpret_cast<float*>(moving + 2 * kMovingPairs<Tiles> * kM * Tiles::kStride);  // log_sums and dots
  const int w = call.width;
  const float factor = cotangent_factor<Tiles>(scratch.largest, place.text);
  float by_key[kWidth / 8][4] = {}, by_value[kWidth / 8][4] = {};
  const Projections<typename Store::Product> from{call, place.begin, place.before};
  const int key_column = from.key_column(place.head), value_column = from.value_column(place.head);
  load_rows<Tiles, Tiles::kStaying>(keys, from.own(key_column), w, place.first, place.length);
  load_rows<Tiles, Tiles::kStaying>(values, from.own(value_column), w, place.first, place.length);
  const int shared_by = call.heads / call.kv_heads;
  for (int head = place.head * shared_by; head < (place.head + 1) * shared_by; ++head) {
    const Sight sight(call, place.length, head);
    const int first = max(place.before, sight.first_query(place.first)), end = sight.end_query(place.last);
    const auto load = [&](int query0, Number* queries, Number* outs, int which) {
      load_rows<Tiles, kM>(queries, from.queries(head), w, query0, place.length);
      load_rows<Tiles, kM>(outs, from.of_context(head, cotangent), w, query0, place.length, factor);
      float* log_sum = sums + 2 * which * kM;
      for (int q = threadIdx.x; q < kM; q += kThreads<Tiles>) {
        const long at = place.row(min(query0 + q, place.length - 1)) * call.heads + head;
        log_sum[q] = log_sums[at];
        log_sum[kM + q] = scratch.dots[at] * factor;
      }
    };
    const int begin = place.before + (first - place.before) / kM * kM;
    for_each_pair<Tiles, kM>(moving, begin, end, load,
                             [&](int query0, const Number* queries, const Number* outs, int which) {
                               if (place.is_idle()) return;
                               const float *log_sum = sums + 2 * which * kM, *dot = log_sum + kM;
                               float p[kTiles][4] = {}, slope[kTiles][4] = {};
                               // Rows of the tile are keys here, and columns queries.
                               Tiles::multiply_rows(p, keys + place.warp_row() * Tiles::kStride, queries);
                               Tiles::multiply_rows(slope, values + place.warp_row() * Tiles::kStride, outs);
                               const bool whole = sight.whole(query0 + kM, place.length);
#pragma unroll
                               for (int t = 0; t < kTiles; ++t)
#pragma unroll
                                 for (int e = 0; e < 4; ++e) {
                                   const int q = column_of(t, e);
                                   if (!whole) p[t][e] = sight.seen(p[t][e], query0 + q, place.position(e / 2));
                                   p[t][e] = Tiles::exp2(fmaf(p[t][e], sight.scale, -log_sum[q]));
                                   slope[t][e] = p[t][e] * (slope[t][e] - dot[q]);
                                 }
                               Tiles::multiply_tile(by_value, p, outs);
                               Tiles::multiply_tile(by_key, slope, queries);
                             });
  }
  const float back = 1 / factor;
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const long row = place.row(place.position(r));
    const bool is_there = place.position(r) < place.length;
    target.put(row, is_there, r, key_column, 0, w, call.scale * back, by_key);
    target.put(row, is_there, r, value_column, 0, w, back, by_value);
  }
}

template <typename Tiles>
struct Chosen {
  using Type = Tiles;
};

// Calls body(Chosen<Tiles>, store) with what belongs to the width of heads and the precision.
template <typename Body>
void with_tiles(const AttentionCall& call, const Operand& operand, const Body& body) {
  const auto with_shape = [&]<int kWidth, bool kShort>(std::integral_constant<int, kWidth>,
                                                       std::bool_constant<kShort>) {
    constexpr int kSplitRows = kShort ? kShortText : 64, kHalfRows = kShort ? kShortText : 128;
    switch (call.precision) {
      case Precision::kF32:
        return body(Chosen<SplitTiles<kWidth, kSplitRows>>{},
                    SplitStore{static_cast<float*>(operand.data), operand.columns});
      case Precision::kTf32:
        return body(Chosen<HalfTiles<kWidth, kHalfRows, __half>>{},
                    PlainStore{static_cast<float*>(operand.data), operand.columns});
      case Precision::kBf16:
        return body(Chosen<HalfTiles<kWidth, kHalfRows, __nv_bfloat16>>{},
                    Bf16Store{static_cast<__nv_bfloat16*>(operand.data), operand.columns});
    }
  };
  const auto with_width = [&](auto width) {
    return call.texts.longest <= kShortText ? with_shape(width, std::true_type{})
                                            : with_shape(width, std::false_type{});
  };
  if (call.width <= 32) return with_width(std::integral_constant<int, 32>{});
  if (call.width <= 64) return with_width(std::integral_constant<int, 64>{});
  if (call.width <= kWidestHead) return with_width(std::integral_constant<int, kWidestHead>{});
  throw std::length_error("heads of more than 128 columns");
}

template <typename Tiles>
dim3 grid_of(const AttentionCall& call, int heads) {
  return {static_cast<unsigned>((call.texts.longest + Tiles::kStaying - 1) / Tiles::kStaying),
          static_cast<unsigned>(heads), static_cast<unsigned>(call.texts.count)};
}

}  // namespace

void attention_forward(cudaStream_t stream, const AttentionCall& call, float* context, const Operand& operand,
                       float* log_sums) {
  with_tiles(call, operand, [&]<typename Tiles>(Chosen<Tiles>, auto store) {
    auto* kernel = forward_kernel<Tiles, decltype(store)>;
    const size_t bytes = shared_for<Tiles>(kernel, Tiles::kStaying + 2 * kMovingPairs<Tiles> * Tiles::kMovingKeys);
    kernel<<<grid_of<Tiles>(call, call.heads), kThreads<Tiles>, bytes, stream>>>(call, context, store, log_sums);
  });
}

void attention_backward(cudaStream_t stream, const AttentionCall& call, const void* context, const float* log_sums,
                        const void* context_cotangent, const AttentionScratch& scratch, float* plain,
                        const Operand& operand) {
  with_tiles(call, operand, [&]<typename Tiles>(Chosen<Tiles>, auto store) {
    using Store = decltype(store);
    using Number = typename Store::Product;
    const auto* cotangent = static_cast<const Number*>(context_cotangent);
    constexpr int kLanes = Tiles::kWidth / 4;
    const long items = static_cast<long>(call.texts.longest) * call.heads;
    const dim3 grid(static_cast<unsigned>((kLanes * items + kDotThreads - 1) / kDotThreads),
                    static_cast<unsigned>(call.texts.count));
    if constexpr (Tiles::kScaled)
      cudaMemsetAsync(scratch.largest, 0, sizeof(unsigned) * static_cast<size_t>(call.texts.count), stream);
    dots_kernel<Tiles::kScaled, kLanes>
        <<<grid, kDotThreads, 0, stream>>>(call, static_cast<const Number*>(context), cotangent, scratch);
    if (attention_backward_whole(stream, call, log_sums, context_cotangent, scratch, plain, operand)) return;
    const Target<Store> target{plain, (call.heads + 2 * call.kv_heads) * call.width, store};
    auto* by_query = query_cotangent_kernel<Tiles, Store>;
    const size_t query_bytes =
        shared_for<Tiles>(by_query, 2 * Tiles::kStaying + 2 * kMovingPairs<Tiles> * Tiles::kMovingKeys);
    by_query<<<grid_of<Tiles>(call, call.heads), kThreads<Tiles>, query_bytes, stream>>>(call, log_sums, scratch,
                                                                                         cotangent, target);
    auto* by_key = key_cotangent_kernel<Tiles, Store>;
    const size_t key_bytes =
        shared_for<Tiles>(by_key, 2 * Tiles::kStaying + 2 * kMovingPairs<Tiles> * Tiles::kMovingQueries,
                          2 * kMovingPairs<Tiles> * Tiles::kMovingQueries);
    by_key<<<grid_of<Tiles>(call, call.kv_heads), kThreads<Tiles>, key_bytes, stream>>>(call, log_sums, scratch,
                                                                                        cotangent, target);
  });
}

}  // namespace wordsway::cuda
