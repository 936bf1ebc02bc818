#include "wordsway/cuda/device_learner.cuh"

#include <algorithm>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/stop.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/core/tall_products.h"
#include "wordsway/cuda/cuda_engine.h"
#include "wordsway/maps/map_registry.h"

namespace wordsway {
namespace cuda {

Buffer upload_samples(MapDevice& device, const Matrix& samples) {
  constexpr Index kPiece = 1 << 22, kShare = 1 << 16;  // numbers that travel, and that a thread copies, at once
  Buffer there(bytes_of(samples.size()));
  const Blocks pieces{samples.size(), kPiece};
  for (Index p = 0; p < pieces.count(); ++p) {
    const size_t side = p % 2;
    device.staged[side].wait();
    const auto room = device.staging[side].take<double>(kPiece);
    const double* const from = samples.data() + pieces.begin(p);
    const Blocks shares{pieces.length(p), kShare};
    parallel_for(shares.count(), [&](Index s) {
      std::copy_n(from + shares.begin(s), shares.length(s), room.data() + shares.begin(s));
    });
    device.queue.upload(std::span<const double>(room.first(static_cast<size_t>(pieces.length(p)))),
                        there.as<double>() + pieces.begin(p));
    device.staged[side].set(device.queue);
  }
  return there;
}

// cuBLAS counts columns first: what lies row by row is the transpose to it, and the lower triangle the upper one.
void gram_lower(const Queue& queue, long n, long k, const double* A, long apart, double beta, double* C) {
  const double one = 1;
  check(cublasDsyrk(queue.blas(), CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, static_cast<int>(n), static_cast<int>(k), &one,
                    A, static_cast<int>(apart), &beta, C, static_cast<int>(n)),
        "a Gram matrix");
}

void multiply_vector(const Queue& queue, long m, long n, const double* A, long apart, const double* x, double beta,
                     double* y) {
  const double one = 1;
  check(cublasDgemv(queue.blas(), CUBLAS_OP_T, static_cast<int>(n), static_cast<int>(m), &one, A,
                    static_cast<int>(apart), x, 1, &beta, y, 1),
        "a product");
}

namespace {

constexpr double kShareOfFree = 0.5;  // of the memory that is free, for features that are kept

// Blocks of Φ are cut by `room` alone, never by the memory that happens to be free: how sums are cut is seen in bits.
class DeviceFeatures final : public TrainingFeatures {
 public:
  DeviceFeatures(const TrainingRows& training, const CudaRoom& room)
      : TrainingFeatures(training.samples(), training.rows() * training.columns()),
        training_(training),
        device_(map_device()) {
    const double row_bytes = 8.0 * static_cast<double>(samples()) * static_cast<double>(training.columns());
    const double fit = room.block_bytes / row_bytes, all = row_bytes * static_cast<double>(training.rows());
    block_rows_ = fit < static_cast<double>(training.rows()) ? std::max(static_cast<long>(fit), 1L) : training.rows();
    const std::lock_guard lock(device_.mutex);
    keeps_ = all <= std::min(room.bytes, kShareOfFree * static_cast<double>(free_bytes()));
    const long blocks = (training.rows() + block_rows_ - 1) / block_rows_;
    for (long b = 0; b < (keeps_ ? blocks : 1); ++b)
      memory_.emplace_back(bytes_of(samples() * training.columns() * rows_of(b)));
  }

  bool keeps() const override { return keeps_; }
  double seconds() const override { return seconds_; }

 private:
  KernelParts kernel_of(ConstVectorRef phi) override {
    const long N = samples();
    const std::lock_guard lock(device_.mutex);
    const Queue& queue = device_.queue;
    const Buffer there = upload_numbers(queue, phi), K(bytes_of(N * N)), products(bytes_of(N));
    for_each_block([&](long first, long length, const double* block) {
      const double before = first > 0 ? 1 : 0;
      gram_lower(queue, N, length, block, length, before, K.as<double>());
      multiply_vector(queue, N, length, block, length, there.as<double>() + first, before, products.as<double>());
    });
    KernelParts parts;
    parts.K = Eigen::Map<const Matrix>(download(K, N * N).data(), N, N);
    parts.Phi_phi = download(products, N);
    mirror_lower(parts.K);
    return parts;
  }

