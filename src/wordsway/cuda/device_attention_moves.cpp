#include "wordsway/cuda/device_attention_moves.cuh"

#include <cmath>

#include "wordsway/maps/attention/attention_moves.h"

namespace wordsway::cuda {
namespace {

constexpr BatchLimits kLimits = {1024, 4.0 * (1 << 30)};

// The vectors of a set of tokens, on the processor and on the device.
class DeviceMovedTokens {
 public:
  explicit DeviceMovedTokens(std::shared_ptr<const MovedTokens> tokens) : host_(std::move(tokens)) {
    const Index n = host_->sample().n(), M = host_->count();
    std::vector<int> indices, places(static_cast<size_t>(n), -1);
    for (Index t = 0; t < M; ++t) {
      indices.push_back(static_cast<int>(host_->token(t)));
      places[static_cast<size_t>(host_->token(t))] = static_cast<int>(t);
    }
    indices.insert(indices.end(), places.begin(), places.end());
    // Rows of T one after the other, so that threads of neighbouring rows of X read neighbouring numbers.
    const Matrix row_scores = host_->row_scores().transpose(), row_weights = host_->row_weights().transpose();
    MapDevice& device = map_device();
    const std::lock_guard lock(device.mutex);
    const Queue& queue = device.queue;
    indices_.reserve(sizeof(int) * indices.size());
    queue.upload(std::span<const int>(indices), indices_.as<int>());
    row_scores_ = upload_numbers(queue, row_scores);
    row_weights_ = upload_numbers(queue, row_weights);
    own_scores_ = upload_numbers(queue, host_->own_scores());
    row_masses_ = upload_numbers(queue, host_->row_masses());
    others_ = upload_numbers(queue, host_->others());
    X_ = upload_numbers(queue, host_->X());
    queue.wait();
  }

  const std::shared_ptr<const MovedTokens>& host() const { return host_; }

  MovedTokensArrays arrays() const {
    MovedTokensArrays arrays;
    arrays.count = static_cast<int>(host_->count());
    arrays.tokens = indices_.as<int>();
    arrays.places = indices_.as<int>() + host_->count();
    arrays.row_scores = row_scores_.as<double>();
    arrays.row_weights = row_weights_.as<double>();
    arrays.own_scores = own_scores_.as<double>();
    arrays.row_masses = row_masses_.as<double>();
    arrays.others = others_.as<double>();
    arrays.X = X_.as<double>();
    return arrays;
  }

 private:
  std::shared_ptr<const MovedTokens> host_;
  Buffer indices_;  // the tokens and the places of all
  Buffer row_scores_, row_weights_, own_scores_, row_masses_, others_, X_;
};

// Evaluates ‖φ(X^T(Δ)) − φ(X)‖² for moves of one set of tokens.
class MovesOnDevice {
 public:
  MovesOnDevice(AttentionOnDevice sample, std::vector<Index> tokens)
      : sample_(std::move(sample)),
        tokens_(std::make_shared<const MovedTokens>(sample_.host, std::move(tokens))),
        n_(sample_.host->n()),
        d_(sample_.host->d()),
        M_(tokens_.host()->count()),
        answer_(handle_move_matrices<NoToken>(
            M_ * d_, [this](std::span<const NoToken>, const Matrix& deltas, Vector& values, Matrix* gradients) {
              evaluate(deltas, values, gradients);
            })) {}

  const std::shared_ptr<const MovedTokens>& host() const { return tokens_.host(); }
  const BatchHandler& answer() const { return answer_; }
  Index dimension() const { return M_ * d_; }
  Index blocks() const { return M_; }

 private:
  // The way back has more than the moves: derivatives by WΔ_t and WᵀΔ_t, and by Δ_t.
  struct Slopes {
    double *by_turned = nullptr, *by_turned_back = nullptr, *gradients = nullptr;  // [B, M, d]
  };

