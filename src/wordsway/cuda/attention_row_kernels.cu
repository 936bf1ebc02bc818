#include <stdexcept>
#include <type_traits>

#include "wordsway/cuda/attention_kernels.cuh"
#include "wordsway/cuda/attention_rows.cuh"

namespace wordsway::cuda {
namespace {

constexpr int kThreads = 256;

__device__ void add_times(float factor, float4 from, float4& to) {
  to = {fmaf(factor, from.x, to.x), fmaf(factor, from.y, to.y), fmaf(factor, from.z, to.z), fmaf(factor, from.w, to.w)};
}

__device__ float dot(float4 a, float4 b) {
  return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}

// A block goes through the rows of a text, several at a time: each has as many lanes as hold a head, four columns in
// one.
template <int kWidth>
struct Lanes {
  static constexpr int kLanes = kWidth / 4, kRows = kThreads / kLanes;
  int row = static_cast<int>(threadIdx.x) / kLanes, column = 4 * (static_cast<int>(threadIdx.x) % kLanes);

  // Over the lanes of a row.
  __device__ static float sum(float x) {
    for (int offset = kLanes / 2; offset > 0; offset /= 2) x += __shfl_xor_sync(0xffffffffu, x, offset);
    return x;
  }

  // Over the rows, in their order; to the lanes of the first of them.
  __device__ float4 sum_rows(float4 x) const {
    __shared__ float4 all[kThreads];
    __syncthreads();
    all[threadIdx.x] = x;
    __syncthreads();
    float4 found = {};
    if (row == 0)
      for (int r = 0; r < kRows; ++r) found = found + all[r * kLanes + column / 4];
    return found;
  }

  // The four columns of this lane; 0 where there are none.
  template <typename From>
  __device__ float4 load(const From& from, int width, int position, bool is_there) const {
    if (!is_there || column >= width) return {};
    return load4(from.at(position) + column);
  }
};

// The work of a block: a text, a head of keys and values, and a position.
template <int kWidth, typename Number>
struct RowCotangent {
  const AttentionCall& call;
  const Number *context, *cotangent;
  const float* log_sums;
  Lanes<kWidth> lanes;
  int begin, before, length, position;
  Projections<Number> from;

  __device__ RowCotangent(const AttentionCall& of, const int* positions, const Number* its_context,
                          const Number* its_cotangent, const float* its_log_sums)
      : call(of),
        context(its_context),
        cotangent(its_cotangent),
        log_sums(its_log_sums),
        begin(of.texts.begins[blockIdx.y]),
        before(of.texts.firsts != nullptr ? of.texts.firsts[blockIdx.y] : 0),
        length(before + of.texts.begins[blockIdx.y + 1] - begin),
        position(positions[blockIdx.y]),
        from{of, begin, before} {}

  // The slope of a score, and its weight: from products of query and key, and of cotangent and value.
  struct Score {
    float weight, slope;
  };
  __device__ Score score(const Sight& sight, int head, int query, int key, float product, float by_value,
                         float by_context) const {
    if (!sight.sees(query, key)) return {};
    const float log_sum = log_sums[static_cast<long>(begin + query - before) * call.heads + head];
    const float weight = exp2f(fmaf(sight.seen(product, query, key), sight.scale, -log_sum));
    return {weight, weight * (by_value - by_context)};
  }

  // The cotangents of the key and the value, from all queries that see them.
  __device__ void of_key(int kv_head, float4& by_key, float4& by_value) const {
    const int shared_by = call.heads / call.kv_heads, w = call.width;
    const float4 key = lanes.load(from.own(from.key_column(kv_head)), w, position, true);
    const float4 value = lanes.load(from.own(from.value_column(kv_head)), w, position, true);
    for (int head = kv_head * shared_by; head < (kv_head + 1) * shared_by; ++head) {
      const Sight sight(call, length, head);
      const int end = sight.end_query(position);
      for (int first = max(before, sight.first_query(position)); first < end; first += Lanes<kWidth>::kRows) {
        const int query = first + lanes.row;
        const float4 q = lanes.load(from.queries(head), w, query, query < end);
        const float4 o = lanes.load(from.of_context(head, cotangent), w, query, query < end);
        const float4 c = lanes.load(from.of_context(head, context), w, query, query < end);
        const Score found =
            score(sight, head, query, position, lanes.sum(dot(q, key)), lanes.sum(dot(o, value)), lanes.sum(dot(o, c)));
        add_times(found.weight, o, by_value);
        add_times(found.slope, q, by_key);
      }
    }
  }

