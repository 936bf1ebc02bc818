// Random features, shallow and deep, on the device.

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/cuda/device_maps.cuh"
#include "wordsway/cuda/map_kernels.cuh"
#include "wordsway/maps/device_composition.h"
#include "wordsway/maps/random_features/features_sample.h"

namespace wordsway::cuda {
namespace {

constexpr double kMovesBytes = 4.0 * (1 << 30);  // that moves evaluated at once may take

}  // namespace

ActivationKind activation_of(const Activation& activation) {
  if (const auto kind = kind_of(activation)) return *kind;
  throw UsageError("this activation is not computed on the device; leave --device cpu");
}

void check_features_shape(const Activation& activation, Index d) {
  activation_of(activation);
  if (d > kMostColumns)
    throw UsageError(fmt::format("the device computes random features of tokens of at most {} coordinates; got {}",
                                 kMostColumns, d));
}

Buffer make_matrix(const MapDevice& device, GaussianMatrix& matrix) {
  const Queue& queue = device.queue;
  const long rows = matrix.rows(), columns = matrix.columns();
  if (const auto* dense = dynamic_cast<const DenseMatrix*>(&matrix)) {
    Buffer entries = upload_numbers(queue, dense->entries());
    queue.wait();
    return entries;
  }
  const auto recipe = matrix.recipe();
  if (!recipe) {
    const Matrix complete = matrix.complete();
    Buffer entries = upload_numbers(queue, complete);
    queue.wait();
    return entries;
  }
  Buffer entries(bytes_of(rows * columns));
  fill_gaussians(queue.stream(), recipe->stream.key(), 0, static_cast<std::uint64_t>(rows * columns), matrix.scale(),
                 entries.as<double>());
  check(cudaGetLastError(), "drawing weights");
  const long known = recipe->directions.cols();
  if (known > 0) {
    const Matrix R = recipe->directions.transpose();  // [T, columns]
    const Buffer directions = upload_numbers(queue, R), seen = upload_numbers(queue, recipe->images);
    multiply(queue, rows, known, columns, -1, entries.as<double>(), directions.as<double>(), Transposed::kYes, 1,
             seen.as<double>());
    multiply(queue, rows, columns, known, 1, seen.as<double>(), directions.as<double>(), Transposed::kNo, 1,
             entries.as<double>());
    queue.wait();
  }
  return entries;
}

namespace {

// V_1 flat(X) of weights that are made from streams and not kept; nothing of others.
std::optional<Vector> streamed_image(const RandomFeatures& map, const Matrix& X) {
  auto* const blocks = dynamic_cast<StoredBlocks*>(&map.first());
  if (blocks == nullptr) return std::nullopt;
  std::vector<std::uint64_t> keys;
  for (Index j = 0; j < blocks->n(); ++j) {
    const auto recipe = blocks->block(j)->recipe();
    if (!recipe) return std::nullopt;
    keys.push_back(recipe->stream.key());
  }
  MapDevice& device = map_device();
  const std::lock_guard lock(device.mutex);
  const Queue& queue = device.queue;
  const Buffer x = upload_numbers(queue, X), z(bytes_of(blocks->k())), device_keys(sizeof(keys[0]) * keys.size());
  queue.upload(std::span<const std::uint64_t>(keys), device_keys.as<std::uint64_t>());
  gaussian_product(queue.stream(), device_keys.as<std::uint64_t>(), static_cast<int>(keys.size()), blocks->k(),
                   static_cast<int>(X.cols()), blocks->block(0)->scale(), x.as<double>(), z.as<double>());
  check(cudaGetLastError(), "drawing weights");
  Vector image(blocks->k());
  queue.download(z.as<double>(), std::span(image.data(), static_cast<size_t>(image.size())));
  return image;
}

std::shared_ptr<const FeaturesState> features_at(const RandomFeatures& map, const Matrix& X) {
  check_sample(X, {map.first().n(), map.first().d()});
  const auto image = streamed_image(map, X);
  return image ? std::make_shared<const FeaturesState>(map, X, *image) : std::make_shared<const FeaturesState>(map, X);
}

class DeviceFeaturesState {
 public:
  explicit DeviceFeaturesState(std::shared_ptr<const FeaturesState> host)
      : kind_(activation_of(host->map().activation())), host_(std::move(host)) {
    MapDevice& device = map_device();
    const std::lock_guard lock(device.mutex);
    z_ = upload_numbers(device.queue, host_->preactivation());
    features_ = upload_numbers(device.queue, host_->features());
    for (const auto& layer : host_->map().deeper()) deeper_.push_back(make_matrix(device, *layer));
    device.queue.wait();
  }

