// Attention of all training samples of a learner on the device: many short samples, where device_attention.cpp has one
// long one.
#include <algorithm>
#include <cmath>

#include "wordsway/core/stop.h"
#include "wordsway/cuda/device_learner.cuh"

namespace wordsway::cuda {
namespace {

constexpr long kMostTogether = 32768;  // samples: fewer than a grid takes

class AttentionTraining final : public TrainingRows {
 public:
  AttentionTraining(const AttentionMap& map, const LearnerSamples& samples, double scores_bytes)
      : TrainingRows(samples.training.rows(), samples.X.rows(), samples.X.cols()),
        f_(normaliser_of(map.normaliser())),
        scores_bytes_(scores_bytes) {
    check_sample(samples.X, {std::nullopt, map.W().rows()});
    MapDevice& device = map_device();
    const std::lock_guard lock(device.mutex);
    X_ = upload_samples(device, samples.training);
    W_ = upload_numbers(device.queue, map.W());
    device.queue.wait();
  }

  // Several samples at once, or some rows of one.
  void make(MapDevice& device, long first, long count, double* out) const override {
    const long n = rows(), d = columns(), a_row = n + d + 3;
    const auto fit = static_cast<long>(scores_bytes_ / (8.0 * static_cast<double>(a_row)));  // rows
    const long length = std::clamp<long>(fit, 1, count);
    const long together = std::clamp<long>(fit / length, 1, std::min(samples(), kMostTogether));
    device.scratch.reserve(bytes_of(together * length * a_row + n) + 7 * Pieces::kAlignment);
    for (long s = 0; s < samples(); s += together)
      for (long r = 0; r < count; r += length) {
        throw_if_stopped();
        attend(device, {s, std::min(together, samples() - s), first + r, std::min(length, count - r)},
               out + (s * count + r) * d);
      }
  }

 private:
  // The number of rows of consecutive samples: all that are requested, unless it is one sample.
  struct Part {
    long sample, samples, row, rows;
  };

  void attend(const MapDevice& device, Part part, double* out) const {
    const Queue& queue = device.queue;
    const long n = rows(), d = columns(), count = part.rows, all = part.samples * count;
    const double* const X = X_.as<double>() + part.sample * n * d;
    const double* const W = W_.as<double>();
    const double scale = 1 / std::sqrt(static_cast<double>(d));
    Pieces pieces(device.scratch.as<void>());
    auto* const queries = pieces.take<double>(all * d);
    auto* const scores = pieces.take<double>(all * n);
    auto* const scales = pieces.take<double>(all);
    auto *const masses = pieces.take<double>(all), *const terms = pieces.take<double>(all);
    auto* const norms = pieces.take<double>(n);  // the terms computed from these are not used
    check(cudaMemsetAsync(norms, 0, bytes_of(n), queue.stream()), "clearing memory");
    if (count == n) {
      multiply(queue, all, d, d, scale, X, W, Transposed::kNo, 0, queries);
    } else {
      multiply_each(queue, part.samples, count, d, d, scale, {X + part.row * d, Transposed::kNo, n * d},
                    {W, Transposed::kNo, 0}, 0, queries);
    }
    multiply_each(queue, part.samples, count, n, d, 1, {queries}, {X, Transposed::kYes}, 0, scores);
    weigh_rows(queue.stream(), f_, static_cast<int>(all), n, norms, scores, scales, masses, terms);
    multiply_each(queue, part.samples, count, d, n, 1, {scores}, {X}, 0, out);
    add_parts(queue.stream(), static_cast<int>(all), static_cast<int>(d), 1, out, scales, out);
    check(cudaGetLastError(), "attention");
  }

  DeviceNormaliser f_;
  double scores_bytes_;
  Buffer X_, W_;  // [N, n·d], [d, d]
};

}  // namespace

std::unique_ptr<TrainingRows> training_rows_of(const AttentionMap& map, const LearnerSamples& samples,
                                               const CudaRoom& room) {
  return std::make_unique<AttentionTraining>(map, samples, room.scores_bytes);
}

}  // namespace wordsway::cuda
