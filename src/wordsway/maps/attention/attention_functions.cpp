#include "wordsway/maps/attention/attention_functions.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/fused_products.h"

namespace wordsway {

void AttentionFunction::lift(ConstVectorRef delta, VectorRef lifted) const {
  const Vector scaled = delta / std::sqrt(static_cast<double>(d_));
  Vector Wdelta(d_), Wtdelta(d_);
  multiply_both_ways(view_.sample().map().W(), scaled, Wdelta, Wtdelta);
  multiply_pair(view_.sample().X(), Wdelta, Wtdelta, lifted.segment(row_shift(), n_), lifted.segment(own_shift(), n_));
  lifted.segment(offset_dot(), n_).noalias() = view_.offsets() * delta;
  lifted.segment(this->delta(), d_) = delta;
  lifted.segment(curve(), d_) = Wdelta + Wtdelta;
}

// The curve segment takes no gradient: evaluate() writes that of Δ·curve/2, which is curve, to the delta segment.
void AttentionFunction::pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const {
  Vector row_tokens(d_), own_tokens(d_);
  multiply_pair_transposed(view_.sample().X(), lifted_gradient.segment(row_shift(), n_),
                           lifted_gradient.segment(own_shift(), n_), row_tokens, own_tokens);
  multiply_both_ways_adjoint(view_.sample().map().W(), row_tokens, own_tokens, gradient);
  gradient /= std::sqrt(static_cast<double>(d_));
  gradient.noalias() += view_.offsets().transpose() * lifted_gradient.segment(offset_dot(), n_);
  gradient += lifted_gradient.segment(delta(), d_);
}

void AttentionFunction::attend_rows(ConstVectorRef lifted, Eigen::ArrayXd& weights, Eigen::ArrayXd* slopes) const {
  const Eigen::ArrayXd scores = (view_.row_scores() + lifted.segment(row_shift(), n_)).array();
  const Normaliser& normaliser = view_.sample().map().normaliser();
  weights.resize(n_);
  if (slopes != nullptr) {
    slopes->resize(n_);
    ArrayRef target(*slopes);
    normaliser.against(scores, view_.row_masses().array(), weights, &target);
    (*slopes)[view_.token()] = 0;
  } else {
    normaliser.against(scores, view_.row_masses().array(), weights, nullptr);
  }
  weights[view_.token()] = 0;
}

AttentionFunction::OwnRow AttentionFunction::attend_own_row(ConstVectorRef lifted, bool with_slopes) const {
  const Index i = view_.token();
  const auto moved = lifted.segment(delta(), d_);
  Eigen::ArrayXd scores = (view_.own_scores() + lifted.segment(own_shift(), n_)).array();
  scores[i] = view_.own_scores()[i] + view_.own_slope().dot(moved) + 0.5 * moved.dot(lifted.segment(curve(), d_));
  OwnRow row{Eigen::ArrayXd(n_), Eigen::ArrayXd(with_slopes ? n_ : 0), Vector(d_)};
  ArrayRef slopes(row.slopes);
  view_.sample().map().normaliser().row(scores, row.weights, with_slopes ? &slopes : nullptr);
  row.output.noalias() = view_.sample().X().transpose() * row.weights.matrix();
  row.output += row.weights[i] * moved;
  return row;
}

void AttentionFunction::pull_back_own_row(const OwnRow& row, ConstVectorRef lifted, const Vector& cotangent,
                                          Vector& gradient) const {
  const Index i = view_.token();
  Vector along = view_.sample().X() * cotangent;
  along[i] += lifted.segment(delta(), d_).dot(cotangent);
  Vector by_score = (row.slopes * (along.array() - row.output.dot(cotangent))).matrix();
  gradient.segment(delta(), d_) +=
      row.weights[i] * cotangent + by_score[i] * (view_.own_slope() + lifted.segment(curve(), d_));
  by_score[i] = 0;
  gradient.segment(own_shift(), n_) += by_score;
}

double AttentionChange::evaluate(ConstVectorRef lifted, Vector* lifted_gradient) const {
  const bool with_gradient = lifted_gradient != nullptr;
  Eigen::ArrayXd p, slopes;
  attend_rows(lifted, p, with_gradient ? &slopes : nullptr);
  const Eigen::ArrayXd gain = p - view_.row_weights().array();
  const auto dot = lifted.segment(offset_dot(), n_).array();
  const auto squared_offsets = view_.squared_offsets().array();
  const double squared_delta = lifted.segment(delta(), d_).squaredNorm();
  const double rows = (gain.square() * squared_offsets + 2 * gain * p * dot + p.square() * squared_delta).sum();

  const OwnRow own = attend_own_row(lifted, with_gradient);
  const Vector own_change = own.output - view_.sample().features().row(view_.token()).transpose();
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

AttentionInner::AttentionInner(const AttentionView& view, const Matrix& psi) : AttentionFunction(view), psi_(psi) {
  if (psi.rows() != n_ || psi.cols() != d_)
    throw DataError(
        fmt::format("psi must have the features' shape {} x {}; got {} x {}", n_, d_, psi.rows(), psi.cols()));
  const Matrix& features = view.sample().features();
  offset_psi_ = view.offsets().cwiseProduct(psi).rowwise().sum().array();
  rows_at_zero_ = features.cwiseProduct(psi).sum() - features.row(view.token()).dot(psi.row(view.token()));
}

void AttentionInner::lift(ConstVectorRef delta, VectorRef lifted) const {
  AttentionFunction::lift(delta, lifted);
  lifted.segment(psi_dot(), n_).noalias() = psi_ * delta;
}

void AttentionInner::pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const {
  AttentionFunction::pull_back(lifted_gradient, gradient);
  gradient.noalias() += psi_.transpose() * lifted_gradient.segment(psi_dot(), n_);
}

double AttentionInner::evaluate(ConstVectorRef lifted, Vector* lifted_gradient) const {
  const bool with_gradient = lifted_gradient != nullptr;
  Eigen::ArrayXd p, slopes;
  attend_rows(lifted, p, with_gradient ? &slopes : nullptr);
  const auto dot = lifted.segment(psi_dot(), n_).array();
  const double rows = ((p - view_.row_weights().array()) * offset_psi_ + p * dot).sum();
  const OwnRow own = attend_own_row(lifted, with_gradient);
  const Vector own_psi = psi_.row(view_.token()).transpose();
  const double value = rows_at_zero_ + rows + own.output.dot(own_psi);
  if (!with_gradient) return value;

  lifted_gradient->setZero(lifted_size());
  lifted_gradient->segment(row_shift(), n_) = (slopes * (offset_psi_ + dot)).matrix();
  lifted_gradient->segment(psi_dot(), n_) = p.matrix();
  pull_back_own_row(own, lifted, own_psi, *lifted_gradient);
  return value;
}

}  // namespace wordsway