  const std::shared_ptr<const FeaturesState>& host() const { return host_; }
  ActivationKind kind() const { return kind_; }
  const double* z() const { return z_.as<double>(); }
  const double* features() const { return features_.as<double>(); }
  const std::vector<Buffer>& deeper() const { return deeper_; }
  long width() const { return host_->preactivation().size(); }

 private:
  ActivationKind kind_;
  std::shared_ptr<const FeaturesState> host_;
  Buffer z_, features_;
  std::vector<Buffer> deeper_;  // [k, k] each
};

// The V_{1,t} of the tokens that move, beside each other: to random features M tokens are one of M·d coordinates.
struct DeviceTokenBlocks {
  std::shared_ptr<const DeviceFeaturesState> sample;
  long count = 0, columns = 0;  // M, M·d
  Buffer weights;               // [k, M·d]

  /// Whether tiles of rows fit the memory of a block; wider ones are multiplied by cuBLAS.
  bool in_tiles() const { return columns <= kMostColumns; }
};

// The weights of one token are taken as they are made; those of several are copied to their columns.
Buffer make_token_blocks(const MapDevice& device, TokenBlocks& first, std::span<const Index> tokens) {
  if (tokens.size() == 1) return make_matrix(device, *first.block(tokens.front()));
  const auto k = static_cast<size_t>(first.k());
  const size_t row = sizeof(double) * static_cast<size_t>(first.d()), pitch = row * tokens.size();
  Buffer all(k * pitch);
  for (size_t t = 0; t < tokens.size(); ++t) {
    const Buffer one = make_matrix(device, *first.block(tokens[t]));
    check(cudaMemcpy2DAsync(all.as<char>() + t * row, pitch, one.as<void>(), row, row, k, cudaMemcpyDeviceToDevice,
                            device.queue.stream()),
          "copying weights");
    device.queue.wait();
  }
  return all;
}

// Evaluates moves of one set T of tokens: of each ‖φ(X^T(Δ)) − φ(X)‖² or, where it has a ψ (on the device),
// ⟨φ(X^T(Δ)), ψ⟩.
class FeaturesOnDevice {
 public:
  explicit FeaturesOnDevice(std::shared_ptr<const DeviceTokenBlocks> blocks)
      : blocks_(std::move(blocks)),
        answer_(handle_move_matrices<const double*>(
            blocks_->columns, [this](std::span<const double* const> psis, const Matrix& deltas, Vector& values,
                                     Matrix* gradients) { evaluate(psis, deltas, values, gradients); })) {}

  const DeviceTokenBlocks& blocks() const { return *blocks_; }
  const BatchHandler& answer() const { return answer_; }

 private:
  void evaluate(std::span<const double* const> psis, const Matrix& deltas, Vector& values, Matrix* gradients) const {
    MapDevice& device = map_device();
    const std::lock_guard lock(device.mutex);
    const long k = blocks_->sample->width(), d = deltas.cols();
    const auto layers = static_cast<long>(blocks_->sample->deeper().size()) + 1;
    const auto bytes = [&](long count) {
      return bytes_of(count * (2 * d + (layers + 2) * k + kReadParts + 2)) + (layers + 9) * Pieces::kAlignment +
             (blocks_->in_tiles() ? shallow_scratch_bytes(k, static_cast<int>(d), static_cast<int>(count)) : 0);
    };
    evaluate_in_batches(device, deltas.rows(), {deltas.rows(), kMovesBytes}, bytes, [&](long first, long count) {
      evaluate_some(device, psis.subspan(static_cast<size_t>(first)), deltas, first, count, values, gradients);
    });
  }

