// Random attention features on the device.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/stop.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/cuda/device_attention_moves.cuh"
#include "wordsway/maps/attention/attention_view.h"

namespace wordsway::cuda {
namespace {

constexpr double kStripBytes = 8.0 * (1 << 30);  // of scores at once, at most
constexpr long kMostStripRows = 8192;
constexpr long kMostMoves = 1024;                // evaluated at once
constexpr double kMovesBytes = 2.0 * (1 << 30);  // that they may take
constexpr double kTokenBytes = 4.0 * (1 << 30);  // that tokens searched side by side hold on the processor

}  // namespace

DeviceNormaliser normaliser_of(const Normaliser& normaliser) {
  const std::optional<NormaliserSpec> spec = normaliser.spec();
  if (!spec) throw UsageError("attention with this normaliser is not computed on the device; leave --device cpu");
  return *spec;
}

namespace {

// Rows of scores that are made at once.
long strip_rows(long n) {
  const auto fit = static_cast<long>(kStripBytes / (8.0 * static_cast<double>(n)));
  return std::clamp<long>(std::min(fit, kMostStripRows), 1, n);
}

// Sums over all tokens are cut where the result alone would leave most of the device idle.
long strip_splits(long rows, long n, long d) {
  constexpr long kTile = 128, kTilesWanted = 512, kShortest = 4096;
  const long tiles = ((rows + kTile - 1) / kTile) * ((d + kTile - 1) / kTile);
  return std::clamp<long>(std::min(kTilesWanted / tiles, n / kShortest), 1, 32);
}

// X and φ of one sample on the device.
struct DeviceSample {
  Buffer X, features;
};

// φ(X) in strips of rows: scores, weights, sums. What a strip needs beside X and φ is O(n·d).
class StripAttention {
 public:
  StripAttention(MapDevice& device, DeviceNormaliser f, const Matrix& X, const double* W, DeviceSample& sample)
      : device_(device),
        queue_(device.queue),
        f_(f),
        n_(X.rows()),
        d_(X.cols()),
        rows_(strip_rows(n_)),
        splits_(strip_splits(rows_, n_, d_)),
        few_tokens_(n_ <= d_),
        W_(W),
        sample_(sample),
        found_{Matrix(n_, d_), Vector(n_), Vector(n_), Vector(n_), Vector(d_), {}, {}} {
    const Index gram = few_tokens_ ? n_ : d_;
    found_.gram.resize(gram, gram);
    if (few_tokens_) found_.queries.resize(n_, d_);
    sample_.X = upload_numbers(queue_, X);
    sample_.features.reserve(bytes(n_ * d_));
    const long numbers = n_ + 4 * rows_ + d_ + gram * gram + (splits_ + 2) * rows_ * d_ + rows_ * n_;
    device.scratch.reserve(bytes(numbers) + 10 * Pieces::kAlignment);
    Pieces pieces(device.scratch.as<void>());
    norms_ = pieces.take<double>(n_);
    ones_ = pieces.take<double>(rows_);
    scales_ = pieces.take<double>(rows_);
    masses_ = pieces.take<double>(rows_);
    terms_ = pieces.take<double>(rows_);
    mean_ = pieces.take<double>(d_);
    gram_ = pieces.take<double>(gram * gram);
    queries_ = pieces.take<double>(rows_ * d_);
    parts_ = pieces.take<double>((splits_ + 1) * rows_ * d_);
    scores_ = pieces.take<double>(rows_ * n_);
  }

  Attended run() {
    queue_.wait();
    const Stopwatch watch;
    row_norms(queue_.stream(), n_, static_cast<int>(d_), sample_.X.as<double>(), norms_);
    const Vector ones = Vector::Ones(rows_);
    queue_.upload(std::span(ones.data(), static_cast<size_t>(rows_)), ones_);
    for (long first = 0; first < n_; first += rows_) {
      throw_if_stopped();
      run_strip(first, std::min(rows_, n_ - first));
    }
    queue_.wait();
    device_.features_seconds = watch.seconds();
    download(sample_.features.as<double>(), found_.features.data(), n_ * d_);
    download(gram_, found_.gram.data(), found_.gram.size());
    download(mean_, found_.mean_query.data(), d_);
    found_.mean_query /= static_cast<double>(n_);
    return std::move(found_);
  }

 private:
  static size_t bytes(long numbers) { return sizeof(double) * static_cast<size_t>(numbers); }

  void download(const double* from, double* to, long count) const {
    queue_.download(from, std::span(to, static_cast<size_t>(count)));
  }

