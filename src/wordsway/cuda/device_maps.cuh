// What the maps on the device share: one queue, products in double, and functions of Δ that are evaluated there.
#pragma once

#include <memory>
#include <mutex>
#include <span>

#include "wordsway/core/function_there.h"
#include "wordsway/cuda/device_memory.cuh"
#include "wordsway/maps/attention/attention_map.h"
#include "wordsway/maps/random_features/random_features.h"

namespace wordsway::cuda {

// The kinds of maps there are: device_attention.cpp, device_features.cpp.
std::unique_ptr<FeatureMap> attention_on_device(const AttentionMap& map);
std::unique_ptr<FeatureMap> features_on_device(const RandomFeatures& map);

/// Whoever computes a map on the device holds `mutex`: maps of several threads take turns.
struct MapDevice {
  std::mutex mutex;
  Queue queue;
  Buffer scratch;
  double features_seconds = 0;  // of the last attention
};

/// Made on first use. Throws UsageError where there is no device.
MapDevice& map_device();

Buffer upload_numbers(const Queue& queue, const double* from, Index count);

template <typename Numbers>
Buffer upload_numbers(const Queue& queue, const Numbers& from) {
  return upload_numbers(queue, from.data(), from.size());
}

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

}  // namespace wordsway::cuda
