// The backward pass of attention over texts that fit into the shared memory of a block whole: one block for a text and
// a head. Scores are computed once for the cotangents of queries, keys and values, where the kernels of longer texts
// (attention_kernels.cu) compute them twice, and rows are read once.
#include "wordsway/cuda/attention_blocks.cuh"

namespace wordsway::cuda {
namespace {

// A step goes over some keys. Every warp has 16 queries: it leaves their weights P and slopes dS on these keys in
// shared memory, and adds up its queries' cotangents dS·K. Then every warp has 16 of the keys, and Pᵀ·dO or dSᵀ·Q of
// them.
template <typename Tiles>
struct Step {
  static constexpr int kWarps = Tiles::kStaying / 16;
  // Keys at once: accumulators of wide heads leave fewer registers.
  static constexpr int kKeys = Tiles::kWidth >= 64 || Tiles::kStaying < 64 ? 32 : 64;
  static constexpr int kStride = kKeys + 8;
  static constexpr int kGroups = kKeys / 16;
  // Columns are dealt out too where there are warps for it.
  static constexpr int kParts = kWarps > 2 * kGroups ? kWarps / (2 * kGroups) : 1;
  static constexpr int kColumns = Tiles::kWidth / kParts;

  // 4 matrices of the text, and 2 of a step.
  static constexpr int kNumbers = Tiles::kStaying * (4 * Tiles::kStride + 2 * kStride);
};

template <typename Tiles, typename Store>
__global__ void __launch_bounds__(kThreads<Tiles>, Tiles::kBlocks)
    whole_cotangent_kernel(AttentionCall call, const float* log_sums, AttentionScratch scratch,
                           const typename Store::Product* cotangent, Target<Store> target) {
  using S = Step<Tiles>;
  using Number = typename Tiles::Number;
  constexpr int kRows = Tiles::kStaying, kTiles = S::kKeys / 8, kWidth = Tiles::kWidth;
  const Place<Tiles> place(call);
  if (place.is_empty()) return;
  extern __shared__ float4 shared4[];
  auto* queries = reinterpret_cast<Number*>(shared4);
  Number *keys = queries + kRows * Tiles::kStride, *values = keys + kRows * Tiles::kStride;
  Number *outs = values + kRows * Tiles::kStride, *weights = outs + kRows * Tiles::kStride;
  Number* slopes = weights + kRows * S::kStride;
  const int w = call.width, n = place.length;
  const Projections<typename Store::Product> from{call, place.begin, 0};
  const int key_column = from.key_column(place.head), value_column = from.value_column(place.head);
  const float factor = cotangent_factor<Tiles>(scratch.largest, place.text);
  load_rows<Tiles, kRows>(queries, from.queries(place.head), w, 0, n);
  load_rows<Tiles, kRows>(keys, from.own(key_column), w, 0, n);
  load_rows<Tiles, kRows>(values, from.own(value_column), w, 0, n);
  load_rows<Tiles, kRows>(outs, from.of_context(place.head, cotangent), w, 0, n, factor);
  const Sight sight(call, n, place.head);
  const int warp = static_cast<int>(threadIdx.x) / 32, row = place.warp_row();
  float log_sum[2] = {}, dot[2] = {}, by_query[kWidth / 8][4] = {};
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    if (place.position(r) >= n) continue;
    const long at = place.row(place.position(r)) * call.heads + place.head;
    log_sum[r] = log_sums[at];
    dot[r] = scratch.dots[at] * factor;
  }
  const float back = 1 / factor;
  await_copies();
  __syncthreads();
  for (int key0 = 0; key0 < n; key0 += S::kKeys) {
    if (!place.is_idle()) {
      float p[kTiles][4] = {}, slope[kTiles][4] = {};
      Tiles::multiply_rows(p, queries + row * Tiles::kStride, keys + key0 * Tiles::kStride);
      Tiles::multiply_rows(slope, outs + row * Tiles::kStride, values + key0 * Tiles::kStride);
      const bool whole = sight.whole(row + 16, key0 + S::kKeys);
#pragma unroll
      for (int t = 0; t < kTiles; ++t)
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          if (!whole) p[t][e] = sight.seen(p[t][e], place.position(e / 2), key0 + column_of(t, e));
          p[t][e] = Tiles::exp2(fmaf(p[t][e], sight.scale, -log_sum[e / 2]));
          slope[t][e] = p[t][e] * (slope[t][e] - dot[e / 2]);
        }
      Tiles::template put_tile<S::kStride>(weights + row * S::kStride, p);
      Tiles::template put_tile<S::kStride>(slopes + row * S::kStride, slope);
      Tiles::multiply_tile(by_query, slope, keys + key0 * Tiles::kStride);
    }
    __syncthreads();
    for (int unit = warp; unit < 2 * S::kGroups * S::kParts; unit += S::kWarps) {
      const int key = key0 + 16 * (unit % S::kGroups), part = unit / (2 * S::kGroups) * S::kColumns;
      const bool of_keys = unit / S::kGroups % 2 == 1;
      if (key >= n) continue;
      float found[S::kColumns / 8][4] = {};
      Tiles::template multiply_columns<S::kStride>(found, (of_keys ? slopes : weights) + key - key0,
                                                   (of_keys ? queries : outs) + part, (n + 15) / 16 * 16);
      const float scale = of_keys ? call.scale * back : back;
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        const int position = key + static_cast<int>(threadIdx.x) % 32 / 4 + 8 * r;
        target.put(place.row(position), position < n, r, of_keys ? key_column : value_column, part, w, scale, found);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 2; ++r)
    target.put(place.row(place.position(r)), place.position(r) < n, r, place.head * w, 0, w, call.scale * back,
               by_query);
}

int most_shared_bytes() {
  static const int bytes = [] {
    int there = 0;
    cudaDeviceGetAttribute(&there, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    return there;
  }();
  return bytes;
}

template <typename Tiles, typename Store>
bool run(cudaStream_t stream, const AttentionCall& call, const float* log_sums, const void* context_cotangent,
         const AttentionScratch& scratch, float* plain, const Store& store) {
  constexpr int kBytes = static_cast<int>(sizeof(typename Tiles::Number)) * Step<Tiles>::kNumbers;
  if (kBytes > most_shared_bytes()) return false;
  auto* kernel = whole_cotangent_kernel<Tiles, Store>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  const dim3 grid(1, static_cast<unsigned>(call.heads), static_cast<unsigned>(call.texts.count));
  kernel<<<grid, kThreads<Tiles>, kBytes, stream>>>(call, log_sums, scratch,
                                                    static_cast<const typename Store::Product*>(context_cotangent),
                                                    Target<Store>{plain, 3 * call.heads * call.width, store});
  return true;
}

template <typename Half, typename Store, typename... Rest>
bool run_shape(cudaStream_t stream, const AttentionCall& call, const Store& store, const Rest&... rest) {
  const auto with_width = [&]<int kWidth>(std::integral_constant<int, kWidth>) {
    if (call.texts.longest <= kShortText) return run<HalfTiles<kWidth, kShortText, Half>>(stream, call, rest..., store);
    if (call.texts.longest <= 128) return run<HalfTiles<kWidth, 128, Half>>(stream, call, rest..., store);
    if constexpr (kWidth <= 64)
      if (call.texts.longest <= 256) return run<HalfTiles<kWidth, 256, Half>>(stream, call, rest..., store);
    return false;
  };
  if (call.width <= 32) return with_width(std::integral_constant<int, 32>{});
  if (call.width <= 64) return with_width(std::integral_constant<int, 64>{});
  return with_width(std::integral_constant<int, kWidestHead>{});
}

}  // namespace

bool attention_backward_whole(cudaStream_t stream, const AttentionCall& call, const float* log_sums,
                              const void* context_cotangent, const AttentionScratch& scratch, float* plain,
                              const Operand& operand) {
  if (call.heads != call.kv_heads || call.texts.before != nullptr) return false;
  switch (call.precision) {
    case Precision::kF32:
      return false;
    case Precision::kTf32:
      return run_shape<__half>(stream, call, PlainStore{static_cast<float*>(operand.data), operand.columns}, log_sums,
                               context_cotangent, scratch, plain);
    case Precision::kBf16:
      return run_shape<__nv_bfloat16>(stream, call,
                                      Bf16Store{static_cast<__nv_bfloat16*>(operand.data), operand.columns}, log_sums,
                                      context_cotangent, scratch, plain);
  }
  return false;
}

}  // namespace wordsway::cuda
