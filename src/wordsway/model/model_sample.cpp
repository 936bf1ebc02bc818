#include "wordsway/model/model_sample.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/random/stream.h"

namespace wordsway {
namespace {

// Borrows a trace from the pool for one evaluation.
class BorrowedTrace {
 public:
  explicit BorrowedTrace(TracePool& pool) : pool_(pool), trace_(pool.take()) {}
  ~BorrowedTrace() { pool_.give_back(std::move(trace_)); }
  BorrowedTrace(const BorrowedTrace&) = delete;
  BorrowedTrace& operator=(const BorrowedTrace&) = delete;

  TransformerTrace& operator*() { return trace_; }

 private:
  TracePool& pool_;
  TransformerTrace trace_;
};

class Change final : public FeatureObjective {
 public:
  explicit Change(const Matrix& features) : features_(features) {}
  double value(const Matrix& features) const override { return (features - features_).squaredNorm(); }
  Matrix slope(const Matrix& features) const override { return 2 * (features - features_); }

 private:
  const Matrix& features_;  // φ(X), of the state
};

class Inner final : public FeatureObjective {
 public:
  explicit Inner(Matrix psi) : psi_(std::move(psi)) {}
  double value(const Matrix& features) const override { return (features.array() * psi_.array()).sum(); }
  Matrix slope(const Matrix&) const override { return psi_; }

 private:
  Matrix psi_;
};

// f(Δ) = h(φ(X^i(Δ))) on the CPU, where the objective defines h.
class HostFunction final : public LiftedFunction {
 public:
  HostFunction(std::shared_ptr<const ModelState> sample, Index token, std::unique_ptr<const FeatureObjective> objective)
      : sample_(std::move(sample)), token_(token), objective_(std::move(objective)) {}

  Index dimension() const override { return sample_->X().cols(); }
  Index lifted_size() const override { return dimension(); }
  void lift(ConstVectorRef delta, VectorRef lifted) const override { lifted = delta; }
  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override { gradient = lifted_gradient; }

  // Evaluates a few hundred rows at a time, so that the weights come from memory once for all of them. In a decoder
  // rows before the token are not computed and do not count.
  Vector values(ConstMatrixRef deltas, Matrix* gradients) const override {
    constexpr Index kRows = 256;
    check_coordinates(deltas.cols());
    const bool hides_tokens = !sample_->map().mask().all_visible();  // padding, which is the mask of one text alone
    const Index rows = sample_->X().rows() - sample_->map().transformer().first_changed_row(token_);
    const Index each = hides_tokens ? 1 : std::max<Index>(1, kRows / rows), count = deltas.rows();
    Vector found(count);
    if (gradients != nullptr) gradients->resize(count, deltas.cols());
    parallel_for((count + each - 1) / each, [&](Index batch) {
      const RowRange moves{batch * each, std::min(count, (batch + 1) * each)};
      if (moves.size() > 1) return evaluate_together(deltas, moves, found, gradients);
      Vector gradient;
      found[moves.begin] = evaluate(deltas.row(moves.begin).transpose(), gradients != nullptr ? &gradient : nullptr);
      if (gradients != nullptr) gradients->row(moves.begin) = gradient.transpose();
    });
    return found;
  }

  double evaluate(ConstVectorRef delta, Vector* gradient) const override {
    const Transformer& transformer = sample_->map().transformer();
    MatrixF x = sample_->X().cast<float>();
    x.row(token_) = (sample_->X().row(token_) + delta.transpose()).cast<float>();
    BorrowedTrace trace(sample_->traces());
    const MatrixF hidden = transformer.forward_changed_row(x, token_, sample_->base(), *trace);
    Matrix features = sample_->map().features_of(hidden);
    if (gradient == nullptr) return objective_->value(features);
    const double result = objective_->value(features);
    const MatrixF cotangent = sample_->map().features_vjp(hidden, objective_->slope(features));
    *gradient = transformer.vjp_row(*trace, cotangent, token_).transpose().cast<double>();
    return result;
  }

 private:
  // Evaluates several moves in one forward pass, one text below the other. In a decoder a text has the rows from the
  // token on.
  void evaluate_together(ConstMatrixRef deltas, RowRange moves, Vector& found, Matrix* gradients) const {
    const ModelMap& map = sample_->map();
    const Transformer& transformer = map.transformer();
    const Matrix& X = sample_->X();
    const Index first = transformer.first_changed_row(token_), m = X.rows() - first;
    const MatrixF rows = (deltas.middleRows(moves.begin, moves.size()).rowwise() + X.row(token_)).cast<float>();
    BorrowedTrace trace(sample_->traces());
    const MatrixF changed = transformer.forward_changed_rows(X.cast<float>(), rows, token_, sample_->base(),
                                                             gradients != nullptr ? &*trace : nullptr);
    MatrixF cotangent(changed.rows(), changed.cols()), hidden(X.rows(), X.cols());
    if (first > 0) hidden.topRows(first) = sample_->base().output.topRows(first);
    for (Index k = 0; k < moves.size(); ++k) {
      hidden.bottomRows(m) = changed.middleRows(k * m, m);
      const Matrix features = map.features_of(hidden);
      found[moves.begin + k] = objective_->value(features);
      if (gradients != nullptr)
        cotangent.middleRows(k * m, m) = map.features_vjp(hidden, objective_->slope(features)).bottomRows(m);
    }
    if (gradients == nullptr) return;
    gradients->middleRows(moves.begin, moves.size()) =
        transformer.vjp_changed_rows(*trace, cotangent, token_).cast<double>();
  }

