#include "wordsway/maps/attention/attention_moves.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/maps/attention/attention_bound.h"

namespace wordsway {
namespace {

// As for one token: subtracting T from a row cancels when T is nearly all of it.
constexpr double kRecomputeAbove = 0.999;

using Map = Eigen::Map<Matrix>;
using ConstMap = Eigen::Map<const Matrix>;

double inverse_root(Index d) {
  return 1 / std::sqrt(static_cast<double>(d));
}

}  // namespace

MovedTokens::MovedTokens(std::shared_ptr<const AttentionState> at, std::vector<Index> tokens)
    : sample_(std::move(at)), tokens_(std::move(tokens)), moves_(static_cast<size_t>(sample_->n()), false) {
  const Matrix& X = sample_->X();
  X_.resize(count(), sample_->d());
  for (Index t = 0; t < count(); ++t) {
    X_.row(t) = X.row(token(t));
    moves_[static_cast<size_t>(token(t))] = true;
  }
  const Matrix& W = sample_->map().W();
  const double scale = inverse_root(sample_->d());
  row_scores_ = scale * X * (X_ * W.transpose()).transpose();
  own_scores_ = scale * (X_ * W) * X.transpose();
  remove_tokens_from_rows();
}

void MovedTokens::attend_rows(const Matrix& scores, Matrix& weights, Matrix* slopes) const {
  weights.setZero(scores.rows(), count());
  if (slopes != nullptr) slopes->setZero(scores.rows(), count());
  Eigen::ArrayXd among(count()), slope(count());
  ArrayRef target(slope);
  for (Index j = 0; j < scores.rows(); ++j) {
    if (moves(j)) continue;
    const double mass = normaliser().row(scores.row(j).transpose().array(), among, slopes ? &target : nullptr);
    const double share = normaliser().share(mass, row_masses_[j]);
    weights.row(j) = share * among.matrix().transpose();
    if (slopes != nullptr) slopes->row(j) = share * slope.matrix().transpose();
  }
}

void MovedTokens::remove_tokens_from_rows() {
  const Index n = sample_->n();
  row_masses_.setZero(n);
  others_.setZero(n, sample_->d());
  for (Index j = 0; j < n; ++j) {
    if (moves(j)) continue;
    const double whole = sample_->masses()[j];
    Eigen::RowVectorXd weights(count());
    double mass = whole;
    for (Index t = 0; t < count(); ++t) {
      const double score = row_scores_(j, t);
      weights[t] = normaliser().weight_in(whole, score);
      mass = normaliser().mass_without(mass, score, normaliser().weight_in(mass, score));
    }
    const double moved = weights.sum();
    if (moved > kRecomputeAbove) {
      recompute_row(j);
    } else {
      row_masses_[j] = mass;
      others_.row(j) = (sample_->features().row(j) - weights * X_) / (1 - moved);
    }
  }
  attend_rows(row_scores_, row_weights_, nullptr);
}

void MovedTokens::recompute_row(Index j) {
  const Vector all = sample_->scores(j);
  Eigen::ArrayXd scores(sample_->n() - count()), weights(scores.size());
  Index kept = 0;
  for (Index m = 0; m < sample_->n(); ++m)
    if (!moves(m)) scores[kept++] = all[m];
  row_masses_[j] = normaliser().row(scores, weights, nullptr);
  kept = 0;
  for (Index m = 0; m < sample_->n(); ++m)
    if (!moves(m)) others_.row(j) += weights[kept++] * sample_->X().row(m);
}

namespace {

// A function of φ(X^T(Δ)) − φ(X), as h(LΔ). Block t of the image holds what is linear in Δ_t, in these segments:
//   row_shift [n]   a_j·Δ_t, by how much s_jt moves        delta  [d]   Δ_t itself
//   own_shift [n]   b_m·Δ_t, by how much s_tm moves        turned [d]   WΔ_t/√d, for scores of T on T
class MovesFunction : public LiftedFunction {
 public:
  explicit MovesFunction(std::shared_ptr<const MovedTokens> tokens)
      : tokens_(std::move(tokens)), M_(tokens_->count()), n_(tokens_->sample().n()), d_(tokens_->sample().d()) {}

  Index dimension() const override { return M_ * d_; }
  Index lifted_size() const override { return M_ * (2 * n_ + 2 * d_); }
  Index blocks() const override { return M_; }