  void run_strip(long first, long rows) {
    const double* const X = sample_.X.as<double>();
    double* const queries = queries_;
    const int d = static_cast<int>(d_), r = static_cast<int>(rows);
    multiply(queue_, rows, d_, d_, 1 / std::sqrt(static_cast<double>(d_)), X + first * d_, W_, Transposed::kNo, 0,
             queries);
    add_queries(first, rows);
    multiply(queue_, rows, n_, d_, 1, queries, X, Transposed::kYes, 0, scores_);
    weigh_rows(queue_.stream(), f_, r, n_, norms_, scores_, scales_, masses_, terms_);
    add_parts(queue_.stream(), r, d, weighted_sums(rows), parts_, scales_, sample_.features.as<double>() + first * d_);
    check(cudaGetLastError(), "attention");
    download(masses_, found_.masses.data() + first, rows);
    download(terms_, found_.term_norms.data() + first, rows);
  }

  // What is computed for the queries besides their scores.
  void add_queries(long first, long rows) {
    const double* const queries = queries_;
    const double one = 1, before = first > 0 ? 1 : 0;
    const int d = static_cast<int>(d_), r = static_cast<int>(rows);
    row_norms(queue_.stream(), rows, d, queries, terms_);
    download(terms_, found_.query_norms.data() + first, rows);
    check(cublasDgemv(queue_.blas(), CUBLAS_OP_N, d, r, &one, queries, d, ones_, 1, &before, mean_, 1), "a sum");
    if (few_tokens_) {  // then all of them are in one strip
      multiply(queue_, rows, rows, d_, 1, queries, queries, Transposed::kYes, 0, gram_);
      download(queries, found_.queries.data(), rows * d_);
    } else {
      check(cublasDgemm(queue_.blas(), CUBLAS_OP_N, CUBLAS_OP_T, d, d, r, &one, queries, d, queries, d, &before, gram_,
                        d),
            "a Gram matrix");
    }
  }

  // Unscaled weights times X, in parts over the tokens; returns how many.
  int weighted_sums(long rows) {
    const double one = 1, zero = 0;
    const long each = n_ / splits_, rest = n_ - each * splits_;
    const int d = static_cast<int>(d_), r = static_cast<int>(rows), n = static_cast<int>(n_);
    double* const parts = parts_;
    check(cublasDgemmStridedBatched(queue_.blas(), CUBLAS_OP_N, CUBLAS_OP_N, d, r, static_cast<int>(each), &one,
                                    sample_.X.as<double>(), d, each * d_, scores_, n, each, &zero, parts, d, rows * d_,
                                    static_cast<int>(splits_)),
          "attention's sums");
    if (rest == 0) return static_cast<int>(splits_);
    check(cublasDgemm(queue_.blas(), CUBLAS_OP_N, CUBLAS_OP_N, d, r, static_cast<int>(rest), &one,
                      sample_.X.as<double>() + each * splits_ * d_, d, scores_ + each * splits_, n, &zero,
                      parts + splits_ * rows * d_, d),
          "attention's sums");
    return static_cast<int>(splits_) + 1;
  }

  MapDevice& device_;
  const Queue& queue_;
  DeviceNormaliser f_;
  long n_, d_, rows_, splits_;
  bool few_tokens_;
  const double* W_;
  DeviceSample& sample_;
  Attended found_;
  // In the device's scratch memory.
  double *norms_, *ones_, *scales_, *masses_, *terms_, *mean_, *gram_, *queries_, *parts_, *scores_;
};

// A token's vectors, on the processor and on the device.
class DeviceToken {
 public:
  explicit DeviceToken(std::shared_ptr<const AttentionToken> token) : host_(std::move(token)) {
    const Index n = host_->sample().n(), d = host_->sample().d();
    std::vector<int> special;
    for (Index j = 0; j < n; ++j)
      if (j != host_->index() && host_->inverse_rests()[j] == 0) special.push_back(static_cast<int>(j));
    const auto count = static_cast<Index>(special.size());
    Vector numbers(6 * n + d + count * d);
    numbers << host_->row_scores(), host_->row_masses(), host_->row_weights(), host_->squared_offsets(),
        host_->inverse_rests(), host_->own_scores(), host_->own_slope(), Vector::Zero(count * d);
    for (Index s = 0; s < count; ++s)
      numbers.segment(6 * n + d + s * d, d) = host_->offsets().row(special[static_cast<size_t>(s)]).transpose();
    MapDevice& device = map_device();
    const std::lock_guard lock(device.mutex);
    numbers_ = upload_numbers(device.queue, numbers);
    special_.reserve(sizeof(int) * std::max<size_t>(special.size(), 1));
    device.queue.upload(std::span<const int>(special), special_.as<int>());
    device.queue.wait();
    const double* const at = numbers_.as<double>();
    arrays_ = {static_cast<int>(host_->index()),
               at,
               at + n,
               at + 2 * n,
               at + 3 * n,
               at + 4 * n,
               at + 5 * n,
               at + 6 * n,
               static_cast<int>(count),
               special_.as<int>(),
               at + 6 * n + d};
  }

