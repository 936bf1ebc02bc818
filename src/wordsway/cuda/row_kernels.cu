#include <stdexcept>

#include "wordsway/cuda/operand.cuh"
#include "wordsway/cuda/row_kernels.cuh"

namespace wordsway::cuda {
namespace {

constexpr int kThreads = 256;

// Calls body(store) with the store of an operand's precision; a store without data is never written to.
template <typename Body>
void with_store(const Operand& operand, const Body& body) {
  switch (operand.precision) {
    case Precision::kF32:
      return body(SplitStore{static_cast<float*>(operand.data), operand.columns});
    case Precision::kTf32:
      return body(PlainStore{static_cast<float*>(operand.data), operand.columns});
    case Precision::kBf16:
      return body(Bf16Store{static_cast<__nv_bfloat16*>(operand.data), operand.columns});
  }
}

// Calls body(kGroup, kQuads) as compile-time numbers: threads for a row, and float4s that each of them holds.
template <int kGroup, int kQuads>
struct RowShape {};

template <typename Body>
void with_row_shape(int columns, const Body& body) {
  const int quads = columns / 4;
  if (quads <= 32) return body(RowShape<32, 1>{});
  if (quads <= 64) return body(RowShape<32, 2>{});
  if (quads <= 96) return body(RowShape<32, 3>{});
  if (quads <= 128) return body(RowShape<32, 4>{});
  if (quads <= 192) return body(RowShape<32, 6>{});
  if (quads <= 256) return body(RowShape<32, 8>{});
  if (quads <= 512) return body(RowShape<256, 2>{});
  if (quads <= 1024) return body(RowShape<256, 4>{});
  if (quads <= 2048) return body(RowShape<256, 8>{});
  throw std::length_error("rows of more than 8192 numbers");
}

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

// The sum over the threads of a row, in a fixed order.
template <int kGroup>
__device__ float group_sum(float value) {
  value = warp_sum(value);
  if constexpr (kGroup == 32) {
    return value;
  } else {
    __shared__ float sums[kGroup / 32];
    __syncthreads();
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
    __syncthreads();
    float total = 0;
    for (int warp = 0; warp < kGroup / 32; ++warp) total += sums[warp];
    return total;
  }
}

template <int kGroup, int kQuads, typename Store>
__global__ void norm_forward_kernel(long rows, int columns, NormForward norm, Store store) {
  const long row = static_cast<long>(blockIdx.x) * (kThreads / kGroup) + threadIdx.x / kGroup;
  if (row >= rows) return;  // whole groups leave together
  const int lane = threadIdx.x % kGroup;
  const long at = row * columns;
  const auto* product = static_cast<const typename Store::Product*>(norm.product);
  auto* normalised = static_cast<typename Store::Product*>(norm.normalised);
  float4 x[kQuads];
  float sum = 0;
#pragma unroll
  for (int q = 0; q < kQuads; ++q) {
    const int c = 4 * (q * kGroup + lane);
    x[q] = {0, 0, 0, 0};
    if (c >= columns) continue;
    if (product != nullptr) x[q] = load4(product + at + c);
    if (norm.product_bias != nullptr) x[q] = x[q] + load4(norm.product_bias + c);
    if (norm.residual != nullptr) x[q] = x[q] + load4(norm.residual + at + c);
    if (norm.sum != nullptr) store4(norm.sum + at + c, x[q]);
    sum += sum4(x[q]);
  }
  float inverse = 1;
  if (norm.gain != nullptr) {
    const float mean = norm.centred ? group_sum<kGroup>(sum) / static_cast<float>(columns) : 0.f;
    float squares = 0;
#pragma unroll
    for (int q = 0; q < kQuads; ++q) {
      if (4 * (q * kGroup + lane) >= columns) continue;
      x[q] = x[q] - mean;
      squares += sum4(x[q] * x[q]);
    }
    inverse = 1.f / sqrtf(group_sum<kGroup>(squares) / static_cast<float>(columns) + norm.epsilon);
    if (norm.inverse != nullptr && lane == 0) norm.inverse[row] = inverse;
  }
#pragma unroll
  for (int q = 0; q < kQuads; ++q) {
    const int c = 4 * (q * kGroup + lane);
    if (c >= columns) continue;
    float4 y = x[q] * inverse;
    if (norm.gain != nullptr) {
      if (normalised != nullptr) store4(normalised + at + c, y);
      y = y * load4(norm.gain + c);
      if (norm.bias != nullptr) y = y + load4(norm.bias + c);
    }
    if (norm.plain != nullptr) store4(norm.plain + at + c, y);
    if (store.data != nullptr) store.put4(row, c, y);
  }
}

template <int kGroup, int kQuads, typename Store>
__global__ void norm_backward_kernel(long rows, int columns, NormBackward norm, Store store) {
  const long row = static_cast<long>(blockIdx.x) * (kThreads / kGroup) + threadIdx.x / kGroup;
  if (row >= rows) return;
  const int lane = threadIdx.x % kGroup;
  const long at = row * columns;
  const auto* product = static_cast<const typename Store::Product*>(norm.product);
  const auto* normalised = static_cast<const typename Store::Product*>(norm.normalised);
  float4 g[kQuads], z[kQuads];
  float along_one = 0, along_normalised = 0;
#pragma unroll
  for (int q = 0; q < kQuads; ++q) {
    const int c = 4 * (q * kGroup + lane);
    g[q] = z[q] = {0, 0, 0, 0};
    if (c >= columns) continue;
    if (product != nullptr) g[q] = load4(product + at + c);
    if (norm.cotangent != nullptr) g[q] = g[q] + load4(norm.cotangent + at + c);
    if (norm.gain == nullptr) continue;
    g[q] = g[q] * load4(norm.gain + c);
    z[q] = load4(normalised + at + c);
    along_one += sum4(g[q]);
    along_normalised += sum4(g[q] * z[q]);
  }
  float inverse = 1;
  if (norm.gain != nullptr) {
    along_one = norm.centred ? group_sum<kGroup>(along_one) / static_cast<float>(columns) : 0.f;
    along_normalised = group_sum<kGroup>(along_normalised) / static_cast<float>(columns);
    inverse = norm.inverse[row];
  }
#pragma unroll
  for (int q = 0; q < kQuads; ++q) {
    const int c = 4 * (q * kGroup + lane);
    if (c >= columns) continue;
    float4 x = norm.gain != nullptr ? (g[q] - along_one - z[q] * along_normalised) * inverse : g[q];
    if (norm.add != nullptr) x = x + load4(norm.add + at + c);
    if (norm.plain != nullptr) store4(norm.plain + at + c, x);
    if (store.data != nullptr) store.put4(row, c, x);
  }
}

struct Point {
  float value, slope;
};

__device__ float sigmoid(float x) {
  return 1.f / (1.f + expf(-x));
}

// Φ(x) = erfc(−x/√2)/2 by Abramowitz & Stegun 7.1.26, within 1.5e-7, from an exponential that its slope needs too: for
// precisions whose products are rounded more than that. erfcf takes twice as long as the numbers take to travel.
__device__ Point fast_gelu(float x) {
  const float z = fabsf(x) * 0.70710678118654752f, density = __expf(-z * z);
  const float t = __fdividef(1.f, fmaf(0.3275911f, z, 1.f));
  const float tail =
      t * fmaf(t, fmaf(t, fmaf(t, fmaf(t, 1.061405429f, -1.453152027f), 1.421413741f), -0.284496736f), 0.254829592f);
  const float beyond = 0.5f * tail * density, cdf = x > 0.f ? 1.f - beyond : beyond;
  return {x * cdf, fmaf(x * 0.39894228040143268f, density, cdf)};
}

template <ActivationKind kKind, bool kFast>
__device__ Point activation_at(float x) {
  if constexpr (kKind == ActivationKind::kGelu && kFast) {
    return fast_gelu(x);
  } else if constexpr (kKind == ActivationKind::kGelu) {
    const float cdf = 0.5f * erfcf(-x * 0.70710678118654752f);
    return {x * cdf, cdf + x * 0.39894228040143268f * expf(-0.5f * x * x)};
  } else if constexpr (kKind == ActivationKind::kGeluTanh) {
    constexpr float kSlope = 1.59576912f, kCubic = 0.044715f;
    const float s = sigmoid(kSlope * (x + kCubic * x * x * x));
    return {x * s, s + x * s * (1.f - s) * kSlope * (1.f + 3.f * kCubic * x * x)};
  } else if constexpr (kKind == ActivationKind::kRelu) {
    return {x > 0.f ? x : 0.f, x > 0.f ? 1.f : 0.f};
  } else if constexpr (kKind == ActivationKind::kSilu) {
    const float s = sigmoid(x);
    return {x * s, s + x * s * (1.f - s)};
  } else if constexpr (kKind == ActivationKind::kTanh) {
    const float value = tanhf(x);
    return {value, 1.f - value * value};
  } else {
    return {x, 1.f};
  }
}

template <typename Body>
void with_activation(ActivationKind kind, const Body& body) {
  switch (kind) {
    case ActivationKind::kGelu:
      return body(std::integral_constant<ActivationKind, ActivationKind::kGelu>{});
    case ActivationKind::kGeluTanh:
      return body(std::integral_constant<ActivationKind, ActivationKind::kGeluTanh>{});
    case ActivationKind::kRelu:
      return body(std::integral_constant<ActivationKind, ActivationKind::kRelu>{});
    case ActivationKind::kSilu:
      return body(std::integral_constant<ActivationKind, ActivationKind::kSilu>{});
    case ActivationKind::kTanh:
      return body(std::integral_constant<ActivationKind, ActivationKind::kTanh>{});
    default:
      return body(std::integral_constant<ActivationKind, ActivationKind::kIdentity>{});
  }
}

template <typename Store>
constexpr bool kRoundsMore = !std::is_same_v<Store, SplitStore>;  // than float32

// A thread has four columns of a few rows, so that the bias is read once and loads of all rows are on their way at
// once.
constexpr int kActivationThreads = 128, kActivationRows = 4;

// Calls visit(r, row) for the rows of this thread, all of which are there where the block is not the last.
template <typename Visit>
__device__ void for_each_row(long rows, const Visit& visit) {
  const long first = static_cast<long>(blockIdx.x) * kActivationRows;
#pragma unroll
  for (int r = 0; r < kActivationRows; ++r)
    if (first + r < rows) visit(r, first + r);
}

// A thread's columns of u: [a, b] where gated, each with its bias.
template <typename Number>
struct Inside {
  int columns;
  long wide;  // from row to row
  const Number* first;
  int c = 4 * static_cast<int>(blockIdx.y * kActivationThreads + threadIdx.x);
  float4 bias_a = {}, bias_b = {};