  void lift(ConstVectorRef delta, VectorRef lifted) const override {
    const ConstMap moves(delta.data(), M_, d_);
    const Matrix& W = tokens_->sample().map().W();
    const Matrix& X = tokens_->sample().X();
    Map image = segments(lifted.data());
    Matrix turned(M_, d_), turned_back(M_, d_);
    turned.noalias() = inverse_root(d_) * moves * W.transpose();
    turned_back.noalias() = inverse_root(d_) * moves * W;
    image.leftCols(n_).noalias() = turned * X.transpose();
    image.middleCols(n_, n_).noalias() = turned_back * X.transpose();
    image.middleCols(2 * n_, d_) = moves;
    image.rightCols(d_) = turned;
  }

  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override {
    const ConstMap by_image(lifted_gradient.data(), M_, 2 * n_ + 2 * d_);
    const Matrix& W = tokens_->sample().map().W();
    const Matrix& X = tokens_->sample().X();
    Matrix by_turned = by_image.rightCols(d_), by_turned_back(M_, d_);
    by_turned.noalias() += by_image.leftCols(n_) * X;
    by_turned_back.noalias() = by_image.middleCols(n_, n_) * X;
    Map result(gradient.data(), M_, d_);
    result.noalias() = inverse_root(d_) * by_turned * W;
    result.noalias() += inverse_root(d_) * by_turned_back * W.transpose();
    result += by_image.middleCols(2 * n_, d_);
  }

  double evaluate(ConstVectorRef lifted, Vector* lifted_gradient) const override {
    const Attended after = attend(lifted, lifted_gradient != nullptr);
    Matrix cotangent;
    const double value = read(after.change, lifted_gradient != nullptr ? &cotangent : nullptr);
    if (lifted_gradient != nullptr) pull_back_attention(after, lifted, cotangent, *lifted_gradient);
    return value;
  }

 protected:
  /// Computes a function of φ(X^T(Δ)) − φ(X) and, unless `cotangent` is null, its gradient: both [n, d].
  virtual double read(const Matrix& change, Matrix* cotangent) const = 0;

  std::shared_ptr<const MovedTokens> tokens_;
  Index M_, n_, d_;

 private:
  struct Attended {
    Matrix row_weights, row_slopes;  // [n, M] of the rows outside T
    Matrix own_weights, own_slopes;  // [M, n] of those in T
    Matrix own_rows;                 // [M, d]
    Matrix change;                   // [n, d]
  };

  Map segments(double* image) const { return {image, M_, 2 * n_ + 2 * d_}; }

  Attended attend(ConstVectorRef lifted, bool with_slopes) const {
    const ConstMap image(lifted.data(), M_, 2 * n_ + 2 * d_);
    const Matrix delta = image.middleCols(2 * n_, d_);
    Attended after;
    const Matrix scores = tokens_->row_scores() + image.leftCols(n_).transpose();
    tokens_->attend_rows(scores, after.row_weights, with_slopes ? &after.row_slopes : nullptr);
    attend_own_rows(image, delta, with_slopes, after);
    const Matrix gains = after.row_weights - tokens_->row_weights();
    after.change.noalias() = gains * tokens_->X();
    after.change.noalias() += after.row_weights * delta;
    after.change -= gains.rowwise().sum().asDiagonal() * tokens_->others();
    for (Index t = 0; t < M_; ++t) {
      const Index row = tokens_->token(t);
      after.change.row(row) = after.own_rows.row(t) - tokens_->sample().features().row(row);
    }
    return after;
  }

  void attend_own_rows(const ConstMap& image, const Matrix& delta, bool with_slopes, Attended& after) const {
    Matrix scores = tokens_->own_scores() + image.middleCols(n_, n_);
    const Matrix crossed = delta * image.rightCols(d_).transpose();  // Δ_t·WΔ_u/√d
    for (Index t = 0; t < M_; ++t)
      for (Index u = 0; u < M_; ++u) scores(t, tokens_->token(u)) += image(u, tokens_->token(t)) + crossed(t, u);
    after.own_weights.resize(M_, n_);
    after.own_slopes.resize(with_slopes ? M_ : 0, n_);
    Eigen::ArrayXd weights(n_), slopes(n_);
    ArrayRef target(slopes);
    for (Index t = 0; t < M_; ++t) {
      tokens_->normaliser().row(scores.row(t).transpose().array(), weights, with_slopes ? &target : nullptr);
      after.own_weights.row(t) = weights.matrix().transpose();
      if (with_slopes) after.own_slopes.row(t) = slopes.matrix().transpose();
    }
    after.own_rows.noalias() = after.own_weights * tokens_->sample().X();
    after.own_rows.noalias() += columns_of_tokens(after.own_weights) * delta;
  }

