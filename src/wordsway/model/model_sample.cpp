#include "wordsway/model/model_sample.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/random/stream.h"

namespace wordsway {
namespace {

// A loan from the pool for the length of one evaluation.
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

// f(Δ) = h(φ(X^i(Δ))): what h is, the objective says.
class FunctionHere final : public LiftedFunction {
 public:
  FunctionHere(std::shared_ptr<const ModelState> sample, Index token, std::unique_ptr<const FeatureObjective> objective)
      : sample_(std::move(sample)), token_(token), objective_(std::move(objective)) {}

  Index dimension() const override { return sample_->X().cols(); }
  Index lifted_size() const override { return dimension(); }
  void lift(ConstVectorRef delta, VectorRef lifted) const override { lifted = delta; }
  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override { gradient = lifted_gradient; }

  // Some hundred rows at a time: the weights come from memory once for all of them. In a decoder rows before the token
  // are not computed and do not count.
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
  // Some moves in one forward, as many texts below each other. Of a decoder's, these are the rows from the token on.
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

// What answers requests about an objective that is not the change, on the model's other engine.
struct OwnAnswer {
  OwnAnswer(std::shared_ptr<const ModelState> its_sample, std::unique_ptr<const FeatureObjective> its_objective)
      : sample(std::move(its_sample)), objective(std::move(its_objective)) {
    answer = answer_moves<Index>(
        [this](std::span<const MoveRequest<Index>> moves) { sample->evaluate_moves(moves, *objective, false); });
  }

  std::shared_ptr<const ModelState> sample;
  std::unique_ptr<const FeatureObjective> objective;
  AnswerTogether answer;
};

class ModelView : public TokenView {
 public:
  ModelView(std::shared_ptr<const ModelState> sample, Index token) : sample_(std::move(sample)), token_(token) {}

  std::unique_ptr<LiftedFunction> change() const override {
    if (sample_->device_text() == nullptr)
      return std::make_unique<FunctionHere>(sample_, token_, std::make_unique<Change>(sample_->features()));
    return std::make_unique<FunctionThere<Index>>(sample_, sample_->answer_changes(), token_, sample_->X().cols());
  }

  std::unique_ptr<LiftedFunction> inner(const Matrix& psi) const override {
    const Matrix& features = sample_->features();
    if (psi.rows() != features.rows() || psi.cols() != features.cols()) {
      throw DataError(fmt::format("ψ must have the features' shape {} by {}, but is {} by {}", features.rows(),
                                  features.cols(), psi.rows(), psi.cols()));
    }
    if (sample_->device_text() == nullptr)
      return std::make_unique<FunctionHere>(sample_, token_, std::make_unique<Inner>(psi));
    const auto own = std::make_shared<const OwnAnswer>(sample_, std::make_unique<Inner>(psi));
    return std::make_unique<FunctionThere<Index>>(own, own->answer, token_, sample_->X().cols());
  }

  // Gains below the engine's rounding cannot be told from noise (model_map.h), and every evaluation is a whole model.
  SearchAdvice advice() const override { return {.starts = 8, .tolerance = 1e-4, .in_stages = true}; }

  std::vector<Vector> starts() const override {
    if (sample_->map().output().layer == 0) return {};
    return {sample_->attracting(token_)};
  }

