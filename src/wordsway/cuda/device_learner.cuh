// A learner's training samples on the device: their features, made there a few rows at a time, for those who
// know a kind of map (learner_attention.cpp, learner_features.cpp) and those who train with it (device_learner.cpp).
//
// Φ: [N, rows·columns], φ of one sample: [rows, columns].
#pragma once

#include <memory>

#include "wordsway/cuda/cuda_maps.h"
#include "wordsway/cuda/device_maps.cuh"
#include "wordsway/maps/random_features/features_learner.h"

namespace wordsway::cuda {

/// Immutable.
class TrainingRows {
 public:
  TrainingRows(long samples, long rows, long columns) : samples_(samples), rows_(rows), columns_(columns) {}
  virtual ~TrainingRows() = default;

  long samples() const { return samples_; }
  long rows() const { return rows_; }
  long columns() const { return columns_; }

  /// Rows [first, first + count) of φ of every sample, out: [N, count·columns] on the device. By who holds `device`;
  /// the queue may still be at it on return.
  virtual void make(MapDevice& device, long first, long count, double* out) const = 0;

 private:
  long samples_, rows_, columns_;
};

std::unique_ptr<TrainingRows> training_rows_of(const AttentionMap& map, const LearnerSamples& samples,
                                               const CudaRoom& room);
std::unique_ptr<TrainingRows> training_rows_of(const RandomFeatures& map, const LearnerSamples& samples);

/// A sample that is to be learnt, and those for training.
struct LearnerParts {
  std::unique_ptr<MappedSample> sample;
  std::unique_ptr<TrainingRows> training;
};

/// Random features drawn where a learner looks.
LearnerParts draw_features(const LearnerLaw& law, const Stream& weights, const LearnerSamples& samples);

/// A copy of many samples. Copies from memory that is not pinned go through some of the driver's, by one thread; these
/// go through the device's staging memory, which all threads fill.
Buffer upload_samples(MapDevice& device, const Matrix& samples);

/// C = A Aᵀ + beta·C, the triangle below the diagonal and the diagonal itself; A: [n, k], its rows `apart`, C: [n, n].
void gram_lower(const Queue& queue, long n, long k, const double* A, long apart, double beta, double* C);

/// y = A x + beta·y; A: [m, n], its rows `apart`.
void multiply_vector(const Queue& queue, long m, long n, const double* A, long apart, const double* x, double beta,
                     double* y);

}  // namespace wordsway::cuda