  // [M, M] from [M, n].
  Matrix columns_of_tokens(const Matrix& all) const {
    Matrix result(M_, M_);
    for (Index u = 0; u < M_; ++u) result.col(u) = all.col(tokens_->token(u));
    return result;
  }

  void pull_back_attention(const Attended& after, ConstVectorRef lifted, const Matrix& cotangent,
                           Vector& gradient) const {
    const ConstMap image(lifted.data(), M_, 2 * n_ + 2 * d_);
    const Matrix delta = image.middleCols(2 * n_, d_), moved = tokens_->X() + delta;
    gradient.resize(lifted_size());
    Map by_image = segments(gradient.data());

    // Rows outside T. A weight that grows takes from all: dp_t = f'_t/Z ds_t − p_t Σ_u f'_u/Z ds_u.
    Matrix along = cotangent * moved.transpose();  // [n, M]
    along.colwise() -= cotangent.cwiseProduct(tokens_->others()).rowwise().sum();
    const Vector mean = along.cwiseProduct(after.row_weights).rowwise().sum();
    along.colwise() -= mean;
    by_image.leftCols(n_) = after.row_slopes.cwiseProduct(along).transpose();
    by_image.middleCols(2 * n_, d_).noalias() = after.row_weights.transpose() * cotangent;

    // Rows in T.
    Matrix own(M_, d_);
    for (Index t = 0; t < M_; ++t) own.row(t) = cotangent.row(tokens_->token(t));
    Matrix own_along = own * tokens_->sample().X().transpose();  // [M, n]
    const Matrix on_moves = own * delta.transpose();
    for (Index u = 0; u < M_; ++u) own_along.col(tokens_->token(u)) += on_moves.col(u);
    own_along.colwise() -= own.cwiseProduct(after.own_rows).rowwise().sum();
    const Matrix by_score = after.own_slopes.cwiseProduct(own_along), by_cross = columns_of_tokens(by_score);
    by_image.middleCols(n_, n_) = by_score;
    for (Index t = 0; t < M_; ++t)
      for (Index u = 0; u < M_; ++u) by_image(u, tokens_->token(t)) += by_cross(t, u);
    by_image.middleCols(2 * n_, d_).noalias() += columns_of_tokens(after.own_weights).transpose() * own;
    by_image.middleCols(2 * n_, d_).noalias() += by_cross * image.rightCols(d_);
    by_image.rightCols(d_).noalias() = by_cross.transpose() * delta;
  }
};

// Δ ↦ ‖φ(X^T(Δ)) − φ(X)‖².
class MovesChange final : public MovesFunction {
 public:
  using MovesFunction::MovesFunction;

 private:
  double read(const Matrix& change, Matrix* cotangent) const override {
    if (cotangent != nullptr) *cotangent = 2 * change;
    return change.squaredNorm();
  }
};

// Δ ↦ g(⟨φ(X^T(Δ)), ψ_1⟩, …).
class MovesOuter final : public MovesFunction {
 public:
  MovesOuter(std::shared_ptr<const MovedTokens> tokens, std::vector<Matrix> psis, OuterFunction g)
      : MovesFunction(std::move(tokens)), psis_(std::move(psis)), g_(std::move(g)) {
    check_outer(psis_, g_);
    for (const Matrix& psi : psis_) {
      if (psi.rows() != n_ || psi.cols() != d_)
        throw DataError(
            fmt::format("psi must have the features' shape {} x {}; got {} x {}", n_, d_, psi.rows(), psi.cols()));
      at_zero_.push_back(tokens_->sample().features().cwiseProduct(psi).sum());
    }
  }

 private:
  double read(const Matrix& change, Matrix* cotangent) const override {
    std::vector<double> values(psis_.size()), by_value(cotangent != nullptr ? psis_.size() : 0);
    for (size_t k = 0; k < psis_.size(); ++k) values[k] = at_zero_[k] + change.cwiseProduct(psis_[k]).sum();
    const double value = g_(values, by_value);
    if (cotangent == nullptr) return value;
    cotangent->setZero(n_, d_);
    for (size_t k = 0; k < psis_.size(); ++k) *cotangent += by_value[k] * psis_[k];
    return value;
  }

  std::vector<Matrix> psis_;     // each [n, d]
  std::vector<double> at_zero_;  // ⟨φ(X), ψ⟩
  OuterFunction g_;
};

class MovesView final : public TokenView {
 public:
  explicit MovesView(std::shared_ptr<const MovedTokens> tokens) : tokens_(std::move(tokens)) {}

