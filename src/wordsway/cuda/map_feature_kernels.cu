#include "wordsway/cuda/map_kernels.cuh"
#include "wordsway/cuda/row_pass.cuh"

namespace wordsway::cuda {
namespace {

__device__ void philox_words(std::uint64_t counter, std::uint64_t key, std::uint32_t (&words)[4]) {
  std::uint32_t c0 = static_cast<std::uint32_t>(counter), c1 = static_cast<std::uint32_t>(counter >> 32), c2 = 0,
                c3 = 0, k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const std::uint32_t high0 = __umulhi(0xD2511F53u, c0), low0 = 0xD2511F53u * c0;
    const std::uint32_t high1 = __umulhi(0xCD9E8D57u, c2), low1 = 0xCD9E8D57u * c2;
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  words[0] = c0;
  words[1] = c1;
  words[2] = c2;
  words[3] = c3;
}

__device__ double unit_interval(std::uint32_t low, std::uint32_t high) {
  const std::uint64_t bits = low | static_cast<std::uint64_t>(high) << 32;
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

// Numbers 2t and 2t + 1 of a stream.
__device__ double2 gaussian_pair(std::uint64_t key, std::uint64_t t) {
  std::uint32_t words[4];
  philox_words(t, key, words);
  const double radius = sqrt(-2 * log(unit_interval(words[0], words[1])));
  double sine, cosine;
  sincospi(2 * unit_interval(words[2], words[3]), &sine, &cosine);
  return {radius * cosine, radius * sine};
}

__global__ void fill_gaussians_kernel(std::uint64_t key, std::uint64_t first, std::uint64_t count, double scale,
                                      double* out) {
  const std::uint64_t first_pair = first / 2, last_pair = (first + count + 1) / 2;
  for (std::uint64_t t = first_pair + blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x; t < last_pair;
       t += static_cast<std::uint64_t>(gridDim.x) * blockDim.x) {
    const double2 pair = gaussian_pair(key, t);
    if (2 * t >= first && 2 * t < first + count) out[2 * t - first] = scale * pair.x;
    if (2 * t + 1 >= first && 2 * t + 1 < first + count) out[2 * t + 1 - first] = scale * pair.y;
  }
}

// A warp for each row.
__global__ void gaussian_product_kernel(const std::uint64_t* keys, int matrices, long rows, int columns, double scale,
                                        const double* x, double* z) {
  const long row = blockIdx.x * static_cast<long>(kWarps) + threadIdx.x / 32;
  if (row >= rows) return;
  const std::uint64_t begin = static_cast<std::uint64_t>(row) * columns, end = begin + columns;
  double sum = 0;
  for (int j = 0; j < matrices; ++j) {
    const double* const vector = x + static_cast<long>(j) * columns;
    for (std::uint64_t t = begin / 2 + threadIdx.x % 32; 2 * t < end; t += 32) {
      const double2 pair = gaussian_pair(keys[j], t);
      if (2 * t >= begin) sum += pair.x * vector[2 * t - begin];
      if (2 * t + 1 < end) sum += pair.y * vector[2 * t + 1 - begin];
    }
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) z[row] = scale * sum;
}

__device__ Slope feature_activation(ActivationKind kind, double z) {
  constexpr double kLeak = 0.01, kInverseRoot2 = 0.70710678118654752440, kInverseRoot2Pi = 0.39894228040143267794;
  switch (kind) {
    case ActivationKind::kIdentity:
    case ActivationKind::kGeluTanh:  // random features do not have it
      break;
    case ActivationKind::kRelu:
      return {fmax(z, 0.0), z > 0 ? 1.0 : 0.0};
    case ActivationKind::kLeakyRelu:
      return {fmax(z, kLeak * z), z > 0 ? 1.0 : kLeak};
    case ActivationKind::kGelu: {
      const double cdf = 0.5 * erfc(-z * kInverseRoot2);
      return {z * cdf, cdf + z * kInverseRoot2Pi * exp(-0.5 * z * z)};
    }
    case ActivationKind::kSilu: {
      const double s = 1 / (1 + exp(-z));
      return {z * s, s + z * s * (1 - s)};
    }
    case ActivationKind::kSine: {
      double sine, cosine;
      sincos(z, &sine, &cosine);
      return {sine, cosine};
    }
    case ActivationKind::kStep3: {
      const double t = fmin(fmax(z, -1.0), 1.0);
      return {0.5 * t * (3 - t * t), 1.5 * (1 - t * t)};
    }
    case ActivationKind::kStep5: {
      const double t = fmin(fmax(z, -1.0), 1.0), square = t * t, rest = 1 - square;
      return {0.125 * t * (15 + square * (3 * square - 10)), 1.875 * rest * rest};
    }
    case ActivationKind::kTanh: {
      const double t = tanh(z);
      return {t, 1 - t * t};
    }
  }
  return {z, 1};
}

__global__ void activate_features_kernel(ActivationKind kind, long width, long size, const double* before,
                                         const double* z, double* features, double* slopes) {
  for (long at = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x; at < size;
       at += static_cast<long>(gridDim.x) * blockDim.x) {
    const Slope found = feature_activation(kind, z[at] + (before != nullptr ? before[at % width] : 0.0));
    features[at] = found.value;
    if (slopes != nullptr) slopes[at] = found.slope;
  }
}

// Grid: moves, kReadParts.
__global__ void read_features_kernel(long width, const double* reference, const double* const* psis,
                                     const double* slopes, double* features, double* parts) {
  __shared__ double shared[32];
  const double* const psi = psis[blockIdx.x];
  const long base = blockIdx.x * width;
  double sum = 0;
  for (long at = blockIdx.y * static_cast<long>(blockDim.x) + threadIdx.x; at < width;
       at += static_cast<long>(gridDim.y) * blockDim.x) {
    const double feature = features[base + at];
    double cotangent;
    if (psi != nullptr) {
      cotangent = psi[at];
      sum += feature * cotangent;
    } else {
      const double change = feature - reference[at];
      cotangent = 2 * change;
      sum += change * change;
    }
    if (slopes != nullptr) features[base + at] = cotangent * slopes[base + at];
  }
  sum = block_sum(sum, shared);
  if (threadIdx.x == 0) parts[blockIdx.x * gridDim.y + blockIdx.y] = sum;
}

__global__ void add_values_kernel(int parts, const double* sums, double* values) {
  double total = 0;
  for (int p = 0; p < parts; ++p) total += sums[blockIdx.x * parts + p];
  values[blockIdx.x] = total;
}

__global__ void multiply_entries_kernel(long count, const double* slopes, double* cotangents) {
  for (long at = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x; at < count;
       at += static_cast<long>(gridDim.x) * blockDim.x)
    cotangents[at] *= slopes[at];
}

// Features of one layer, from the products of their weights with Δ.
struct ShallowTask {
  static constexpr int kMatrices = 1, kKinds = 1, kTurners = 1;
  static constexpr bool kProducts = true;
  static constexpr int kRowNumbers = 2;  // z, and ψ or the feature before the move

  ShallowMoves moves;
  double* sums;
  double value = 0;             // of this thread's rows, all of one move
  const double* psi = nullptr;  // of that move

  __device__ void begin(int, int move) { psi = moves.psis[move]; }
  __device__ bool writes(int, int kind) const { return kind == 0; }
  __device__ const double* row_number(int, int k, TurnedRow row) const {
    return (k == 0 ? moves.before : psi != nullptr ? psi : moves.reference) + row.row;
  }

  template <int kRows>
  __device__ double turn(int, TurnedRow row, const double (&numbers)[2], const double (&products)[1],
                         double (&coefficients)[1]) {
    if (!row.there) return 1;
    const Slope feature = feature_activation(moves.kind, numbers[0] + products[0]);
    if (psi != nullptr) {
      value += feature.value * numbers[1];
      coefficients[0] = numbers[1] * feature.slope;
    } else {
      const double change = feature.value - numbers[1];
      value += change * change;
      coefficients[0] = 2 * change * feature.slope;
    }
    return 1;
  }

  template <int kRows>
  __device__ void finish(int, TurnedRow row) {
    value = segment_sum<kRows>(value);
    if (row.there && row.row == 0) sums[static_cast<long>(row.move) * gridDim.y + blockIdx.y] = value;
  }
};

// Products alone.
struct ProductTask {
  static constexpr int kMatrices = 1, kKinds = 1, kTurners = 1;
  static constexpr bool kProducts = true;
  static constexpr int kRowNumbers = 1;  // none

  long rows;
  double* products;

  __device__ void begin(int, int) const {}
  __device__ bool writes(int, int) const { return false; }
  __device__ const double* row_number(int, int, TurnedRow) const { return nullptr; }

  template <int kRows>
  __device__ double turn(int, TurnedRow row, const double (&)[1], const double (&found)[1], double (&)[1]) const {
    if (row.there) products[row.move * rows + row.row] = found[0];
    return 1;
  }

  template <int kRows>
  __device__ void finish(int, TurnedRow) const {}
};

// Sums alone.
struct SumTask {
  static constexpr int kMatrices = 1, kKinds = 1, kTurners = 1;
  static constexpr bool kProducts = false;
  static constexpr int kRowNumbers = 1;  // the coefficient

  long rows;
  const double* coefficients;

  __device__ void begin(int, int) const {}
  __device__ bool writes(int, int kind) const { return kind == 0; }
  __device__ const double* row_number(int, int, TurnedRow row) const {
    return coefficients + row.move * rows + row.row;
  }

  template <int kRows>
  __device__ double turn(int, TurnedRow row, const double (&numbers)[1], const double (&)[1],
                         double (&written)[1]) const {
    if (row.there) written[0] = numbers[0];
    return 1;
  }

  template <int kRows>
  __device__ void finish(int, TurnedRow) const {}
};

__global__ void add_row_sums_kernel(int columns, int parts, const double* vectors, double* sums) {
  const int c = static_cast<int>(blockIdx.y * 32 + threadIdx.x % 32);
  double total[1];
  sum_parts<1>(
      parts,
      [&](int p, double(&sum)[1]) {
        if (c < columns) sum[0] += vectors[(static_cast<long>(blockIdx.x) * parts + p) * columns + c];
      },
      total);
  if (threadIdx.x < 32 && c < columns) sums[static_cast<long>(blockIdx.x) * columns + c] = total[0];
}

}  // namespace

void fill_gaussians(cudaStream_t stream, std::uint64_t key, std::uint64_t first, std::uint64_t count, double scale,
                    double* out) {
  fill_gaussians_kernel<<<blocks_for(static_cast<long>(count / 2 + 1), kThreads), kThreads, 0, stream>>>(
      key, first, count, scale, out);
}

void gaussian_product(cudaStream_t stream, const std::uint64_t* keys, int matrices, long rows, int columns,
                      double scale, const double* x, double* z) {
  gaussian_product_kernel<<<static_cast<unsigned>((rows + kWarps - 1) / kWarps), kThreads, 0, stream>>>(
      keys, matrices, rows, columns, scale, x, z);
}

void activate_features(cudaStream_t stream, ActivationKind kind, long width, int count, const double* before,
                       const double* z, double* features, double* slopes) {
  const long size = width * count;
  activate_features_kernel<<<blocks_for(size, kThreads), kThreads, 0, stream>>>(kind, width, size, before, z, features,
                                                                                slopes);
}

void read_features(cudaStream_t stream, long width, int count, const double* reference, const double* const* psis,
                   const double* slopes, double* features, double* parts, double* values) {
  read_features_kernel<<<dim3(static_cast<unsigned>(count), kReadParts), kThreads, 0, stream>>>(
      width, reference, psis, slopes, features, parts);
  add_values_kernel<<<static_cast<unsigned>(count), 1, 0, stream>>>(kReadParts, parts, values);
}

size_t shallow_scratch_bytes(long width, int columns, int count) {
  return sizeof(double) * static_cast<size_t>(count) * static_cast<size_t>(row_parts(width, columns, count)) *
         static_cast<size_t>(columns + 1);
}

void evaluate_shallow_moves(cudaStream_t stream, const ShallowMoves& moves) {
  const int parts = row_parts(moves.width, moves.columns, moves.count);
  const auto count = static_cast<unsigned>(moves.count);
  auto* const vectors = static_cast<double*>(moves.scratch);
  double* const sums = vectors + static_cast<long>(moves.count) * parts * moves.columns;
  launch_pass(stream,
              {moves.width,
               moves.columns,
               moves.count,
               {moves.weights},
               {moves.deltas},
               moves.gradients != nullptr ? vectors : nullptr,
               parts},
              ShallowTask{moves, sums});
  add_values_kernel<<<count, 1, 0, stream>>>(parts, sums, moves.values);
  if (moves.gradients == nullptr) return;
  add_row_sums_kernel<<<grid_of_columns(count, moves.columns), 32 * kGroups, 0, stream>>>(moves.columns, parts, vectors,
                                                                                          moves.gradients);
}

void multiply_entries(cudaStream_t stream, long count, const double* slopes, double* cotangents) {
  multiply_entries_kernel<<<blocks_for(count, kThreads), kThreads, 0, stream>>>(count, slopes, cotangents);
}

void row_products(cudaStream_t stream, long rows, int columns, const double* matrix, int count, const double* vectors,
                  double* products) {
  launch_pass(stream, {rows, columns, count, {matrix}, {vectors}, nullptr, 0}, ProductTask{rows, products});
}

void row_sums(cudaStream_t stream, long rows, int columns, const double* matrix, int count, const double* coefficients,
              void* scratch, double* sums) {
  const int parts = row_parts(rows, columns, count);
  auto* const vectors = static_cast<double*>(scratch);
  launch_pass(stream, {rows, columns, count, {matrix}, {}, vectors, parts}, SumTask{rows, coefficients});
  add_row_sums_kernel<<<grid_of_columns(static_cast<unsigned>(count), columns), 32 * kGroups, 0, stream>>>(
      columns, parts, vectors, sums);
}

}  // namespace wordsway::cuda