  const std::shared_ptr<const AttentionToken>& host() const { return host_; }
  const AttentionTokenArrays& arrays() const { return arrays_; }

 private:
  std::shared_ptr<const AttentionToken> host_;
  Buffer numbers_, special_;
  AttentionTokenArrays arrays_;
};

class DeviceAttentionState {
 public:
  DeviceAttentionState(const AttentionMap& map, std::shared_ptr<const Buffer> W, const Matrix& X)
      : f_(normaliser_of(map.normaliser())),
        W_(std::move(W)),
        host_(attend(map, X)),
        answer_(handle_move_matrices<const DeviceToken*>(
            X.cols(), [this](std::span<const DeviceToken* const> tokens, const Matrix& deltas, Vector& values,
                             Matrix* gradients) { evaluate(tokens, deltas, values, gradients); })) {}

  const std::shared_ptr<const AttentionState>& host() const { return host_; }
  const BatchHandler& answer() const { return answer_; }

  /// For a state that `self` owns.
  AttentionOnDevice there(std::shared_ptr<const DeviceAttentionState> self) const {
    return {f_, sample_.X.as<double>(), sample_.features.as<double>(), W_->as<double>(), host_, std::move(self)};
  }

 private:
  std::shared_ptr<const AttentionState> attend(const AttentionMap& map, const Matrix& X) {
    check_sample(X, {std::nullopt, map.W().rows()});
    MapDevice& device = map_device();
    const std::lock_guard lock(device.mutex);
    return std::make_shared<const AttentionState>(map, X,
                                                  StripAttention(device, f_, X, W_->as<double>(), sample_).run());
  }

  void evaluate(std::span<const DeviceToken* const> tokens, const Matrix& deltas, Vector& values,
                Matrix* gradients) const {
    MapDevice& device = map_device();
    const std::lock_guard lock(device.mutex);
    const Index n = host_->n(), d = host_->d();
    const auto bytes = [&](long count) {
      return attention_scratch_bytes(n, static_cast<int>(d), static_cast<int>(count)) +
             static_cast<size_t>(count) *
                 (sizeof(double) * static_cast<size_t>(6 * d + 1) + sizeof(AttentionTokenArrays)) +
             9 * Pieces::kAlignment;
    };
    evaluate_in_batches(device, deltas.rows(), {kMostMoves, kMovesBytes}, bytes, [&](long first, long count) {
      evaluate_some(device, tokens, deltas, {first, count}, values, gradients);
    });
  }

  struct Some {
    long first, count;
  };

  void evaluate_some(MapDevice& device, std::span<const DeviceToken* const> tokens, const Matrix& deltas, Some some,
                     Vector& values, Matrix* gradients) const {
    const Queue& queue = device.queue;
    const long n = host_->n(), d = host_->d(), count = some.count;
    const auto numbers = static_cast<size_t>(count * d);
    std::vector<AttentionTokenArrays> arrays;
    for (long k = 0; k < count; ++k) arrays.push_back(tokens[static_cast<size_t>(some.first + k)]->arrays());
    Pieces pieces(device.scratch.as<void>());
    auto* const device_arrays = pieces.take<AttentionTokenArrays>(count);
    auto* const device_deltas = pieces.take<double>(count * d);
    auto *const by_row = pieces.take<double>(count * d), *const own = pieces.take<double>(count * d);
    auto *const row_sum = pieces.take<double>(count * d), *const own_sum = pieces.take<double>(count * d);
    auto *const slopes = pieces.take<double>(count * d), *const found = pieces.take<double>(count);
    queue.upload(std::span<const AttentionTokenArrays>(arrays), device_arrays);
    queue.upload(std::span(deltas.data() + some.first * d, numbers), device_deltas);
    const double scale = 1 / std::sqrt(static_cast<double>(d));
    const auto* const W = W_->as<double>();
    multiply(queue, count, d, d, scale, device_deltas, W, Transposed::kYes, 0, by_row);
    multiply(queue, count, d, d, scale, device_deltas, W, Transposed::kNo, 0, own);
    evaluate_attention_moves(queue.stream(),
                             {f_, n, static_cast<int>(d), static_cast<int>(count), sample_.X.as<double>(),
                              sample_.features.as<double>(), device_arrays, device_deltas, by_row, own, found, row_sum,
                              own_sum, gradients != nullptr ? slopes : nullptr, pieces.take<char>(0)});
    check(cudaGetLastError(), "moves of attention");
    if (gradients != nullptr) {
      multiply(queue, count, d, d, scale, row_sum, W, Transposed::kNo, 1, slopes);
      multiply(queue, count, d, d, scale, own_sum, W, Transposed::kYes, 1, slopes);
      queue.download(slopes, std::span(gradients->data() + some.first * d, numbers));
    }
    queue.download(found, std::span(values.data() + some.first, static_cast<size_t>(count)));
  }