  void evaluate(const Matrix& deltas, Vector& values, Matrix* gradients) const {
    MapDevice& device = map_device();
    const std::lock_guard lock(device.mutex);
    const auto bytes = [&](long count) {
      const long numbers = 9 * M_ * d_ + 6 * M_ * n_ + 4 * M_ * M_ + n_ * (d_ + 3) + 1;
      return sizeof(double) * static_cast<size_t>(count * numbers) + 24 * Pieces::kAlignment;
    };
    evaluate_in_batches(device, deltas.rows(), kLimits, bytes, [&](long first, long count) {
      Slopes slopes;
      const TogetherMoves moves = moves_in(device.scratch.as<void>(), count, slopes);
      const auto numbers = static_cast<size_t>(count * M_ * d_);
      device.queue.upload(std::span(deltas.data() + first * M_ * d_, numbers), moves.deltas);
      find_changes(device.queue, moves);
      if (gradients != nullptr) {
        find_gradients(device.queue, moves, slopes);
        device.queue.download(slopes.gradients, std::span(gradients->data() + first * M_ * d_, numbers));
      }
      device.queue.download(moves.values, std::span(values.data() + first, static_cast<size_t>(count)));
    });
  }

  TogetherMoves moves_in(void* memory, long count, Slopes& slopes) const {
    Pieces pieces(memory);
    const auto take = [&](long numbers) { return pieces.take<double>(count * numbers); };
    TogetherMoves moves;
    moves.f = sample_.f;
    moves.n = n_;
    moves.d = static_cast<int>(d_);
    moves.count = static_cast<int>(count);
    moves.tokens = tokens_.arrays();
    moves.features = sample_.features;
    for (double** const rows : {&moves.deltas, &moves.moved, &moves.turned, &moves.turned_back, &moves.own_rows,
                                &moves.own_cotangents, &slopes.by_turned, &slopes.by_turned_back, &slopes.gradients})
      *rows = take(M_ * d_);
    for (double** const scores :
         {&moves.row_weights, &moves.own_weights, &moves.row_slopes, &moves.own_slopes, &moves.gains, &moves.by_own})
      *scores = take(M_ * n_);
    moves.by_row = moves.gains;  // which the way back does not need
    for (double** const crossed : {&moves.crossed, &moves.among, &moves.own_on_moves, &moves.by_cross})
      *crossed = take(M_ * M_);
    for (double** const of_rows : {&moves.gain_sums, &moves.output_dots, &moves.squares}) *of_rows = take(n_);
    moves.changes = take(n_ * d_);
    moves.values = take(1);
    return moves;
  }

  // Values and cotangents.
  void find_changes(const Queue& queue, const TogetherMoves& moves) const {
    const long B = moves.count, rows = B * M_;
    const double scale = 1 / std::sqrt(static_cast<double>(d_));
    multiply(queue, rows, d_, d_, scale, moves.deltas, sample_.W, Transposed::kYes, 0, moves.turned);
    multiply(queue, rows, d_, d_, scale, moves.deltas, sample_.W, Transposed::kNo, 0, moves.turned_back);
    multiply(queue, rows, n_, d_, 1, moves.turned, sample_.X, Transposed::kYes, 0, moves.row_weights);
    multiply(queue, rows, n_, d_, 1, moves.turned_back, sample_.X, Transposed::kYes, 0, moves.own_weights);
    multiply_each(queue, B, M_, M_, d_, 1, {moves.deltas}, {moves.turned, Transposed::kYes}, 0, moves.crossed);
    attend_together(queue.stream(), moves);
    multiply(queue, rows, d_, n_, 1, moves.own_weights, sample_.X, Transposed::kNo, 0, moves.own_rows);
    multiply_each(queue, B, M_, d_, M_, 1, {moves.among}, {moves.deltas}, 1, moves.own_rows);
    multiply_each(queue, B, n_, d_, M_, 1, {moves.gains, Transposed::kYes}, {moves.tokens.X, Transposed::kNo, 0}, 0,
                  moves.changes);
    multiply_each(queue, B, n_, d_, M_, 1, {moves.row_weights, Transposed::kYes}, {moves.deltas}, 1, moves.changes);
    read_together(queue.stream(), moves);
    check(cudaGetLastError(), "moves of attention");
  }