  __device__ Inside(int of_columns, const Activate& activate)
      : columns(of_columns),
        wide(activate.gated ? 2L * columns : columns),
        first(static_cast<const Number*>(activate.inside)) {
    if (activate.bias == nullptr || c >= columns) return;
    bias_a = load4(activate.bias + c);
    if (activate.gated) bias_b = load4(activate.bias + columns + c);
  }
  __device__ const Number* a(long row) const { return first + row * wide + c; }
  __device__ const Number* b(long row) const { return a(row) + columns; }
};

template <ActivationKind kKind, typename Store>
__global__ void activation_forward_kernel(long rows, int columns, Activate activate, Store store) {
  const Inside<typename Store::Product> inside(columns, activate);
  const int c = inside.c;
  if (c >= columns) return;
  decltype(raw4(inside.first)) a[kActivationRows] = {}, b[kActivationRows] = {};
  for_each_row(rows, [&](int r, long row) {
    a[r] = raw4(inside.a(row));
    if (activate.gated) b[r] = raw4(inside.b(row));
  });
  const auto value = [](float x) { return activation_at<kKind, kRoundsMore<Store>>(x).value; };
  for_each_row(rows, [&](int r, long row) {
    const float4 x = widened(a[r]) + inside.bias_a;
    float4 y = {value(x.x), value(x.y), value(x.z), value(x.w)};
    if (activate.gated) y = y * (widened(b[r]) + inside.bias_b);
    store.put4(row, c, y);
  });
}

template <ActivationKind kKind, typename Store>
__global__ void activation_backward_kernel(long rows, int columns, Activate activate,
                                           const typename Store::Product* cotangent, Store store) {
  const Inside<typename Store::Product> inside(columns, activate);
  const int c = inside.c;
  if (c >= columns) return;
  decltype(raw4(inside.first)) a[kActivationRows] = {}, b[kActivationRows] = {}, of_y[kActivationRows] = {};
  for_each_row(rows, [&](int r, long row) {
    a[r] = raw4(inside.a(row));
    of_y[r] = raw4(cotangent + row * columns + c);
    if (activate.gated) b[r] = raw4(inside.b(row));
  });
  const auto point = [](float x) { return activation_at<kKind, kRoundsMore<Store>>(x); };
  for_each_row(rows, [&](int r, long row) {
    const float4 x = widened(a[r]) + inside.bias_a, y = widened(of_y[r]);
    const Point p[4] = {point(x.x), point(x.y), point(x.z), point(x.w)};
    float4 slope = float4{p[0].slope, p[1].slope, p[2].slope, p[3].slope} * y;
    if (activate.gated) {
      slope = slope * (widened(b[r]) + inside.bias_b);
      store.put4(row, columns + c, y * float4{p[0].value, p[1].value, p[2].value, p[3].value});
    }
    store.put4(row, c, slope);
  });
}

// A warp for each head of queries and keys of each row.
template <typename Number>
__global__ void heads_forward_kernel(long rows, Heads h, Number* qkv) {
  const int all = h.heads + 2 * h.kv_heads, turning = h.heads + h.kv_heads;
  const long item = static_cast<long>(blockIdx.x) * (kThreads / 32) + threadIdx.x / 32;
  if (item >= rows * turning) return;
  const long row = item / turning;
  const int head = static_cast<int>(item % turning), lane = threadIdx.x % 32, half = h.width / 2;
  Number* to = qkv + (row * all + head) * h.width;
  __shared__ float of_warps[kThreads / 32][kWidestHead];
  float* x = of_warps[threadIdx.x / 32];
  for (int c = lane; c < h.width; c += 32) x[c] = static_cast<float>(to[c]);
  __syncwarp();
  if (h.query_gain != nullptr) {
    const float* gain = head < h.heads ? h.query_gain : h.key_gain;
    float squares = 0;
    for (int c = lane; c < h.width; c += 32) squares += x[c] * x[c];
    const float inverse = 1.f / sqrtf(warp_sum(squares) / static_cast<float>(h.width) + h.epsilon);
    if (lane == 0) h.inverse[item] = inverse;
    for (int c = lane; c < h.width; c += 32) {
      const float z = x[c] * inverse;
      h.normalised[item * h.width + c] = z;
      x[c] = z * gain[c];
    }
    __syncwarp();
  }
  if (h.cosines != nullptr) {
    const long angle = static_cast<long>(h.positions[row]) * half;
    for (int c = lane; c < half; c += 32) {
      const float a = x[c], b = x[c + half], cosine = h.cosines[angle + c], sine = h.sines[angle + c];
      x[c] = a * cosine - b * sine;
      x[c + half] = b * cosine + a * sine;
    }
    __syncwarp();
  }
  for (int c = lane; c < h.width; c += 32) to[c] = Number(x[c]);
}

__global__ void heads_backward_kernel(long rows, Heads h, float* qkv) {
  const int all = h.heads + 2 * h.kv_heads, turning = h.heads + h.kv_heads;
  const long item = static_cast<long>(blockIdx.x) * (kThreads / 32) + threadIdx.x / 32;
  if (item >= rows * all) return;
  const long row = item / all;
  const int head = static_cast<int>(item % all), lane = threadIdx.x % 32, half = h.width / 2;
  if (head >= turning) return;
  float* x = qkv + item * h.width;
  if (h.cosines != nullptr) {
    const long angle = static_cast<long>(h.positions[row]) * half;
    for (int c = lane; c < half; c += 32) {
      const float a = x[c], b = x[c + half], cosine = h.cosines[angle + c], sine = h.sines[angle + c];
      x[c] = a * cosine + b * sine;
      x[c + half] = b * cosine - a * sine;
    }
    __syncwarp();
  }
  if (h.query_gain == nullptr) return;
  const float* gain = head < h.heads ? h.query_gain : h.key_gain;
  const long kept = row * turning + head;
  const float* z = h.normalised + kept * h.width;
  float along = 0;
  for (int c = lane; c < h.width; c += 32) along += x[c] * gain[c] * z[c];
  along = warp_sum(along) / static_cast<float>(h.width);
  for (int c = lane; c < h.width; c += 32) x[c] = h.inverse[kept] * (x[c] * gain[c] - z[c] * along);
}

template <typename Store>
__global__ void make_operand_kernel(long quads, int columns, const float* from, long stride, Store store) {
  const long quad = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  if (quad >= quads) return;
  const int per_row = columns / 4, c = 4 * static_cast<int>(quad % per_row);
  const long row = quad / per_row;
  store.put4(row, c, load4(from + row * stride + c));
}

template <Precision kPrecision>
__global__ void make_weights_kernel(long count, int columns, long rows, const float* from, bool transposed, void* to) {
  const long entry = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  if (entry >= count) return;
  const long row = entry / columns, column = entry % columns;
  const float x = from[transposed ? column * rows + row : entry];
  if constexpr (kPrecision == Precision::kF32) {
    float* at = static_cast<float*>(to) + row * 3 * columns + column;
    const float high = tf32_of(x);
    at[0] = at[columns] = high;
    at[2 * columns] = x - high;
  } else if constexpr (kPrecision == Precision::kTf32) {
    static_cast<float*>(to)[entry] = x;
  } else {
    static_cast<__nv_bfloat16*>(to)[entry] = __float2bfloat16_rn(x);
  }
}

unsigned blocks_for(long items) {
  return static_cast<unsigned>((items + kThreads - 1) / kThreads);
}

}  // namespace

void norm_forward(cudaStream_t stream, long rows, int columns, const NormForward& norm) {
  with_store(norm.operand, [&](auto store) {
    with_row_shape(columns, [&]<int kGroup, int kQuads>(RowShape<kGroup, kQuads>) {
      const auto blocks = static_cast<unsigned>((rows * kGroup + kThreads - 1) / kThreads);
      norm_forward_kernel<kGroup, kQuads><<<blocks, kThreads, 0, stream>>>(rows, columns, norm, store);
    });
  });
}

void norm_backward(cudaStream_t stream, long rows, int columns, const NormBackward& norm) {
  with_store(norm.operand, [&](auto store) {
    with_row_shape(columns, [&]<int kGroup, int kQuads>(RowShape<kGroup, kQuads>) {
      const auto blocks = static_cast<unsigned>((rows * kGroup + kThreads - 1) / kThreads);
      norm_backward_kernel<kGroup, kQuads><<<blocks, kThreads, 0, stream>>>(rows, columns, norm, store);
    });
  });
}

namespace {

dim3 activation_grid(long rows, int columns) {
  constexpr int kColumns = 4 * kActivationThreads;
  return {static_cast<unsigned>((rows + kActivationRows - 1) / kActivationRows),
          static_cast<unsigned>((columns + kColumns - 1) / kColumns)};
}

}  // namespace

void activation_forward(cudaStream_t stream, long rows, int columns, const Activate& activate) {
  with_store(activate.operand, [&](auto store) {
    with_activation(activate.kind, [&](auto kind) {
      activation_forward_kernel<kind()>
          <<<activation_grid(rows, columns), kActivationThreads, 0, stream>>>(rows, columns, activate, store);
    });
  });
}

void activation_backward(cudaStream_t stream, long rows, int columns, const Activate& activate, const void* cotangent) {
  with_store(activate.operand, [&](auto store) {
    with_activation(activate.kind, [&](auto kind) {
      activation_backward_kernel<kind()><<<activation_grid(rows, columns), kActivationThreads, 0, stream>>>(
          rows, columns, activate, static_cast<const typename decltype(store)::Product*>(cotangent), store);
    });
  });
}

void heads_forward(cudaStream_t stream, long rows, const Heads& heads, Precision precision, void* qkv) {
  const long items = rows * (heads.heads + heads.kv_heads);
  with_store({nullptr, 0, precision}, [&](auto store) {
    heads_forward_kernel<<<blocks_for(items * 32), kThreads, 0, stream>>>(
        rows, heads, static_cast<typename decltype(store)::Product*>(qkv));
  });
}

void heads_backward(cudaStream_t stream, long rows, const Heads& heads, float* qkv_cotangent, const Operand& operand) {
  const int all = heads.heads + 2 * heads.kv_heads;
  heads_backward_kernel<<<blocks_for(rows * all * 32), kThreads, 0, stream>>>(rows, heads, qkv_cotangent);
  make_operand(stream, rows, all * heads.width, qkv_cotangent, static_cast<long>(all) * heads.width, operand);
}

void make_operand(cudaStream_t stream, long rows, int columns, const float* from, long stride, const Operand& operand) {
  const long quads = rows * (columns / 4);
  with_store(operand, [&](auto store) {
    make_operand_kernel<<<blocks_for(quads), kThreads, 0, stream>>>(quads, columns, from, stride, store);
  });
}

void make_weights(cudaStream_t stream, long rows, int columns, const float* from, bool transposed,
                  const Operand& operand) {
  const long count = rows * columns;
  switch (operand.precision) {
    case Precision::kF32:
      make_weights_kernel<Precision::kF32>
          <<<blocks_for(count), kThreads, 0, stream>>>(count, columns, rows, from, transposed, operand.data);
      break;
    case Precision::kTf32:
      make_weights_kernel<Precision::kTf32>
          <<<blocks_for(count), kThreads, 0, stream>>>(count, columns, rows, from, transposed, operand.data);
      break;
    case Precision::kBf16:
      make_weights_kernel<Precision::kBf16>
          <<<blocks_for(count), kThreads, 0, stream>>>(count, columns, rows, from, transposed, operand.data);
      break;
  }
}

}  // namespace wordsway::cuda
