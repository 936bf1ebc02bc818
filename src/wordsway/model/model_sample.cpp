#include "wordsway/model/model_sample.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/model/attract.h"
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

// f(Δ) = h(φ(X^i(Δ))): what h is, the two functions below say.
class FunctionOfToken : public LiftedFunction {
 public:
  FunctionOfToken(std::shared_ptr<const ModelState> sample, Index token) : sample_(std::move(sample)), token_(token) {}

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
    if (gradient == nullptr) return value(features);
    const double result = value(features);
    const MatrixF cotangent = sample_->map().features_vjp(hidden, slope(features));
    *gradient = transformer.vjp_row(*trace, cotangent, token_).transpose().cast<double>();
    return result;
  }

 protected:
  virtual double value(const Matrix& features) const = 0;
  virtual Matrix slope(const Matrix& features) const = 0;

  // Some moves in one forward, as many texts below each other. Of a decoder's, these are the rows from the token on.
  void evaluate_together(ConstMatrixRef deltas, RowRange moves, Vector& found, Matrix* gradients) const {
    const ModelMap& map = sample_->map();
    const Transformer& transformer = map.transformer();
    const Matrix& X = sample_->X();
    const Index first = transformer.first_changed_row(token_), m = X.rows() - first;
    MatrixF rows(moves.size(), X.cols());
    for (Index k = 0; k < moves.size(); ++k) rows.row(k) = (X.row(token_) + deltas.row(moves.begin + k)).cast<float>();
    BorrowedTrace trace(sample_->traces());
    const MatrixF changed = transformer.forward_changed_rows(X.cast<float>(), rows, token_, sample_->base(),
                                                             gradients != nullptr ? &*trace : nullptr);
    MatrixF cotangent(changed.rows(), changed.cols()), hidden(X.rows(), X.cols());
    if (first > 0) hidden.topRows(first) = sample_->base().output.topRows(first);
    for (Index k = 0; k < moves.size(); ++k) {
      hidden.bottomRows(m) = changed.middleRows(k * m, m);
      const Matrix features = map.features_of(hidden);
      found[moves.begin + k] = value(features);
      if (gradients != nullptr)
        cotangent.middleRows(k * m, m) = map.features_vjp(hidden, slope(features)).bottomRows(m);
    }
    if (gradients == nullptr) return;
    gradients->middleRows(moves.begin, moves.size()) =
        transformer.vjp_changed_rows(*trace, cotangent, token_).cast<double>();
  }

  std::shared_ptr<const ModelState> sample_;
  Index token_;
};

class Change : public FunctionOfToken {
 public:
  using FunctionOfToken::FunctionOfToken;

 protected:
  double value(const Matrix& features) const override { return (features - sample_->features()).squaredNorm(); }
  Matrix slope(const Matrix& features) const override { return 2 * (features - sample_->features()); }
};

class Inner : public FunctionOfToken {
 public:
  Inner(std::shared_ptr<const ModelState> sample, Index token, Matrix psi)
      : FunctionOfToken(std::move(sample), token), psi_(std::move(psi)) {}

 protected:
  double value(const Matrix& features) const override { return (features.array() * psi_.array()).sum(); }
  Matrix slope(const Matrix&) const override { return psi_; }

 private:
  Matrix psi_;
};

class ModelView : public TokenView {
 public:
  ModelView(std::shared_ptr<const ModelState> sample, Index token) : sample_(std::move(sample)), token_(token) {}

  std::unique_ptr<LiftedFunction> change() const override { return std::make_unique<Change>(sample_, token_); }

  std::unique_ptr<LiftedFunction> inner(const Matrix& psi) const override {
    const Matrix& features = sample_->features();
    if (psi.rows() != features.rows() || psi.cols() != features.cols()) {
      throw DataError(fmt::format("ψ must have the features' shape {} by {}, but is {} by {}", features.rows(),
                                  features.cols(), psi.rows(), psi.cols()));
    }
    return std::make_unique<Inner>(sample_, token_, psi);
  }

  // Gains below the engine's rounding cannot be told from noise (model_map.h), and every evaluation is a whole model.
  SearchAdvice advice() const override { return {.starts = 8, .tolerance = 1e-4, .in_stages = true}; }

  std::vector<Vector> starts() const override {
    if (sample_->base().layers == 0) return {};
    return {attracting_direction(sample_->map().transformer(), sample_->X().cast<float>(), token_)};
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

ModelState::ModelState(ModelMap map, const Matrix& X) : map_(std::move(map)), X_(X) {
  const MatrixF hidden = map_.transformer().forward(X.cast<float>(), map_.output().layer, map_.mask(), base_);
  features_ = map_.features_of(hidden);
  if (map_.output().is_pooled()) noise_norm_ = pooled_noise(map_, hidden);
}

std::unique_ptr<TokenView> ModelSample::token(Index i) const {
  const Index n = state_->X().rows();
  if (i < 0 || i >= n) throw UsageError(fmt::format("token {} does not exist; the text has tokens 0 to {}", i, n - 1));
  return std::make_unique<ModelView>(state_, i);
}

}  // namespace wordsway
