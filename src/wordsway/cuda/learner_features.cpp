// Random features of all training samples of a learner on the device: with weights that are there, and drawn where the
// learner looks, by the law and with the numbers of maps/random_features/features_learner.h.
//
// samples: [N, n·d], V_i: [k, d], V_l: [k, k], H: [samples, k] features of a layer.
#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/stop.h"
#include "wordsway/core/tall_products.h"
#include "wordsway/cuda/device_learner.cuh"

namespace wordsway::cuda {
namespace {

Vector download(const Queue& queue, const double* from, long count) {
  Vector numbers(count);
  queue.download(from, std::span(numbers.data(), static_cast<size_t>(count)));
  return numbers;
}

// Deep features depend on all of the layer before: they are made once and held.
class FeaturesTraining : public TrainingRows {
 public:
  FeaturesTraining(long samples, long k, const Activation& activation)
      : TrainingRows(samples, k, 1), kind_(activation_of(activation)) {}

  void make(MapDevice& device, long first, long count, double* out) const final {
    if (deep_.bytes() > 0) {
      const size_t row = bytes_of(rows()), part = bytes_of(count);
      check(cudaMemcpy2DAsync(out, part, deep_.as<double>() + first_deep_ * rows() + first, row, part,
                              static_cast<size_t>(samples()), cudaMemcpyDeviceToDevice, device.queue.stream()),
            "copying features");
      return;
    }
    preactivate(device, first, count, out);
    activate(device, samples(), count, out, out);
  }

 protected:
  // V_1 flat(X_s) of the training samples, features [first, first + count): z: [N, count].
  virtual void preactivate(MapDevice& device, long first, long count, double* z) const = 0;

  void activate(const MapDevice& device, long samples, long width, const double* z, double* features) const {
    activate_features(device.queue.stream(), kind_, width, static_cast<int>(samples), nullptr, z, features, nullptr);
    check(cudaGetLastError(), "random features");
  }

  // From z of the first layer, z: [samples, k], to the features of the last one. The training samples begin at row
  // `first`. Returns V_l φ_{l−1} of row 0 for every deeper layer.
  std::vector<Vector> go_deeper(MapDevice& device, const RandomFeatures::Layers& deeper, long samples, long first,
                                Buffer z) {
    const long k = rows();
    std::vector<Vector> of_first;
    Buffer features(bytes_of(samples * k));
    activate(device, samples, k, z.as<double>(), features.as<double>());
    for (const auto& layer : deeper) {
      throw_if_stopped();
      const Buffer V = make_matrix(device, *layer);
      multiply(device.queue, samples, k, k, 1, features.as<double>(), V.as<double>(), Transposed::kYes, 0,
               z.as<double>());
      of_first.push_back(download(device.queue, z.as<double>(), k));
      activate(device, samples, k, z.as<double>(), features.as<double>());
    }
    device.queue.wait();
    deep_ = std::move(features);
    first_deep_ = first;
    return of_first;
  }

 private:
  ActivationKind kind_;
  Buffer deep_;  // H of the last layer where there are several
  long first_deep_ = 0;
};

// All weights are there, token by token.
class WholeTraining final : public FeaturesTraining {
 public:
  WholeTraining(const RandomFeatures& map, const LearnerSamples& samples)
      : FeaturesTraining(samples.training.rows(), map.first().k(), map.activation()), map_(map) {
    check_sample(samples.X, {map.first().n(), map.first().d()});
    check_features_shape(map.activation(), map.first().d());
    MapDevice& device = map_device();
    const std::lock_guard lock(device.mutex);
    training_ = upload_samples(device, samples.training);
    device.queue.wait();
    if (map_.deeper().empty()) return;
    Buffer z(bytes_of(this->samples() * rows()));
    preactivate(device, 0, rows(), z.as<double>());
    go_deeper(device, map_.deeper(), this->samples(), 0, std::move(z));
  }