  // From what find_changes left.
  void find_gradients(const Queue& queue, const TogetherMoves& moves, const Slopes& slopes) const {
    const long B = moves.count, rows = B * M_;
    const double* const cotangents = moves.changes;
    move_tokens(queue.stream(), moves);
    multiply_each(queue, B, M_, n_, d_, 1, {moves.moved}, {cotangents, Transposed::kYes}, 0, moves.by_row);
    multiply(queue, rows, n_, d_, 1, moves.own_cotangents, sample_.X, Transposed::kYes, 0, moves.by_own);
    multiply_each(queue, B, M_, M_, d_, 1, {moves.own_cotangents}, {moves.deltas, Transposed::kYes}, 0,
                  moves.own_on_moves);
    pull_back_together(queue.stream(), moves);
    check(cudaGetLastError(), "gradients of attention");

    multiply(queue, rows, d_, n_, 1, moves.by_row, sample_.X, Transposed::kNo, 0, slopes.by_turned);
    multiply_each(queue, B, M_, d_, M_, 1, {moves.by_cross, Transposed::kYes}, {moves.deltas}, 1, slopes.by_turned);
    multiply(queue, rows, d_, n_, 1, moves.by_own, sample_.X, Transposed::kNo, 0, slopes.by_turned_back);

    multiply_each(queue, B, M_, d_, n_, 1, {moves.row_weights}, {cotangents}, 0, slopes.gradients);
    multiply_each(queue, B, M_, d_, M_, 1, {moves.among, Transposed::kYes}, {moves.own_cotangents}, 1,
                  slopes.gradients);
    multiply_each(queue, B, M_, d_, M_, 1, {moves.by_cross}, {moves.turned}, 1, slopes.gradients);
    const double scale = 1 / std::sqrt(static_cast<double>(d_));
    multiply(queue, rows, d_, d_, scale, slopes.by_turned, sample_.W, Transposed::kNo, 1, slopes.gradients);
    multiply(queue, rows, d_, d_, scale, slopes.by_turned_back, sample_.W, Transposed::kYes, 1, slopes.gradients);
  }

  AttentionOnDevice sample_;
  DeviceMovedTokens tokens_;
  long n_, d_, M_;
  BatchHandler answer_;
};

class DeviceMovesView final : public TokenView {
 public:
  DeviceMovesView(AttentionOnDevice sample, std::vector<Index> tokens)
      : on_device_(std::make_shared<const MovesOnDevice>(std::move(sample), std::move(tokens))),
        host_(make_attention_moves(on_device_->host())) {}

  std::unique_ptr<LiftedFunction> change() const override {
    return std::make_unique<DeviceFunction<NoToken>>(on_device_, on_device_->answer(), NoToken{},
                                                     on_device_->dimension(), on_device_->blocks());
  }
  std::unique_ptr<LiftedFunction> inner(const Matrix& psi) const override { return host_->inner(psi); }
  std::unique_ptr<LiftedFunction> outer(std::vector<Matrix> psis, OuterFunction g) const override {
    return host_->outer(std::move(psis), std::move(g));
  }
  std::vector<Vector> starts() const override { return host_->starts(); }
  SearchAdvice advice() const override { return host_->advice(); }
  std::optional<UpperBound> upper_bound(double radius) const override { return host_->upper_bound(radius); }

 private:
  std::shared_ptr<const MovesOnDevice> on_device_;
  std::unique_ptr<TokenView> host_;
};

}  // namespace

std::unique_ptr<TokenView> attention_moves_on_device(AttentionOnDevice sample, std::vector<Index> tokens) {
  return std::make_unique<DeviceMovesView>(std::move(sample), std::move(tokens));
}

}  // namespace wordsway::cuda