  void evaluate_some(const MapDevice& device, std::span<const double* const> psis, const Matrix& deltas, long first,
                     long count, Vector& values, Matrix* gradients) const {
    const DeviceFeaturesState& sample = *blocks_->sample;
    const Queue& queue = device.queue;
    const long k = sample.width(), d = deltas.cols();
    const int moves = static_cast<int>(count), columns = static_cast<int>(d);
    const bool with_slopes = gradients != nullptr;
    Pieces pieces(device.scratch.as<void>());
    auto* const moved = pieces.take<double>(count * d);
    auto* const asked = pieces.take<const double*>(count);
    auto *z = pieces.take<double>(count * k), *features = pieces.take<double>(count * k);
    auto* const parts = pieces.take<double>(count * kReadParts);
    auto* const found = pieces.take<double>(count);
    auto* const sums = pieces.take<double>(count * d);
    std::vector<double*> slopes;
    for (size_t l = 0; l <= sample.deeper().size(); ++l)
      slopes.push_back(with_slopes ? pieces.take<double>(count * k) : nullptr);
    queue.upload(std::span(deltas.data() + first * d, static_cast<size_t>(count * d)), moved);
    queue.upload(psis.first(static_cast<size_t>(count)), asked);

    if (slopes.size() == 1 && blocks_->in_tiles()) {
      evaluate_shallow_moves(
          queue.stream(), {sample.kind(), k, columns, moves, blocks_->weights.as<double>(), sample.z(),
                           sample.features(), asked, moved, found, with_slopes ? sums : nullptr, pieces.take<char>(0)});
    } else {
      evaluate_deep(queue, moves, asked, moved, z, features, parts, slopes, found, with_slopes ? sums : nullptr,
                    pieces.take<char>(0));
    }
    check(cudaGetLastError(), "moves of random features");
    if (with_slopes) queue.download(sums, std::span(gradients->data() + first * d, static_cast<size_t>(count * d)));
    queue.download(found, std::span(values.data() + first, static_cast<size_t>(count)));
  }

  // All layers, there and back; where no slopes are kept, there alone.
  void evaluate_deep(const Queue& queue, int moves, const double* const* psis, const double* moved, double* z,
                     double* features, double* parts, const std::vector<double*>& slopes, double* found, double* sums,
                     void* scratch) const {
    const DeviceFeaturesState& sample = *blocks_->sample;
    const long k = sample.width(), columns = blocks_->columns;
    const auto* const weights = blocks_->weights.as<double>();
    if (blocks_->in_tiles()) {
      row_products(queue.stream(), k, static_cast<int>(columns), weights, moves, moved, z);
    } else {
      multiply(queue, moves, k, columns, 1, moved, weights, Transposed::kYes, 0, z);
    }
    activate_features(queue.stream(), sample.kind(), k, moves, sample.z(), z, features, slopes[0]);
    for (size_t l = 0; l < sample.deeper().size(); ++l) {
      multiply(queue, moves, k, k, 1, features, sample.deeper()[l].as<double>(), Transposed::kYes, 0, z);
      activate_features(queue.stream(), sample.kind(), k, moves, nullptr, z, features, slopes[l + 1]);
    }
    read_features(queue.stream(), k, moves, sample.features(), psis, slopes.back(), features, parts, found);
    if (sums == nullptr) return;
    for (size_t l = sample.deeper().size(); l-- > 0;) {
      multiply(queue, moves, k, k, 1, features, sample.deeper()[l].as<double>(), Transposed::kNo, 0, z);
      multiply_entries(queue.stream(), moves * k, slopes[l], z);
      std::swap(z, features);
    }
    if (blocks_->in_tiles()) {
      row_sums(queue.stream(), k, static_cast<int>(columns), weights, moves, features, scratch, sums);
    } else {
      multiply(queue, moves, columns, k, 1, features, weights, Transposed::kNo, 0, sums);
    }
  }

  std::shared_ptr<const DeviceTokenBlocks> blocks_;
  BatchHandler answer_;
};

// Starts and bounds are the processor's.
class DeviceFeaturesView final : public TokenView {
 public:
  /// Throws UsageError as check_tokens does.
  DeviceFeaturesView(std::shared_ptr<const DeviceFeaturesState> sample, const std::vector<Index>& tokens)
      : host_(sample->host(), tokens) {
    auto blocks = std::make_shared<DeviceTokenBlocks>();
    blocks->sample = std::move(sample);
    TokenBlocks& first = blocks->sample->host()->map().first();
    blocks->count = static_cast<long>(tokens.size());
    blocks->columns = blocks->count * first.d();
    MapDevice& device = map_device();
    const std::lock_guard lock(device.mutex);
    blocks->weights = make_token_blocks(device, first, tokens);
    on_device_ = std::make_shared<const FeaturesOnDevice>(std::move(blocks));
  }