  std::shared_ptr<const ModelState> sample_;
  Index token_;
  std::unique_ptr<const FeatureObjective> objective_;
};

// Handles requests for an objective other than the change, on the device.
struct ObjectiveHandler {
  ObjectiveHandler(std::shared_ptr<const ModelState> its_sample, std::unique_ptr<const FeatureObjective> its_objective)
      : sample(std::move(its_sample)), objective(std::move(its_objective)) {
    handler = handle_moves<Index>(
        [this](std::span<const MoveRequest<Index>> moves) { sample->evaluate_moves(moves, *objective, false); });
  }

  std::shared_ptr<const ModelState> sample;
  std::unique_ptr<const FeatureObjective> objective;
  BatchHandler handler;
};

class ModelView : public TokenView {
 public:
  ModelView(std::shared_ptr<const ModelState> sample, Index token) : sample_(std::move(sample)), token_(token) {}

  std::unique_ptr<LiftedFunction> change() const override {
    if (sample_->device_text() == nullptr)
      return std::make_unique<HostFunction>(sample_, token_, std::make_unique<Change>(sample_->features()));
    return std::make_unique<DeviceFunction<Index>>(sample_, sample_->change_handler(), token_, sample_->X().cols());
  }

  std::unique_ptr<LiftedFunction> inner(const Matrix& psi) const override {
    const Matrix& features = sample_->features();
    if (psi.rows() != features.rows() || psi.cols() != features.cols()) {
      throw DataError(fmt::format("ψ must have the features' shape {} by {}, but is {} by {}", features.rows(),
                                  features.cols(), psi.rows(), psi.cols()));
    }
    if (sample_->device_text() == nullptr)
      return std::make_unique<HostFunction>(sample_, token_, std::make_unique<Inner>(psi));
    const auto own = std::make_shared<const ObjectiveHandler>(sample_, std::make_unique<Inner>(psi));
    return std::make_unique<DeviceFunction<Index>>(own, own->handler, token_, sample_->X().cols());
  }

  // Gains below the engine's rounding cannot be told from noise (model_map.h), and every evaluation is a whole model.
  SearchAdvice advice() const override { return {.starts = 8, .tolerance = 1e-4, .in_stages = true}; }

  std::vector<Vector> starts() const override {
    if (sample_->map().output().layer == 0) return {};
    return {sample_->attracting(token_)};
  }

  // Directions to random tokens of the vocabulary, drawn by the token's index alone.
  std::vector<Vector> word_directions(int most) const override {
    const Transformer& transformer = sample_->map().transformer();
    const Stream stream = Stream(1).derive("words").derive(static_cast<std::uint64_t>(token_));
    std::vector<int> ids(static_cast<size_t>(most));
    for (size_t k = 0; k < ids.size(); ++k)
      ids[k] = static_cast<int>(stream.uniform(k) * static_cast<double>(transformer.config().vocabulary));
    const MatrixF rows = transformer.embed_at_row(ids, token_);
    std::vector<Vector> directions;
    for (Index k = 0; k < rows.rows(); ++k)
      directions.emplace_back((rows.row(k).cast<double>() - sample_->X().row(token_)).transpose());
    return directions;
  }

 private:
  std::shared_ptr<const ModelState> sample_;
  Index token_;
};

}  // namespace

TransformerTrace TracePool::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return {};
  TransformerTrace trace = std::move(free_.back());
  free_.pop_back();
  return trace;
}

void TracePool::give_back(TransformerTrace trace) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(trace));
}

ModelState::ModelState(ModelMap map, const Matrix& X) : map_(std::move(map)), X_(X) {
  const Transformer& transformer = map_.transformer();
  const DeviceEngine* engine = map_.mask().all_visible() ? transformer.engine() : nullptr;
  MatrixF hidden;
  if (engine != nullptr) {
    device_text_ = engine->text(X.cast<float>(), map_.output().layer);
    hidden = device_text_->hidden();
    row_weights_ = map_.readout().row_weights(map_.text(), X.rows());
    change_handler_ = handle_moves<Index>(
        [this](std::span<const MoveRequest<Index>> moves) { evaluate_moves(moves, Change(features_), true); });
  } else {
    hidden = transformer.forward(X.cast<float>(), map_.output().layer, map_.mask(), base_);
  }
  features_ = map_.features_of(hidden);
  noise_norm_ = map_.readout().noise_norm(map_.text(), hidden);
}

Vector ModelState::attracting(Index token) const {
  if (device_text_ == nullptr) return attracting_direction(map_.transformer(), X_.cast<float>(), token);
  // Every search waits for this, so it uses all threads.
  std::call_once(attracting_once_,
                 [&] { with_threads(0, [&] { attracting_.emplace(map_.transformer(), X_.cast<float>()); }); });
  return (*attracting_)(token);
}