  CombinedPair combination_of(ConstVectorRef u, ConstVectorRef v) override {
    const long N = samples(), p = features();
    const std::lock_guard lock(device_.mutex);
    const Queue& queue = device_.queue;
    const Buffer by_u = upload_numbers(queue, u), by_v = upload_numbers(queue, v);
    const Buffer of_u(bytes_of(p)), of_v(bytes_of(p));
    for_each_block([&](long first, long length, const double* block) {
      const double one = 1, zero = 0;
      for (const auto& [weights, sums] : {std::pair(&by_u, &of_u), std::pair(&by_v, &of_v)})
        check(cublasDgemv(queue.blas(), CUBLAS_OP_N, static_cast<int>(length), static_cast<int>(N), &one, block,
                          static_cast<int>(length), weights->as<double>(), 1, &zero, sums->as<double>() + first, 1),
              "a combination of features");
    });
    CombinedPair pair;
    pair.of_u = download(of_u, p);
    pair.of_v = download(of_v, p);
    return pair;
  }

  long rows_of(long block) const { return std::min(block_rows_, training_.rows() - block * block_rows_); }

  Vector download(const Buffer& from, long count) const {
    Vector numbers(count);
    device_.queue.download(from.as<const double>(), std::span(numbers.data(), static_cast<size_t>(count)));
    return numbers;
  }

  // use(first, length, block): columns [first, first + length) of Φ, block: [N, length] on the device.
  template <typename Use>
  void for_each_block(const Use& use) {
    for (long b = 0, first = 0; first < training_.rows(); ++b, first += block_rows_) {
      throw_if_stopped();
      const Buffer& memory = memory_[static_cast<size_t>(keeps_ ? b : 0)];
      if (!keeps_ || made_ <= b) {
        device_.queue.wait();
        const Stopwatch watch;
        training_.make(device_, first, rows_of(b), memory.as<double>());
        device_.queue.wait();
        seconds_ += watch.seconds();
        made_ = b + 1;
      }
      use(first * training_.columns(), rows_of(b) * training_.columns(), memory.as<const double>());
    }
    device_.queue.wait();
  }

  const TrainingRows& training_;
  MapDevice& device_;
  long block_rows_ = 1;
  bool keeps_ = false;
  std::vector<Buffer> memory_;  // of every block, or of one after the other
  long made_ = 0;               // blocks that are kept by now
  double seconds_ = 0;
};

class DeviceLearner final : public LearnerView {
 public:
  DeviceLearner(LearnerParts parts, const CudaRoom& room)
      : sample_(std::move(parts.sample)), training_(std::move(parts.training)), room_(room) {}

  const MappedSample& sample() const override { return *sample_; }
  Index training_size() const override { return training_->samples(); }

  void training_rows(Index first, Index count, MatrixRef out) const override {
    check_rows({training_->samples(), training_->rows(), training_->columns()}, first, count, out);
    if (count == 0) return;
    Matrix rows(out.rows(), out.cols());
    MapDevice& device = map_device();
    const std::lock_guard lock(device.mutex);
    const Buffer there(bytes_of(rows.size()));
    training_->make(device, first, count, there.as<double>());
    device.queue.download(there.as<const double>(), std::span(rows.data(), static_cast<size_t>(rows.size())));
    out = rows;
  }

  std::unique_ptr<TrainingFeatures> device_features() const override {
    return std::make_unique<DeviceFeatures>(*training_, room_);
  }

 private:
  std::unique_ptr<MappedSample> sample_;
  std::unique_ptr<TrainingRows> training_;
  CudaRoom room_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<LearnerView> whole_learner_on_cuda(std::unique_ptr<FeatureMap> map, const LearnerSamples& samples,
                                                   const CudaRoom& room) {
  cuda_device_name();
  check_learner_samples(samples);
  cuda::LearnerParts parts;
  if (const auto* attention = dynamic_cast<const AttentionMap*>(map.get())) {
    parts.training = cuda::training_rows_of(*attention, samples, room);
    parts.sample = attention->at(samples.X);  // one sample more, whose moves take O(n·d): the processor's
  } else {
    if (const auto* features = dynamic_cast<const RandomFeatures*>(map.get()))
      parts.training = cuda::training_rows_of(*features, samples);
    parts.sample = map_on_cuda(std::move(map))->at(samples.X);
  }
  return std::make_unique<cuda::DeviceLearner>(std::move(parts), room);
}

std::unique_ptr<LearnerView> draw_learner_on_cuda(const MapEntry& entry, const MapOptions& options,
                                                  const Stream& weights, const LearnerSamples& samples,
                                                  const CudaRoom& room) {
  cuda_device_name();
  if (!draws_for_learner(entry, options)) return whole_learner_on_cuda(entry.draw(options, weights), samples, room);
  check_learner_samples(samples);
  if (!entry.learner_law) throw UsageError("this map's learner is not computed on a CUDA device; leave --device cpu");
  return std::make_unique<cuda::DeviceLearner>(cuda::draw_features(*entry.learner_law(options), weights, samples),
                                               room);
}

}  // namespace wordsway