  std::unique_ptr<LiftedFunction> change() const override { return std::make_unique<MovesChange>(tokens_); }

  std::unique_ptr<LiftedFunction> inner(const Matrix& psi) const override { return outer({psi}, identity_outer()); }

  std::unique_ptr<LiftedFunction> outer(std::vector<Matrix> psis, OuterFunction g) const override {
    return std::make_unique<MovesOuter>(tokens_, std::move(psis), std::move(g));
  }

  // All tokens move together in the directions that attract every query to one of them.
  std::vector<Vector> starts() const override {
    std::vector<Vector> result;
    for (const Vector& start : tokens_->sample().starts()) result.emplace_back(start.replicate(tokens_->count(), 1));
    return result;
  }

  // Several tokens can share out the queries in many ways, so there are more maxima than with one.
  SearchAdvice advice() const override { return {.starts = 8}; }

  std::optional<UpperBound> upper_bound(double radius) const override {
    const AttentionState& sample = tokens_->sample();
    const auto moves = [&](Index m) { return tokens_->moves(m); };
    double squared = 0;
    for (Index j = 0; j < sample.n(); ++j)
      squared += std::pow(moves(j) ? moved_row_bound(sample, j, moves, radius) : row_bound(j, radius), 2);
    return UpperBound{std::sqrt(squared), 0};
  }

 private:
  // An upper bound on how far row j outside T moves when each of its scores on T moves by at most ‖a_j‖ρ: the bound
  // from its weights, or the largest distance of a mean of T and o_j from the old row, whichever is smaller.
  double row_bound(Index j, double radius) const {
    const Index M = tokens_->count();
    const Normaliser& normaliser = tokens_->normaliser();
    const double reach = tokens_->sample().query_norms()[j] * radius;
    // The rest of the row when token t is at one end of its range and those after, or before it, at the other.
    std::vector<std::pair<double, double>> own(static_cast<size_t>(M)), after(static_cast<size_t>(M));
    std::pair<double, double> rest(tokens_->row_masses()[j], tokens_->row_masses()[j]);
    for (Index t = M; t-- > 0;) {
      const double score = tokens_->row_scores()(j, t);
      own[static_cast<size_t>(t)] = normaliser.mass_range(score - reach, score + reach);
      after[static_cast<size_t>(t)] = rest;
      rest = joined(rest, own[static_cast<size_t>(t)]);
    }
    const auto row = tokens_->sample().features().row(j);
    const auto others = tokens_->others().row(j);
    double drift = 0, farthest = (others - row).norm();
    std::optional<std::pair<double, double>> before;  // of the tokens before t; none at first
    for (Index t = 0; t < M; ++t) {
      const auto [low, high] = own[static_cast<size_t>(t)];
      const auto without = before ? joined(after[static_cast<size_t>(t)], *before) : after[static_cast<size_t>(t)];
      const double weight = tokens_->row_weights()(j, t);
      double least = normaliser.share(low, without.second), most = normaliser.share(high, without.first);
      if (!(least <= weight)) least = 0;  // beyond the range of a double, or a rounding above
      if (!(most >= weight)) most = 1;
      drift += std::max(weight - least, most - weight) * (tokens_->X().row(t) - others).norm();
      farthest = std::max(farthest, (tokens_->X().row(t) - row).norm());
      before = before ? joined(*before, own[static_cast<size_t>(t)]) : own[static_cast<size_t>(t)];
    }
    const double share = normaliser.share(before->second, tokens_->row_masses()[j]);
    return std::min(drift, farthest) + (share <= 1 ? share : 1) * radius;
  }

  std::pair<double, double> joined(const std::pair<double, double>& one, const std::pair<double, double>& other) const {
    const Normaliser& normaliser = tokens_->normaliser();
    return {normaliser.joined(one.first, other.first), normaliser.joined(one.second, other.second)};
  }

  std::shared_ptr<const MovedTokens> tokens_;
};

}  // namespace

std::unique_ptr<TokenView> make_attention_moves(std::shared_ptr<const MovedTokens> tokens) {
  return std::make_unique<MovesView>(std::move(tokens));
}

std::unique_ptr<TokenView> make_attention_moves(std::shared_ptr<const AttentionState> sample,
                                                std::vector<Index> tokens) {
  return make_attention_moves(std::make_shared<const MovedTokens>(std::move(sample), std::move(tokens)));
}

}  // namespace wordsway
