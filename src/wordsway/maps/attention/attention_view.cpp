#include "wordsway/maps/attention/attention_view.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/tall_products.h"
#include "wordsway/maps/attention/attention_bound.h"
#include "wordsway/maps/attention/attention_functions.h"

namespace wordsway {
namespace {

// Taking one term off a row's sums cancels when that term is nearly all of it: o_j is then wrong by 2e-10 at β = 8 and
// by 0.5 at β = 16. Rows with a larger weight on the token are recomputed without it.
constexpr double kRecomputeAbove = 0.999;

}  // namespace

AttentionToken::AttentionToken(std::shared_ptr<const AttentionState> at, Index i) : sample_(std::move(at)), i_(i) {
  const AttentionState& sample = *sample_;
  if (i < 0 || i >= sample.n())
    throw UsageError(fmt::format("token {} is out of range; the sample has tokens 0 to {}", i, sample.n() - 1));
  const Index n = sample.n(), d = sample.d();
  const Vector x = sample.X().row(i).transpose() / std::sqrt(static_cast<double>(d));
  Vector Wx(d), Wtx(d);
  multiply_both_ways(sample.map().W(), x, Wx, Wtx);
  own_slope_ = Wx + Wtx;
  row_scores_.resize(n);
  own_scores_.resize(n);
  multiply_pair(sample.X(), Wx, Wtx, row_scores_, own_scores_);
  remove_token_from_rows();
}

void AttentionToken::remove_token_from_rows() {
  const Index n = sample_->n();
  const Matrix& features = sample_->features();
  const auto x = sample_->X().row(i_);
  row_masses_.resize(n);
  row_weights_ = Vector::Zero(n);
  inverse_rests_ = Vector::Zero(n);
  offsets_.resize(n, sample_->d());
  for (Index j = 0; j < n; ++j) {
    if (j == i_) continue;
    const Normaliser& normaliser = sample_->map().normaliser();
    const double weight = normaliser.weight_in(sample_->masses()[j], row_scores_[j]);
    if (weight > kRecomputeAbove) {
      recompute_row(j);
    } else {
      row_masses_[j] = normaliser.mass_without(sample_->masses()[j], row_scores_[j], weight);
      offsets_.row(j) = (x - features.row(j)) / (1 - weight);
      inverse_rests_[j] = 1 / (1 - weight);
    }
  }
  offsets_.row(i_).setZero();
  row_scores_[i_] = 0;
  row_masses_[i_] = 0;
  squared_offsets_ = offsets_.rowwise().squaredNorm();
  Eigen::ArrayXd weights(n);
  sample_->map().normaliser().against(row_scores_.array(), row_masses_.array(), weights, nullptr);
  row_weights_ = weights.matrix();
  row_weights_[i_] = 0;
}

void AttentionToken::recompute_row(Index j) {
  const Vector scores = sample_->scores_without(j, i_);
  Eigen::ArrayXd weights(scores.size());
  row_masses_[j] = sample_->map().normaliser().row(scores.array(), weights, nullptr);
  const Index after = sample_->n() - 1 - i_;
  offsets_.row(j) = sample_->X().row(i_);
  offsets_.row(j) -= weights.head(i_).matrix().transpose() * sample_->X().topRows(i_);
  offsets_.row(j) -= weights.tail(after).matrix().transpose() * sample_->X().bottomRows(after);
}

std::unique_ptr<LiftedFunction> AttentionView::change() const {
  return std::make_unique<AttentionChange>(token_);
}

std::unique_ptr<LiftedFunction> AttentionView::inner(const Matrix& psi) const {
  return outer({psi}, identity_outer());
}

std::unique_ptr<LiftedFunction> AttentionView::outer(std::vector<Matrix> psis, OuterFunction g) const {
  return std::make_unique<AttentionOuter>(token_, std::move(psis), std::move(g));
}

std::optional<UpperBound> AttentionView::upper_bound(double radius) const {
  return UpperBound{attention_change_bound(*token_, radius), 0};
}

}  // namespace wordsway