  // The cotangent of the query, from all keys that it sees.
  __device__ void of_query(int head, float4& by_query) const {
    const int kv_head = head * call.kv_heads / call.heads, w = call.width;
    const float4 query = lanes.load(from.queries(head), w, position, true);
    const float4 o = lanes.load(from.of_context(head, cotangent), w, position, true);
    const float4 c = lanes.load(from.of_context(head, context), w, position, true);
    const float by_context = lanes.sum(dot(o, c));
    const Sight sight(call, length, head);
    const int end = sight.end_key(position);
    for (int first = sight.first_key(position); first < end; first += Lanes<kWidth>::kRows) {
      const int key = first + lanes.row;
      const float4 k = lanes.load(from.all(from.key_column(kv_head)), w, key, key < end);
      const float4 v = lanes.load(from.all(from.value_column(kv_head)), w, key, key < end);
      const Score found = score(sight, head, position, key, lanes.sum(dot(query, k)), lanes.sum(dot(o, v)), by_context);
      add_times(found.slope, k, by_query);
    }
  }

  __device__ void store(float* rows, int column, float scale, float4 lane) const {
    const float4 found = lanes.sum_rows(lane);
    if (lanes.row != 0 || lanes.column >= call.width) return;
    float* to = rows + static_cast<long>(blockIdx.y) * (call.heads + 2 * call.kv_heads) * call.width;
    *reinterpret_cast<float4*>(to + column + lanes.column) = {found.x * scale, found.y * scale, found.z * scale,
                                                              found.w * scale};
  }
};

// Blocks x < H have a head of queries, those after them a head of keys and values.
template <int kWidth, typename Number>
__global__ void __launch_bounds__(kThreads)
    row_cotangent_kernel(AttentionCall call, const int* positions, const Number* context, const float* log_sums,
                         const Number* cotangent, float* rows) {
  const RowCotangent<kWidth, Number> row(call, positions, context, cotangent, log_sums);
  const auto head = static_cast<int>(blockIdx.x);
  if (head < call.heads) {
    float4 by_query = {};
    row.of_query(head, by_query);
    row.store(rows, head * call.width, call.scale, by_query);
  } else {
    const int kv_head = head - call.heads;
    float4 by_key = {}, by_value = {};
    row.of_key(kv_head, by_key, by_value);
    row.store(rows, row.from.key_column(kv_head), call.scale, by_key);
    row.store(rows, row.from.value_column(kv_head), 1, by_value);
  }
}

}  // namespace

void attention_backward_rows(cudaStream_t stream, const AttentionCall& call, const int* positions, const void* context,
                             const float* log_sums, const void* context_cotangent, float* rows) {
  const dim3 grid(static_cast<unsigned>(call.heads + call.kv_heads), static_cast<unsigned>(call.texts.count));
  const auto run = [&]<int kWidth, typename Number>(std::integral_constant<int, kWidth>, const Number* numbers) {
    row_cotangent_kernel<kWidth, Number><<<grid, kThreads, 0, stream>>>(
        call, positions, numbers, log_sums, static_cast<const Number*>(context_cotangent), rows);
  };
  const auto with_width = [&](auto width) {
    if (call.precision == Precision::kBf16) {
      run(width, static_cast<const __nv_bfloat16*>(context));
    } else {
      run(width, static_cast<const float*>(context));
    }
  };
  if (call.width <= 32) return with_width(std::integral_constant<int, 32>{});
  if (call.width <= 64) return with_width(std::integral_constant<int, 64>{});
  if (call.width <= kWidestHead) return with_width(std::integral_constant<int, kWidestHead>{});
  throw std::length_error("heads of more than 128 columns");
}

}  // namespace wordsway::cuda