  std::unique_ptr<LiftedFunction> change() const override {
    return std::make_unique<DeviceFunction<const double*>>(on_device_, on_device_->answer(), nullptr, moves().columns,
                                                           moves().count);
  }
  std::unique_ptr<LiftedFunction> inner(const Matrix& psi) const override {
    const auto asked = ask(std::span(&psi, 1));
    return std::make_unique<DeviceFunction<const double*>>(asked, on_device_->answer(), asked->addresses().front(),
                                                           moves().columns, moves().count);
  }
  std::unique_ptr<LiftedFunction> outer(std::vector<Matrix> psis, OuterFunction g) const override {
    check_outer(psis, g);
    const auto asked = ask(psis);
    return std::make_unique<DeviceComposition<const double*>>(asked, on_device_->answer(), asked->addresses(),
                                                              std::move(g), moves().columns, moves().count);
  }
  std::vector<Vector> starts() const override { return host_.starts(); }
  // Between what the processor asks of weights that exist, 1e-7, and of those that every step decides, 1e-4: the last
  // digit takes half of all evaluations.
  SearchAdvice advice() const override { return {.tolerance = 1e-6}; }
  std::optional<UpperBound> upper_bound(double radius) const override { return host_.upper_bound(radius); }

 private:
  // Some ψ on the device, and who answers for them.
  struct Asked {
    std::shared_ptr<const FeaturesOnDevice> there;
    std::vector<Buffer> psis;

    std::vector<const double*> addresses() const {
      std::vector<const double*> found;
      for (const Buffer& psi : psis) found.push_back(psi.as<double>());
      return found;
    }
  };

  const DeviceTokenBlocks& moves() const { return on_device_->blocks(); }
  const FeaturesState& host() const { return *moves().sample->host(); }

  std::shared_ptr<const Asked> ask(std::span<const Matrix> psis) const {
    for (const Matrix& psi : psis)
      if (psi.rows() != host().features().rows() || psi.cols() != host().features().cols())
        throw DataError(fmt::format("psi must have the features' shape {} x 1; got {} x {}", host().features().rows(),
                                    psi.rows(), psi.cols()));
    auto asked = std::make_shared<Asked>();
    asked->there = on_device_;
    MapDevice& device = map_device();
    const std::lock_guard lock(device.mutex);
    for (const Matrix& psi : psis) asked->psis.push_back(upload_numbers(device.queue, psi));
    device.queue.wait();
    return asked;
  }

  FeaturesView host_;
  std::shared_ptr<const FeaturesOnDevice> on_device_;
};

class DeviceFeaturesSample final : public MappedSample {
 public:
  explicit DeviceFeaturesSample(std::shared_ptr<const DeviceFeaturesState> state) : state_(std::move(state)) {}

  const Matrix& X() const override { return host().X(); }
  const Matrix& features() const override { return host().features(); }
  double noise_norm() const override { return host().noise_norm(); }
  MoveRange move_range() const override { return {kShortestMove * host().X().norm(), kLongestMove}; }
  std::unique_ptr<TokenView> token(Index i) const override { return tokens(std::span(&i, 1)); }
  std::unique_ptr<TokenView> tokens(std::span<const Index> moved) const override {
    return std::make_unique<DeviceFeaturesView>(state_, std::vector(moved.begin(), moved.end()));
  }
  /// One token at a time, whose weights fill much of the device; its ascents side by side.
  Index moves_at_once() const override { return 1; }

 private:
  const FeaturesState& host() const { return *state_->host(); }

  std::shared_ptr<const DeviceFeaturesState> state_;
};

class DeviceFeaturesMap final : public FeatureMap {
 public:
  explicit DeviceFeaturesMap(RandomFeatures map) : map_(std::move(map)) {
    check_features_shape(map_.activation(), map_.first().d());
    map_device();
  }

  std::unique_ptr<MappedSample> at(const Matrix& X) const override {
    return std::make_unique<DeviceFeaturesSample>(std::make_shared<const DeviceFeaturesState>(features_at(map_, X)));
  }
  void feature_rows(ConstMatrixRef samples, Index n, Index first, Index count, MatrixRef out) const override {
    map_.feature_rows(samples, n, first, count, out);
  }
  Matrix features_reference(const Matrix& X) const override { return map_.features_reference(X); }
  Matrix weights() const override { return map_.weights(); }
  std::optional<double> memory_bytes() const override { return map_.memory_bytes(); }

 private:
  RandomFeatures map_;
};

}  // namespace

std::unique_ptr<MappedSample> features_sample_on_device(std::shared_ptr<const FeaturesState> state) {
  return std::make_unique<DeviceFeaturesSample>(std::make_shared<const DeviceFeaturesState>(std::move(state)));
}

std::unique_ptr<FeatureMap> features_on_device(const RandomFeatures& map) {
  return std::make_unique<DeviceFeaturesMap>(map);
}

}  // namespace wordsway::cuda