 private:
  void preactivate(MapDevice& device, long first, long count, double* z) const override {
    const long n = map_.first().n(), d = map_.first().d();
    const double one = 1;
    for (long j = 0; j < n; ++j) {
      throw_if_stopped();
      const Buffer V = make_matrix(device, *map_.first().block(j));
      const double before = j > 0 ? 1 : 0;
      // z += X_j V_jᵀ, where rows of X_j lie n·d apart. cuBLAS counts columns first.
      check(cublasDgemm(device.queue.blas(), CUBLAS_OP_T, CUBLAS_OP_N, static_cast<int>(count),
                        static_cast<int>(samples()), static_cast<int>(d), &one, V.as<double>() + first * d,
                        static_cast<int>(d), training_.as<double>() + j * d, static_cast<int>(n * d), &before, z,
                        static_cast<int>(count)),
            "random features");
      device.queue.wait();  // V goes
    }
  }

  RandomFeatures map_;
  Buffer training_;
};

// The factor C of the Gram matrix of the samples without token i, X first: [N + 1, N + 1].
Matrix span_factor(MapDevice& device, const LearnerSamples& samples) {
  const Index N = samples.training.rows(), d = samples.X.cols(), D = samples.X.size();
  const Index before = samples.token * d, after = before + d;
  const Queue& queue = device.queue;
  const Eigen::Map<const Vector> x(samples.X.data(), D);
  Matrix M = Matrix::Zero(N + 1, N + 1);
  const Buffer training = upload_samples(device, samples.training), there = upload_numbers(queue, samples.X);
  const Buffer gram(bytes_of(N * N)), with_x(bytes_of(N));
  double added = 0;
  for (const auto& [begin, length] : {std::pair(Index{0}, before), std::pair(after, D - after)}) {
    if (length == 0) continue;
    const auto* const part = training.as<double>() + begin;
    gram_lower(queue, N, length, part, D, added, gram.as<double>());
    multiply_vector(queue, N, length, part, D, there.as<double>() + begin, added, with_x.as<double>());
    M(0, 0) += x.segment(begin, length).squaredNorm();
    added = 1;
  }
  if (added > 0) {
    const Vector found = download(queue, gram.as<double>(), N * N);
    M.bottomRightCorner(N, N).triangularView<Eigen::Lower>() = Eigen::Map<const Matrix>(found.data(), N, N);
    M.col(0).tail(N) = download(queue, with_x.as<double>(), N);
  }
  queue.wait();
  return semidefinite_factor(M);
}

// Weights are decided on the samples' span and on the token's coordinates.
class SpanTraining final : public FeaturesTraining {
 public:
  SpanTraining(const LearnerLaw& law, const Stream& weights, const LearnerSamples& samples)
      : FeaturesTraining(samples.training.rows(), law.width, law.activation),
        streams_(weights),
        scale_(law.first_scale),
        d_(samples.X.cols()),
        block_(std::make_shared<StreamedMatrix>(streams_.block(), law.width, samples.X.cols(), law.first_scale)) {
    for (Index l = 1; l < law.depth; ++l)
      deeper_.push_back(std::make_shared<StreamedMatrix>(streams_.entries(l), law.width, law.width, law.deeper_scale));
    MapDevice& device = map_device();
    const std::lock_guard lock(device.mutex);
    check_memory(law);
    C_ = span_factor(device, samples);
    factor_ = upload_numbers(device.queue, C_);
    const Matrix tokens = tokens_of(samples);
    tokens_ = upload_numbers(device.queue, tokens);
    V_ = make_matrix(device, *block_);
    device.queue.wait();
    image_ = image_of_X(device);
    if (!deeper_.empty()) images_deeper_ = run_all(device);
  }

  // φ(X), of which all weights are made from their streams where they are needed.
  std::shared_ptr<const FeaturesState> state_at(const LearnerSamples& samples, const Activation& activation) const {
    const RandomFeatures map(std::make_shared<SpanBlocks>(samples, image_, block_), deeper_, activation);
    return std::make_shared<const FeaturesState>(map, samples.X, image_, images_deeper_);
  }