void ModelState::evaluate_moves(std::span<const MoveRequest<Index>> moves, const FeatureObjective& objective,
                                bool is_change) const {
  const auto count = static_cast<Index>(moves.size()), d = X_.cols();
  const Index wanted = with_gradients(moves);
  std::vector<Index> tokens;
  MatrixF rows(count, d), slopes;
  for (Index k = 0; k < count; ++k) {
    const MoveRequest<Index>& move = moves[static_cast<size_t>(k)];
    tokens.push_back(move.token);
    rows.row(k) = (X_.row(move.token) + Eigen::Map<const Eigen::RowVectorXd>(move.delta, d)).cast<float>();
  }
  Vector values(count);
  evaluate({tokens, rows, count - wanted}, objective, is_change, values, wanted > 0 ? &slopes : nullptr);
  for (Index k = 0; k < count; ++k) {
    const MoveRequest<Index>& move = moves[static_cast<size_t>(k)];
    *move.value = values[k];
    if (k < wanted) Eigen::Map<Eigen::RowVectorXd>(move.gradient, d) = slopes.row(k).cast<double>();
  }
}

namespace {

// How many of these copies, which come first, want a gradient.
Index wanted_among(const MovedRows& moved, Index first, Index copies) {
  return std::clamp<Index>(moved.with_gradients() - first, 0, copies);
}

}  // namespace

// The device returns one sum of rows for each copy.
void ModelState::evaluate_sums(const MovedRows& moved, const FeatureObjective& objective, Vector& values,
                               MatrixF* gradients) const {
  const Transformer& transformer = map_.transformer();
  const Readout& readout = map_.readout();
  const auto respond = [&](const MatrixF& sums, Index first) {
    const Index wanted = wanted_among(moved, first, sums.rows()), at_once = readout.texts_at_once(sums.rows());
    MatrixF cotangent(wanted, sums.cols());
    for (Index begin = 0; begin < sums.rows(); begin += at_once) {
      const Index rows = std::min(at_once, sums.rows() - begin);
      MatrixF outputs = readout.forward_sums(transformer, sums.middleRows(begin, rows));
      parallel_for(rows, [&](Index k) {
        const Matrix features = readout.features(outputs.row(k));
        values[first + begin + k] = objective.value(features);
        if (begin + k < wanted) outputs.row(k) = readout.features_vjp(objective.slope(features));
      });
      const Index slopes = std::clamp<Index>(wanted - begin, 0, rows);
      if (slopes > 0)
        cotangent.middleRows(begin, slopes) =
            readout.sums_vjp(transformer, sums.middleRows(begin, slopes), outputs.topRows(slopes));
    }
    return cotangent;
  };
  device_text_->read_out(moved, row_weights_, respond, gradients);
}

// The device returns all rows of each copy.
void ModelState::evaluate_states(const MovedRows& moved, const FeatureObjective& objective, Vector& values,
                                 MatrixF* gradients) const {
  const Index n = X_.rows();
  const auto respond = [&](const MatrixF& states, Index first) {
    const Index copies = states.rows() / n, wanted = wanted_among(moved, first, copies);
    MatrixF cotangent(wanted * n, states.cols());
    parallel_for(copies, [&](Index k) {
      const MatrixF hidden = states.middleRows(k * n, n);
      const Matrix features = map_.features_of(hidden);
      values[first + k] = objective.value(features);
      if (k < wanted) cotangent.middleRows(k * n, n) = map_.features_vjp(hidden, objective.slope(features));
    });
    return cotangent;
  };
  device_text_->read_states(moved, respond, gradients);
}

void ModelState::evaluate(const MovedRows& moved, const FeatureObjective& objective, bool is_change, Vector& values,
                          MatrixF* gradients) const {
  if (is_change && map_.readout().is_hidden_state()) {
    values = device_text_->distances(moved, gradients);
  } else if (row_weights_.size() > 0) {
    evaluate_sums(moved, objective, values, gradients);
  } else {
    evaluate_states(moved, objective, values, gradients);
  }
}

// More searches than the device needs: a new search begins with work on the CPU, for which all others wait.
Index ModelSample::moves_at_once() const {
  if (state_->device_text() == nullptr) return 0;
  return 1024;
}

// Two groups where half of the searches keep the device busy. With fewer searches there would be more rounds that are
// hardly shorter, and where submitting a round takes as long as computing it, two groups take twice as long as one.
LockstepGroups ModelSample::search_groups(Index searches) const {
  constexpr Index kRowsOfTwo = 16384, kFewRows = 2048;
  const Index n = state_->X().rows();
  return {.count = searches * n >= kRowsOfTwo ? 2 : 1, .few = kFewRows / n};
}

std::unique_ptr<TokenView> ModelSample::token(Index i) const {
  const Index n = state_->X().rows();
  if (i < 0 || i >= n) throw UsageError(fmt::format("token {} does not exist; the text has tokens 0 to {}", i, n - 1));
  return std::make_unique<ModelView>(state_, i);
}

}  // namespace wordsway