  DeviceNormaliser f_;
  std::shared_ptr<const Buffer> W_;
  DeviceSample sample_;
  std::shared_ptr<const AttentionState> host_;
  BatchHandler answer_;
};

// Bounds, starts and inner products are the processor's.
class DeviceAttentionView final : public TokenView {
 public:
  DeviceAttentionView(std::shared_ptr<const DeviceAttentionState> sample, Index i)
      : sample_(std::move(sample)),
        token_(std::make_shared<const DeviceToken>(std::make_shared<const AttentionToken>(sample_->host(), i))),
        host_(token_->host()) {}

  std::unique_ptr<LiftedFunction> change() const override {
    return std::make_unique<DeviceFunction<const DeviceToken*>>(
        std::make_shared<std::pair<decltype(sample_), decltype(token_)>>(sample_, token_), sample_->answer(),
        token_.get(), sample_->host()->d());
  }
  std::unique_ptr<LiftedFunction> inner(const Matrix& psi) const override { return host_.inner(psi); }
  std::unique_ptr<LiftedFunction> outer(std::vector<Matrix> psis, OuterFunction g) const override {
    return host_.outer(std::move(psis), std::move(g));
  }
  std::vector<Vector> starts() const override { return host_.starts(); }
  std::optional<UpperBound> upper_bound(double radius) const override { return host_.upper_bound(radius); }

 private:
  std::shared_ptr<const DeviceAttentionState> sample_;
  std::shared_ptr<const DeviceToken> token_;
  AttentionView host_;
};

class DeviceAttentionSample final : public MappedSample {
 public:
  explicit DeviceAttentionSample(std::shared_ptr<const DeviceAttentionState> state) : state_(std::move(state)) {}

  const Matrix& X() const override { return host().X(); }
  const Matrix& features() const override { return host().features(); }
  double noise_norm() const override { return host().noise_norm(); }
  MoveRange move_range() const override { return {kShortestMove * host().X().norm(), kLongestMove}; }
  std::unique_ptr<TokenView> token(Index i) const override { return std::make_unique<DeviceAttentionView>(state_, i); }
  std::unique_ptr<TokenView> tokens(std::span<const Index> moved) const override {
    check_tokens(moved, host().n());
    if (moved.size() == 1) return token(moved.front());
    return attention_moves_on_device(state_->there(state_), {moved.begin(), moved.end()});
  }
  Index moves_at_once() const override {
    return std::clamp<Index>(static_cast<Index>(kTokenBytes / (8.0 * static_cast<double>(host().X().size()))), 1,
                             kMostMoves);
  }

 private:
  const AttentionState& host() const { return *state_->host(); }

  std::shared_ptr<const DeviceAttentionState> state_;
};

class DeviceAttentionMap final : public FeatureMap {
 public:
  explicit DeviceAttentionMap(AttentionMap map) : map_(std::move(map)) {
    normaliser_of(map_.normaliser());
    if (map_.W().rows() > kMostColumns)
      throw UsageError(fmt::format("the device computes attention of at most {} coordinates; got {}", kMostColumns,
                                   map_.W().rows()));
    MapDevice& device = map_device();
    const std::lock_guard lock(device.mutex);
    W_ = std::make_shared<const Buffer>(upload_numbers(device.queue, map_.W()));
    device.queue.wait();
  }

  std::unique_ptr<MappedSample> at(const Matrix& X) const override {
    return std::make_unique<DeviceAttentionSample>(std::make_shared<const DeviceAttentionState>(map_, W_, X));
  }
  void feature_rows(ConstMatrixRef samples, Index n, Index first, Index count, MatrixRef out) const override {
    map_.feature_rows(samples, n, first, count, out);
  }
  Matrix features_reference(const Matrix& X) const override { return map_.features_reference(X); }
  Matrix weights() const override { return map_.weights(); }

 private:
  AttentionMap map_;
  std::shared_ptr<const Buffer> W_;
};

}  // namespace

std::unique_ptr<FeatureMap> attention_on_device(const AttentionMap& map) {
  return std::make_unique<DeviceAttentionMap>(map);
}

}  // namespace wordsway::cuda