 private:
  static void check_memory(const LearnerLaw& law) {
    const double k = static_cast<double>(law.width), needed = 8 * k * k * static_cast<double>(law.depth - 1);
    const auto free = static_cast<double>(free_bytes());
    if (needed > free)
      throw UsageError(
          fmt::format("the deeper weights of {0} features, {0} x {0} in each of {1} layers, take {2:.1f} "
                      "GiB of the CUDA device, which has {3:.1f} GiB free: leave --device cpu",
                      law.width, law.depth - 1, needed / 0x1p30, free / 0x1p30));
  }

  // V_1 flat(X) = C_00 g_0 + V_i x_i.
  Vector image_of_X(const MapDevice& device) const {
    const long k = rows();
    const Queue& queue = device.queue;
    const Buffer z(bytes_of(k));
    fill_gaussians(queue.stream(), streams_.span(0).key(), 0, static_cast<std::uint64_t>(k), scale_ * C_(0, 0),
                   z.as<double>());
    check(cudaGetLastError(), "drawing weights");
    multiply(queue, 1, k, d_, 1, tokens_.as<double>(), V_.as<double>(), Transposed::kYes, 1, z.as<double>());
    return download(queue, z.as<double>(), k);
  }

  // X goes through the deeper layers with the training samples.
  std::vector<Vector> run_all(MapDevice& device) {
    Buffer z(bytes_of((samples() + 1) * rows()));
    preactivate_from(device, 0, 0, rows(), z.as<double>());
    return go_deeper(device, deeper_, samples() + 1, 1, std::move(z));
  }

  void preactivate(MapDevice& device, long first, long count, double* z) const override {
    preactivate_from(device, 1, first, count, z);
  }

  // Σ_t C_st g_t + V_i x_{s,i} of all samples from `sample` on, number 0 being X: z: [N + 1 − sample, count].
  void preactivate_from(MapDevice& device, long sample, long first, long count, double* z) const {
    const long total = samples() + 1, left = total - sample;
    const Queue& queue = device.queue;
    device.scratch.reserve(bytes_of(total * count));
    auto* const g = device.scratch.as<double>();
    for (long t = 0; t < total; ++t)
      fill_gaussians(queue.stream(), streams_.span(t).key(), static_cast<std::uint64_t>(first),
                     static_cast<std::uint64_t>(count), scale_, g + t * count);
    check(cudaGetLastError(), "drawing weights");
    multiply(queue, left, count, total, 1, factor_.as<double>() + sample * total, g, Transposed::kNo, 0, z);
    multiply(queue, left, count, d_, 1, tokens_.as<double>() + sample * d_, V_.as<double>() + first * d_,
             Transposed::kYes, 1, z);
  }

  LearnerStreams streams_;
  double scale_;
  long d_;
  std::shared_ptr<GaussianMatrix> block_;
  RandomFeatures::Layers deeper_;
  Matrix C_;
  Buffer factor_, tokens_, V_;  // C; token i of each sample, X first: [N + 1, d]; V_i
  Vector image_;
  std::vector<Vector> images_deeper_;
};

}  // namespace

std::unique_ptr<TrainingRows> training_rows_of(const RandomFeatures& map, const LearnerSamples& samples) {
  return std::make_unique<WholeTraining>(map, samples);
}

LearnerParts draw_features(const LearnerLaw& law, const Stream& weights, const LearnerSamples& samples) {
  check_sample(samples.X, {samples.X.rows(), samples.X.cols()});
  check_features_shape(law.activation, samples.X.cols());
  auto training = std::make_unique<SpanTraining>(law, weights, samples);
  LearnerParts parts;
  parts.sample = features_sample_on_device(training->state_at(samples, law.activation));
  parts.training = std::move(training);
  return parts;
}

}  // namespace wordsway::cuda
