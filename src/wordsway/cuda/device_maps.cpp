#include "wordsway/cuda/device_maps.cuh"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/stop.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/cuda/cuda_engine.h"
#include "wordsway/cuda/cuda_maps.h"

namespace wordsway {

std::unique_ptr<FeatureMap> map_on_cuda(std::unique_ptr<FeatureMap> map) {
  cuda_device_name();
  if (const auto* attention = dynamic_cast<const AttentionMap*>(map.get()))
    return cuda::attention_on_device(*attention);
  if (const auto* features = dynamic_cast<const RandomFeatures*>(map.get())) return cuda::features_on_device(*features);
  throw UsageError("this map is not computed on a CUDA device; leave --device cpu");
}

double cuda_copy_bandwidth() {
  constexpr size_t kBytes = size_t{2} << 30;
  constexpr int kCopies = 10;
  cuda::MapDevice& device = cuda::map_device();
  const std::lock_guard lock(device.mutex);
  const cuda::Buffer from(kBytes), to(kBytes);
  double seconds = 0;
  for (int copy = 0; copy <= kCopies; ++copy) {  // the first one warms up
    const Stopwatch watch;
    cuda::check(
        cudaMemcpyAsync(to.as<void>(), from.as<void>(), kBytes, cudaMemcpyDeviceToDevice, device.queue.stream()),
        "copying");
    device.queue.wait();
    if (copy > 0) seconds += watch.seconds();
  }
  return 2.0 * kBytes * kCopies / seconds;
}

double cuda_attention_seconds() {
  cuda::MapDevice& device = cuda::map_device();
  const std::lock_guard lock(device.mutex);
  return device.features_seconds;
}

namespace cuda {

namespace {

// Tiles of rows fill the shared memory of an H100 or H200 (row_pass.cuh).
void check_shared_memory() {
  constexpr int kNeeded = 227 << 10;
  int there = 0;
  check(cudaDeviceGetAttribute(&there, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), "asking for its memory");
  if (there < kNeeded)
    throw UsageError(
        fmt::format("maps need a CUDA device with {} KiB of shared memory for a block, as an H100 has; {} has {}: "
                    "leave --device cpu",
                    kNeeded >> 10, cuda_device_name(), there >> 10));
}

}  // namespace

MapDevice& map_device() {
  cuda_device_name();
  check_shared_memory();
  static MapDevice device;
  return device;
}

Buffer upload_numbers(const Queue& queue, const double* from, Index count) {
  Buffer to(sizeof(double) * static_cast<size_t>(count));
  queue.upload(std::span(from, static_cast<size_t>(count)), to.as<double>());
  return to;
}

// cuBLAS counts columns first: it computes Cᵀ = Bᵀ Aᵀ.
void multiply(const Queue& queue, long m, long n, long k, double alpha, const double* A, const double* B,
              Transposed transposed, double beta, double* C) {
  const bool flip = transposed == Transposed::kYes;
  check(cublasDgemm(queue.blas(), flip ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, static_cast<int>(n),
                    static_cast<int>(m), static_cast<int>(k), &alpha, B, static_cast<int>(flip ? k : n), A,
                    static_cast<int>(k), &beta, C, static_cast<int>(n)),
        "a matrix product");
}

// Multiplies every matrix as multiply() does one.
void multiply_each(const Queue& queue, long count, long m, long n, long k, double alpha, Factors A, Factors B,
                   double beta, double* C) {
  const bool flip_A = A.transposed == Transposed::kYes, flip_B = B.transposed == Transposed::kYes;
  check(cublasDgemmStridedBatched(queue.blas(), flip_B ? CUBLAS_OP_T : CUBLAS_OP_N, flip_A ? CUBLAS_OP_T : CUBLAS_OP_N,
                                  static_cast<int>(n), static_cast<int>(m), static_cast<int>(k), &alpha, B.first,
                                  static_cast<int>(flip_B ? k : n), B.apart.value_or(k * n), A.first,
                                  static_cast<int>(flip_A ? m : k), A.apart.value_or(m * k), &beta, C,
                                  static_cast<int>(n), m * n, static_cast<int>(count)),
        "matrix products");
}

void evaluate_in_batches(MapDevice& device, long moves, BatchLimits limits, const std::function<size_t(long)>& bytes,
                         const std::function<void(long, long)>& evaluate) {
  long together = std::min(limits.moves, moves);
  while (together > 1 && static_cast<double>(bytes(together)) > limits.bytes) together = (together + 1) / 2;
  for (long first = 0; first < moves; first += together) {
    throw_if_stopped();
    const long count = std::min(together, moves - first);
    device.scratch.reserve(bytes(count));  // fewer moves may be cut into more parts
    evaluate(first, count);
  }
}

}  // namespace cuda
}  // namespace wordsway
