#include "wordsway/maps/attention/attention_functions.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/tall_products.h"

namespace wordsway {

void AttentionFunction::lift(ConstVectorRef delta, VectorRef lifted) const {
  const Vector scaled = delta / std::sqrt(static_cast<double>(d_));
  Vector Wdelta(d_), Wtdelta(d_);
  multiply_both_ways(token_->sample().map().W(), scaled, Wdelta, Wtdelta);
  multiply_pair(token_->sample().X(), Wdelta, Wtdelta, lifted.segment(row_shift(), n_),
                lifted.segment(own_shift(), n_));
  lifted.segment(offset_dot(), n_).noalias() = token_->offsets() * delta;
  lifted.segment(this->delta(), d_) = delta;
  lifted.segment(curve(), d_) = Wdelta + Wtdelta;
}

// The curve segment takes no gradient: evaluate() writes that of Δ·curve/2, which is curve, to the delta segment.
void AttentionFunction::pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const {
  Vector row_tokens(d_), own_tokens(d_);
  multiply_pair_transposed(token_->sample().X(), lifted_gradient.segment(row_shift(), n_),
                           lifted_gradient.segment(own_shift(), n_), row_tokens, own_tokens);
  multiply_both_ways_adjoint(token_->sample().map().W(), row_tokens, own_tokens, gradient);
  gradient /= std::sqrt(static_cast<double>(d_));
  gradient.noalias() += token_->offsets().transpose() * lifted_gradient.segment(offset_dot(), n_);
  gradient += lifted_gradient.segment(delta(), d_);
}

void AttentionFunction::attend_rows(ConstVectorRef lifted, Eigen::ArrayXd& weights, Eigen::ArrayXd* slopes) const {
  const Eigen::ArrayXd scores = (token_->row_scores() + lifted.segment(row_shift(), n_)).array();
  const Normaliser& normaliser = token_->sample().map().normaliser();
  weights.resize(n_);
  if (slopes != nullptr) {
    slopes->resize(n_);
    ArrayRef target(*slopes);
    normaliser.against(scores, token_->row_masses().array(), weights, &target);
    (*slopes)[token_->index()] = 0;
  } else {
    normaliser.against(scores, token_->row_masses().array(), weights, nullptr);
  }
  weights[token_->index()] = 0;
}

AttentionFunction::OwnRow AttentionFunction::attend_own_row(ConstVectorRef lifted, bool with_slopes) const {
  const Index i = token_->index();
  const auto moved = lifted.segment(delta(), d_);
  Eigen::ArrayXd scores = (token_->own_scores() + lifted.segment(own_shift(), n_)).array();
  scores[i] = token_->own_scores()[i] + token_->own_slope().dot(moved) + 0.5 * moved.dot(lifted.segment(curve(), d_));
  OwnRow row{Eigen::ArrayXd(n_), Eigen::ArrayXd(with_slopes ? n_ : 0), Vector(d_)};
  ArrayRef slopes(row.slopes);
  token_->sample().map().normaliser().row(scores, row.weights, with_slopes ? &slopes : nullptr);
  row.output.noalias() = token_->sample().X().transpose() * row.weights.matrix();
  row.output += row.weights[i] * moved;
  return row;
}

void AttentionFunction::pull_back_own_row(const OwnRow& row, ConstVectorRef lifted, const Vector& cotangent,
                                          Vector& gradient) const {
  const Index i = token_->index();
  Vector along = token_->sample().X() * cotangent;
  along[i] += lifted.segment(delta(), d_).dot(cotangent);
  Vector by_score = (row.slopes * (along.array() - row.output.dot(cotangent))).matrix();
  gradient.segment(delta(), d_) +=
      row.weights[i] * cotangent + by_score[i] * (token_->own_slope() + lifted.segment(curve(), d_));
  by_score[i] = 0;
  gradient.segment(own_shift(), n_) += by_score;
}

double AttentionChange::evaluate(ConstVectorRef lifted, Vector* lifted_gradient) const {
  const bool with_gradient = lifted_gradient != nullptr;
  Eigen::ArrayXd p, slopes;
  attend_rows(lifted, p, with_gradient ? &slopes : nullptr);
  const Eigen::ArrayXd gain = p - token_->row_weights().array();
  const auto dot = lifted.segment(offset_dot(), n_).array();
  const auto squared_offsets = token_->squared_offsets().array();
  const double squared_delta = lifted.segment(delta(), d_).squaredNorm();
  const double rows = (gain.square() * squared_offsets + 2 * gain * p * dot + p.square() * squared_delta).sum();

  const OwnRow own = attend_own_row(lifted, with_gradient);
  const Vector own_change = own.output - token_->sample().features().row(token_->index()).transpose();
  const double value = rows + own_change.squaredNorm();
  if (!with_gradient) return value;

  lifted_gradient->setZero(lifted_size());
  lifted_gradient->segment(row_shift(), n_) =
      (2 * slopes * (gain * squared_offsets + (p + gain) * dot + p * squared_delta)).matrix();
  lifted_gradient->segment(offset_dot(), n_) = (2 * gain * p).matrix();
  lifted_gradient->segment(delta(), d_) = 2 * p.square().sum() * lifted.segment(delta(), d_);
  pull_back_own_row(own, lifted, 2 * own_change, *lifted_gradient);
  return value;
}

AttentionOuter::AttentionOuter(std::shared_ptr<const AttentionToken> token, std::vector<Matrix> psis, OuterFunction g)
    : AttentionFunction(std::move(token)), psis_(std::move(psis)), g_(std::move(g)) {
  check_outer(psis_, g_);
  const Matrix& features = token_->sample().features();
  for (const Matrix& psi : psis_) {
    if (psi.rows() != n_ || psi.cols() != d_)
      throw DataError(
          fmt::format("psi must have the features' shape {} x {}; got {} x {}", n_, d_, psi.rows(), psi.cols()));
    offset_psi_.push_back(token_->offsets().cwiseProduct(psi).rowwise().sum().array());
    rows_at_zero_.push_back(features.cwiseProduct(psi).sum() -
                            features.row(token_->index()).dot(psi.row(token_->index())));
  }
}

void AttentionOuter::lift(ConstVectorRef delta, VectorRef lifted) const {
  AttentionFunction::lift(delta, lifted);
  for (size_t k = 0; k < psis_.size(); ++k) lifted.segment(psi_dot(k), n_).noalias() = psis_[k] * delta;
}

void AttentionOuter::pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const {
  AttentionFunction::pull_back(lifted_gradient, gradient);
  for (size_t k = 0; k < psis_.size(); ++k)
    gradient.noalias() += psis_[k].transpose() * lifted_gradient.segment(psi_dot(k), n_);
}

double AttentionOuter::evaluate(ConstVectorRef lifted, Vector* lifted_gradient) const {
  const bool with_gradient = lifted_gradient != nullptr;
  const Index i = token_->index();
  Eigen::ArrayXd p, slopes;
  attend_rows(lifted, p, with_gradient ? &slopes : nullptr);
  const Eigen::ArrayXd gain = p - token_->row_weights().array();
  const OwnRow own = attend_own_row(lifted, with_gradient);
  std::vector<double> values(psis_.size()), by_value(with_gradient ? psis_.size() : 0);
  for (size_t k = 0; k < psis_.size(); ++k) {
    const double rows = (gain * offset_psi_[k] + p * lifted.segment(psi_dot(k), n_).array()).sum();
    values[k] = rows_at_zero_[k] + rows + own.output.dot(psis_[k].row(i));
  }
  const double value = g_(values, by_value);
  if (!with_gradient) return value;

  lifted_gradient->setZero(lifted_size());
  Vector own_psi = Vector::Zero(d_);
  for (size_t k = 0; k < psis_.size(); ++k) {
    lifted_gradient->segment(row_shift(), n_).array() +=
        by_value[k] * slopes * (offset_psi_[k] + lifted.segment(psi_dot(k), n_).array());
    lifted_gradient->segment(psi_dot(k), n_) = (by_value[k] * p).matrix();
    own_psi += by_value[k] * psis_[k].row(i).transpose();
  }
  pull_back_own_row(own, lifted, own_psi, *lifted_gradient);
  return value;
}

}  // namespace wordsway