  // To tokens of the vocabulary in the token's place, drawn by its index alone.
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

namespace {

// Hidden states may cancel in their mean: what is left of them is noise when it is below float32's rounding, a few
// times 1e-7 of them. A mean that goes through more steps is judged before them.
double pooled_noise(const ModelMap& map, const MatrixF& hidden) {
  constexpr double kPooledNoise = 1e-5;
  const SentenceChain& chain = map.transformer().sentence_chain();
  const RowF pooled = chain.pool(hidden, map.mask(), map.output().first_pooled);
  const double left = pooled.cast<double>().norm();
  const double terms = hidden.cast<double>().norm() / std::sqrt(static_cast<double>(hidden.rows()));
  if (chain.steps.empty()) return kPooledNoise * terms;
  if (left > kPooledNoise * terms) return 0;
  return 2 * chain.forward(hidden, map.mask(), map.output().first_pooled).cast<double>().norm();
}

}  // namespace

namespace {

// The weights of the rows in the output where that is a sum of them; empty where it is not.
RowF readout_weights(const ModelMap& map, Index n) {
  const ModelOutput& output = map.output();
  if (output.kind == OutputKind::kRows) return {};
  if (!output.is_pooled()) return MatrixF::Identity(n, n).row(n - 1);
  const SentenceChain& chain = map.transformer().sentence_chain();
  if (chain.modes.size() != 1 || chain.modes.front() == PoolingMode::kMax) return {};
  return chain.pool(MatrixF::Identity(n, n), {}, output.first_pooled);
}

}  // namespace

ModelState::ModelState(ModelMap map, const Matrix& X) : map_(std::move(map)), X_(X) {
  const Transformer& transformer = map_.transformer();
  const DeviceEngine* engine = map_.mask().all_visible() ? transformer.engine() : nullptr;
  MatrixF hidden;
  if (engine != nullptr) {
    device_text_ = engine->text(X.cast<float>(), map_.output().layer);
    hidden = device_text_->hidden();
    readout_ = readout_weights(map_, X.rows());
    after_ = transformer.sentence_chain();
    after_.modes = {PoolingMode::kCls};
    answer_changes_ = answer_moves<Index>(
        [this](std::span<const MoveRequest<Index>> moves) { evaluate_moves(moves, Change(features_), true); });
  } else {
    hidden = transformer.forward(X.cast<float>(), map_.output().layer, map_.mask(), base_);
  }
  features_ = map_.features_of(hidden);
  if (map_.output().is_pooled()) noise_norm_ = pooled_noise(map_, hidden);
}

Vector ModelState::attracting(Index token) const {
  if (device_text_ == nullptr) return attracting_direction(map_.transformer(), X_.cast<float>(), token);
  // All searches wait for it, so it may have all threads.
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

Matrix ModelState::features_of_readout(const MatrixF& row) const {
  const ModelOutput& output = map_.output();
  return features_of_output(output, output.is_pooled() ? MatrixF(after_.forward(row)) : row);
}

MatrixF ModelState::readout_vjp(const MatrixF& row, const Matrix& cotangent) const {
  const ModelOutput& output = map_.output();
  const MatrixF rounded = features_of_output(output, cotangent.cast<float>()).cast<float>();
  return output.is_pooled() ? MatrixF(after_.vjp(row, {}, rounded.row(0))) : rounded;
}

namespace {

// How many of these copies, which come first, want a gradient.
Index wanted_among(const MovedRows& moved, Index first, Index copies) {
  return std::clamp<Index>(moved.with_gradients() - first, 0, copies);
}

}  // namespace

// Logits of many copies are one product with the table of words.
void ModelState::evaluate_logits(const MovedRows& moved, const FeatureObjective& objective, Vector& values,
                                 MatrixF* gradients) const {
  constexpr Index kRows = 64;  // whose logits are in memory at once: of 150,000 words 40 MB
  const Transformer& transformer = map_.transformer();
  const ModelOutput& output = map_.output();
  const auto respond = [&](const MatrixF& found, Index first) {
    const Index wanted = wanted_among(moved, first, found.rows());
    MatrixF cotangent(wanted, found.cols());
    for (Index begin = 0; begin < found.rows(); begin += kRows) {
      const Index rows = std::min(kRows, found.rows() - begin);
      MatrixF logits = transformer.logits(found.middleRows(begin, rows));
      parallel_for(rows, [&](Index k) {
        const Matrix features = features_of_output(output, logits.row(k));
        values[first + begin + k] = objective.value(features);
        if (begin + k >= wanted) return;
        const Matrix slope = objective.slope(features);
        logits.row(k) = features_of_output(output, slope.cast<float>()).cast<float>();  // centring is its own vjp
      });
      const Index slopes = std::clamp<Index>(wanted - begin, 0, rows);
      if (slopes > 0) cotangent.middleRows(begin, slopes) = transformer.logits_vjp(logits.topRows(slopes));
    }
    return cotangent;
  };
  device_text_->read_out(moved, readout_, respond, gradients);
}

void ModelState::evaluate(const MovedRows& moved, const FeatureObjective& objective, bool is_change, Vector& values,
                          MatrixF* gradients) const {
  if (is_change && map_.output().kind == OutputKind::kRows) {
    values = device_text_->distances(moved, gradients);
    return;
  }
  if (map_.output().kind == OutputKind::kLogits) return evaluate_logits(moved, objective, values, gradients);
  // What is read out of each copy, rows below each other, and its cotangent.
  const auto respond = [&](Index rows_each, const auto& features_of, const auto& vjp) {
    return [&, rows_each](const MatrixF& found, Index first) {
      const Index copies = found.rows() / rows_each, wanted = wanted_among(moved, first, copies);
      MatrixF cotangent(wanted * rows_each, found.cols());
      parallel_for(copies, [&](Index k) {
        const MatrixF one = found.middleRows(k * rows_each, rows_each);
        const Matrix features = features_of(one);
        values[first + k] = objective.value(features);
        if (k < wanted) cotangent.middleRows(k * rows_each, rows_each) = vjp(one, objective.slope(features));
      });
      return cotangent;
    };
  };
  if (readout_.size() > 0) {
    const auto features_of = [&](const MatrixF& row) { return features_of_readout(row); };
    const auto vjp = [&](const MatrixF& row, const Matrix& slope) { return readout_vjp(row, slope); };
    device_text_->read_out(moved, readout_, respond(1, features_of, vjp), gradients);
  } else {
    const auto features_of = [&](const MatrixF& hidden) { return map_.features_of(hidden); };
    const auto vjp = [&](const MatrixF& hidden, const Matrix& slope) { return map_.features_vjp(hidden, slope); };
    device_text_->read_states(moved, respond(X_.rows(), features_of, vjp), gradients);
  }
}

// More searches than fill the device: a new one begins with work here, for which all others wait.
Index ModelSample::moves_at_once() const {
  if (state_->device_text() == nullptr) return 0;
  return 1024;
}

// Two where half of the searches fill the device. Of fewer, rounds would become more and hardly shorter, and where a
// round takes as long as it takes to hand it in, two groups take twice as long as one.
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
