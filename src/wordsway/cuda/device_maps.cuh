// Parts that the maps on the device share: one queue, products in double, and functions of Δ that are evaluated there.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "wordsway/core/device_function.h"
#include "wordsway/cuda/device_memory.cuh"
#include "wordsway/cuda/map_kernels.cuh"
#include "wordsway/maps/attention/attention_map.h"
#include "wordsway/maps/random_features/features_sample.h"

namespace wordsway::cuda {

// The kinds of maps there are: device_attention.cpp, device_features.cpp.
std::unique_ptr<FeatureMap> attention_on_device(const AttentionMap& map);
std::unique_ptr<FeatureMap> features_on_device(const RandomFeatures& map);

/// Whoever computes a map on the device holds `mutex`: maps of several threads take turns.
struct MapDevice {
  std::mutex mutex;
  Queue queue;
  Buffer scratch;
  PinnedBuffer staging[2];  // for large uploads: one is filled while the other travels
  Marker staged[2];
  double features_seconds = 0;  // of the last attention
};

/// Made on first use. Throws UsageError if there is no device.
MapDevice& map_device();

inline size_t bytes_of(long numbers) {
  return sizeof(double) * static_cast<size_t>(numbers);
}

Buffer upload_numbers(const Queue& queue, const double* from, Index count);

template <typename Numbers>
Buffer upload_numbers(const Queue& queue, const Numbers& from) {
  return upload_numbers(queue, from.data(), from.size());
}

/// Whose move it is where an answer is for one token alone, or for one set of them.
struct NoToken {};

/// Pieces of one block of memory, handed out one after the other.
class Pieces {
 public:
  explicit Pieces(void* memory) : at_(static_cast<char*>(memory)) {}

  template <typename T>
  T* take(long count) {
    auto* const here = reinterpret_cast<T*>(at_);
    at_ += (static_cast<size_t>(count) * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    return here;
  }

  static constexpr size_t kAlignment = 256;

 private:
  char* at_;
};

/// C = alpha·A·B + beta·C, or with B transposed; A: [m, k], C: [m, n], all stored row by row.
enum class Transposed { kNo, kYes };
void multiply(const Queue& queue, long m, long n, long k, double alpha, const double* A, const double* B,
              Transposed transposed, double beta, double* C);

/// One factor of many products.
struct Factors {
  const double* first;
  Transposed transposed = Transposed::kNo;
  std::optional<long> apart = {};  // numbers from one matrix to the next, 0: one for all; else they follow each other
};

/// C_b = alpha·A_b·B_b + beta·C_b for b < count, where factors that are transposed are stored as [k, m] and [n, k].
void multiply_each(const Queue& queue, long count, long m, long n, long k, double alpha, Factors A, Factors B,
                   double beta, double* C);

/// How many moves are evaluated at once, at most, and the bytes that they may take; one move takes what it needs.
struct BatchLimits {
  long moves;
  double bytes;
};

/// Calls evaluate(first, count) for batches of moves, with bytes(count) in the device's scratch memory. Throws Stopped
/// between them when the thread is asked to stop (core/stop.h).
void evaluate_in_batches(MapDevice& device, long moves, BatchLimits limits, const std::function<size_t(long)>& bytes,
                         const std::function<void(long, long)>& evaluate);

// Maps as kernels see them, and parts of them on the device, for learners (device_learner.cuh).

/// Throw UsageError if the device does not have it.
DeviceNormaliser normaliser_of(const Normaliser& normaliser);
ActivationKind activation_of(const Activation& activation);
void check_features_shape(const Activation& activation, Index d);

/// The matrix written down on the device: made there from its stream, or copied.
Buffer make_matrix(const MapDevice& device, GaussianMatrix& matrix);

/// Random features at an X whose features are known on the CPU.
std::unique_ptr<MappedSample> features_sample_on_device(std::shared_ptr<const FeaturesState> state);

}  // namespace wordsway::cuda
