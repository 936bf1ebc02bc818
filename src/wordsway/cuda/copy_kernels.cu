#include "wordsway/cuda/copy_kernels.cuh"
#include "wordsway/cuda/operand.cuh"

namespace wordsway::cuda {
namespace {

constexpr int kThreads = 256;

// The row of the text that copy k begins with.
__device__ int first_of(const Copies& copies, long copy) {
  return copies.firsts != nullptr ? copies.firsts[copy] : 0;
}

// A block has rows of one copy: four columns of a row for each thread.
struct CopyQuad {
  long copy;
  int j, c;  // row of the text, column
  long row;  // of all copies
  bool valid;

  __device__ CopyQuad(const Copies& copies, int columns) : copy(blockIdx.y) {
    const long quad = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
    const int per_row = columns / 4, first = first_of(copies, copy);
    c = 4 * static_cast<int>(quad % per_row);
    row = copies.begins[copy] + quad / per_row;
    valid = row < copies.begins[copy + 1];
    j = first + static_cast<int>(quad / per_row);
  }
};

template <typename Number>
__global__ void copy_with_rows_kernel(Copies copies, int columns, const Number* base, const Number* rows, Number* to) {
  using Quad = std::conditional_t<sizeof(Number) == 4, uint4, uint2>;
  const CopyQuad at(copies, columns);
  if (!at.valid) return;
  const Number* from =
      at.j == copies.tokens[at.copy] ? rows + at.copy * columns : base + at.j * static_cast<long>(columns);
  *reinterpret_cast<Quad*>(to + at.row * columns + at.c) = *reinterpret_cast<const Quad*>(from + at.c);
}

__global__ void take_rows_kernel(long quads, Copies copies, int columns, const float* from, float* to) {
  const long quad = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  if (quad >= quads) return;
  const int per_row = columns / 4, c = 4 * static_cast<int>(quad % per_row);
  const long copy = quad / per_row, row = copies.begins[copy] + copies.tokens[copy] - first_of(copies, copy);
  store4(to + copy * columns + c, load4(from + row * columns + c));
}

// A part of the entries of a copy for each block.
__global__ void distances_kernel(Copies copies, int columns, const float* hidden, const float* base, double* partial,
                                 float* cotangent) {
  const long copy = blockIdx.y, row = copies.begins[copy], quads = (copies.begins[copy + 1] - row) * (columns / 4);
  const long part = (quads + kDistanceParts - 1) / kDistanceParts;
  const long begin = blockIdx.x * part, end = min(begin + part, quads);
  hidden += row * columns;
  base += static_cast<long>(first_of(copies, copy)) * columns;
  double sum = 0;
  for (long quad = begin + threadIdx.x; quad < end; quad += kThreads) {
    const float4 difference = load4(hidden + 4 * quad) - load4(base + 4 * quad);
    sum += static_cast<double>(difference.x) * difference.x + static_cast<double>(difference.y) * difference.y +
           static_cast<double>(difference.z) * difference.z + static_cast<double>(difference.w) * difference.w;
    if (cotangent != nullptr) store4(cotangent + row * columns + 4 * quad, difference * 2.f);
  }
  __shared__ double sums[kThreads];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[copy * kDistanceParts + blockIdx.x] = sums[0];
}

__global__ void sum_parts_kernel(long copies, const double* partial, double* squares) {
  const long copy = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  if (copy >= copies) return;
  double sum = 0;
  for (int part = 0; part < kDistanceParts; ++part) sum += partial[copy * kDistanceParts + part];
  squares[copy] = sum;
}

__global__ void readout_kernel(Copies copies, int columns, const float* hidden, const float* base, const float* weights,
                               float* out) {
  const int c = blockIdx.y * kThreads + threadIdx.x;
  if (c >= columns) return;
  const long copy = blockIdx.x, row = copies.begins[copy];
  const int first = first_of(copies, copy);
  double sum = 0;
  for (int j = 0; j < copies.n; ++j)
    if (weights[j] != 0)
      sum += static_cast<double>(weights[j]) *
             (j < first ? base[j * static_cast<long>(columns) + c] : hidden[(row + j - first) * columns + c]);
  out[copy * columns + c] = static_cast<float>(sum);
}

__global__ void readout_backward_kernel(Copies copies, int columns, const float* out, const float* weights,
                                        float* cotangent) {
  const CopyQuad at(copies, columns);
  if (at.valid) store4(cotangent + at.row * columns + at.c, load4(out + at.copy * columns + at.c) * weights[at.j]);
}

unsigned blocks_for(long items) {
  return static_cast<unsigned>((items + kThreads - 1) / kThreads);
}

// For kernels that use CopyQuad.
dim3 grid_of(const Copies& copies, int columns) {
  return {blocks_for(static_cast<long>(copies.n) * (columns / 4)), static_cast<unsigned>(copies.count)};
}

}  // namespace

template <typename Number>
void copy_with_rows(cudaStream_t stream, const Copies& copies, int columns, const Number* base, const Number* rows,
                    Number* to) {
  copy_with_rows_kernel<<<grid_of(copies, columns), kThreads, 0, stream>>>(copies, columns, base, rows, to);
}
template void copy_with_rows(cudaStream_t, const Copies&, int, const float*, const float*, float*);
template void copy_with_rows(cudaStream_t, const Copies&, int, const __nv_bfloat16*, const __nv_bfloat16*,
                             __nv_bfloat16*);

void take_rows(cudaStream_t stream, const Copies& copies, int columns, const float* from, float* to) {
  const long quads = copies.count * (columns / 4);
  take_rows_kernel<<<blocks_for(quads), kThreads, 0, stream>>>(quads, copies, columns, from, to);
}

void distances(cudaStream_t stream, const Copies& copies, int columns, const float* hidden, const float* base,
               double* partial, double* squares, float* cotangent) {
  const dim3 grid(kDistanceParts, static_cast<unsigned>(copies.count));
  distances_kernel<<<grid, kThreads, 0, stream>>>(copies, columns, hidden, base, partial, cotangent);
  sum_parts_kernel<<<blocks_for(copies.count), kThreads, 0, stream>>>(copies.count, partial, squares);
}

void readout(cudaStream_t stream, const Copies& copies, int columns, const float* hidden, const float* base,
             const float* weights, float* out) {
  const dim3 grid(static_cast<unsigned>(copies.count), static_cast<unsigned>((columns + kThreads - 1) / kThreads));
  readout_kernel<<<grid, kThreads, 0, stream>>>(copies, columns, hidden, base, weights, out);
}

void readout_backward(cudaStream_t stream, const Copies& copies, int columns, const float* out_cotangent,
                      const float* weights, float* cotangent) {
  readout_backward_kernel<<<grid_of(copies, columns), kThreads, 0, stream>>>(copies, columns, out_cotangent, weights,
                                                                             cotangent);
}

}  // namespace wordsway::cuda
