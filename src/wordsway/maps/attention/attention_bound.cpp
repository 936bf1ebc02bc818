#include "wordsway/maps/attention/attention_bound.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "wordsway/core/parallel.h"
#include "wordsway/core/tall_products.h"

namespace wordsway {
namespace {

constexpr Index kPieces = 64;         // that the range of a score is cut into
constexpr int kSquarings = 4;         // of a Gram matrix
constexpr double kRounding = 1e-12;   // relative, of sums and products here
constexpr Index kRowsTogether = 256;  // fixed, so that sums do not depend on the number of threads

// The largest eigenvalue of [[a, b], [b, c]].
double largest_eigenvalue(double a, double b, double c) {
  return (a + c) / 2 + std::hypot((a - c) / 2, b);
}

// y ↦ λ‖Ay‖² + μ‖Ey‖² on the unit sphere, from above. A has the rows a_j, E the rows e_j. Nearly all of E is in one
// direction v, that of x_i less the mean of the rest, and A seldom has much there: a move cannot be long in both.
class TwoForms {
 public:
  TwoForms(const AttentionToken& token, double squared_norm) : a_outside_(squared_norm) {
    const Matrix& E = token.offsets();
    Vector v = E.colwise().mean().transpose();
    for (int step = 0; step < 2; ++step) v = E.transpose() * (E * v);
    if (v.norm() > 0 && std::isfinite(v.norm())) {
      v.normalize();
    } else {
      v.setZero();  // then everything is outside of it
    }
    const Vector Ev = E * v;
    e_along_ = Ev.squaredNorm();
    e_across_ = (E.transpose() * Ev - e_along_ * v).norm();
    e_outside_ = std::max(0.0, E.squaredNorm() - e_along_);
    const AttentionState& sample = token.sample();
    const double scale = 1 / std::sqrt(static_cast<double>(sample.d()));
    const Vector Av = sample.X() * (sample.map().W() * v) * scale;
    a_along_ = Av.squaredNorm();
    a_across_ = (sample.map().W().transpose() * (sample.X().transpose() * Av) * scale - a_along_ * v).norm();
  }

  double e_along() const { return e_along_; }

  // The largest value over y = cos·v + sin·w with w across v, for the two directions and their product.
  double largest(double lambda, double mu) const {
    return largest_eigenvalue(lambda * a_along_ + mu * e_along_, lambda * a_across_ + mu * e_across_,
                              lambda * a_outside_ + mu * e_outside_);
  }

 private:
  double a_along_ = 0, a_across_ = 0, a_outside_ = 0, e_along_ = 0, e_across_ = 0, e_outside_ = 0;
};

// For every row j ≠ i and every piece of the range of u_j = a_j·Δ: with v_j = e_j·Δ,
//   ‖row_j − φ_j‖² = (p − p⁰)²‖e_j‖² + 2p(p − p⁰)v_j + p²‖Δ‖² ≤ plain + 2·slope·|v_j|.
class RowPieces {
 public:
  RowPieces(const AttentionToken& token, double radius)
      : n_(token.sample().n()), plain_(n_, kPieces), slope_(n_, kPieces), reach_(n_), farthest_(n_) {
    const AttentionState& sample = token.sample();
    for (Index k = 0; k < kPieces; ++k) {
      const double begin = edge(k), end = edge(k + 1);
      nearest_[k] = begin < 0 && end > 0 ? 0 : std::pow(std::min(std::abs(begin), std::abs(end)), 2);
    }
    for (Index j = 0; j < n_; ++j) {
      if (j == token.index()) {
        plain_.row(j).setZero();
        slope_.row(j).setZero();
        reach_[j] = farthest_[j] = 0;
        continue;
      }
      reach_[j] = sample.query_norms()[j] * radius;
      const double offset = std::sqrt(token.squared_offsets()[j]);
      farthest_[j] = offset * radius;
      for (Index k = 0; k < kPieces; ++k) {
        const auto [low, high] = sample.map().normaliser().weight_range(token.row_scores()[j] + edge(k) * reach_[j],
                                                                        token.row_scores()[j] + edge(k + 1) * reach_[j],
                                                                        token.row_masses()[j]);
        const double weight = token.row_weights()[j];
        const double moved = std::max({0.0, high - weight, weight - low});
        plain_(j, k) = std::pow(moved * offset, 2) + std::pow(high * radius, 2);
        slope_(j, k) = high * moved;
      }
    }
  }

  // Σ_j max over u_j and v_j of the above less λu_j² + μv_j².
  double largest(double lambda, double mu) const {
    const Blocks blocks{n_, kRowsTogether};
    double sum = 0;
    for (Index b = 0; b < blocks.count(); ++b) {
      double part = 0;
      for (Index j = blocks.begin(b); j < blocks.begin(b) + blocks.length(b); ++j) part += row(j, lambda, mu);
      sum += part;
    }
    return sum;
  }

 private:
  static double edge(Index k) { return 2 * static_cast<double>(k) / kPieces - 1; }

  double row(Index j, double lambda, double mu) const {
    const auto slope = slope_.row(j);
    const Eigen::Array<double, 1, kPieces> v =
        (slope * (1 / mu)).min(farthest_[j]);  // where 2·slope·v − μv² is largest
    return (plain_.row(j) + v * (2 * slope - mu * v) - (lambda * reach_[j] * reach_[j]) * nearest_).maxCoeff();
  }

  using Pieces = Eigen::Array<double, Eigen::Dynamic, kPieces, Eigen::RowMajor>;
  Index n_;
  Pieces plain_, slope_;
  Eigen::Array<double, 1, kPieces> nearest_;  // to 0 that a piece comes, squared, in units of the reach
  Vector reach_, farthest_;                   // of u_j and of v_j
};

// The minimum of f(exp z) on [begin, end], as found by a golden-section search.
template <typename Function>
double golden_section(const Function& f, double begin, double end, int steps) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double left = end - golden * (end - begin), right = begin + golden * (end - begin);
  double at_left = f(std::exp(left)), at_right = f(std::exp(right));
  for (int step = 0; step < steps; ++step) {
    if (at_left < at_right) {
      end = right;
      right = left;
      at_right = at_left;
      left = end - golden * (end - begin);
      at_left = f(std::exp(left));
    } else {
      begin = left;
      left = right;
      at_left = at_right;
      right = begin + golden * (end - begin);
      at_right = f(std::exp(right));
    }
  }
  return at_left < at_right ? left : right;
}

}  // namespace

double moved_row_bound(const AttentionState& sample, Index row, const std::function<bool(Index)>& moves,
                       double radius) {
  const auto output = sample.features().row(row);
  double farthest = output.norm();
  for (Index m = 0; m < sample.n(); ++m)
    farthest = std::max(farthest, (sample.X().row(m) - output).norm() + (moves(m) ? radius : 0));
  return farthest;
}

double squared_norm_bound(Matrix gram) {
  const double trace = gram.trace();
  if (!(trace > 0) || !std::isfinite(trace)) return trace;
  gram /= trace;
  for (int k = 0; k < kSquarings; ++k) {
    Matrix square = Matrix::Zero(gram.rows(), gram.rows());
    add_gram_lower(gram, square);
    mirror_lower(square);
    gram.swap(square);
  }
  return trace * std::pow(gram.norm(), 1.0 / (1 << kSquarings)) * (1 + kRounding);
}

namespace {

double own_row_bound(const AttentionToken& token, double radius) {
  return moved_row_bound(
      token.sample(), token.index(), [&](Index m) { return m == token.index(); }, radius);
}

}  // namespace

double attention_change_bound_by_rows(const AttentionToken& token, double radius) {
  const AttentionState& sample = token.sample();
  double squared = std::pow(own_row_bound(token, radius), 2);
  for (Index j = 0; j < sample.n(); ++j) {
    if (j == token.index()) continue;
    const double reach = sample.query_norms()[j] * radius;
    const auto [low, high] = sample.map().normaliser().weight_range(
        token.row_scores()[j] - reach, token.row_scores()[j] + reach, token.row_masses()[j]);
    const double drift =
        std::max(token.row_weights()[j] - low, high - token.row_weights()[j]) * std::sqrt(token.squared_offsets()[j]);
    squared += std::pow(drift + high * radius, 2);
  }
  return std::sqrt(squared);
}

double attention_change_bound(const AttentionToken& token, double radius) {
  const double by_rows = attention_change_bound_by_rows(token, radius);
  const double own = std::pow(own_row_bound(token, radius), 2);
  const double rows = by_rows * by_rows - own;
  const double squared_norm = token.sample().squared_query_norm();
  if (!(rows > 0 && squared_norm > 0 && radius > 0) || !std::isfinite(by_rows * by_rows)) return by_rows;

  const TwoForms forms(token, squared_norm);
  const RowPieces pieces(token, radius);
  double least = rows;
  const auto dual = [&](double lambda, double mu) {
    const double value = radius * radius * forms.largest(lambda, mu) + pieces.largest(lambda, mu);
    if (value < least) least = value;  // skips NaN
    return std::isfinite(value) ? value : HUGE_VAL;
  };
  // The dual is convex in λ and μ, with an edge where the two forms weigh the same: along it both change together. The
  // search begins where each form would use up the whole bound.
  double lambda = std::log(rows / squared_norm) - 2 * std::log(radius);
  double mu = std::log(rows / std::max(forms.e_along(), 1e-300)) - 2 * std::log(radius);
  for (const double width : {6.0, 1.5}) {
    constexpr int kSteps = 6;
    const double both = golden_section([&](double t) { return dual(t * std::exp(lambda), t * std::exp(mu)); }, -width,
                                       width / 4, kSteps);
    lambda += both;
    mu += both;
    mu = golden_section([&](double m) { return dual(std::exp(lambda), m); }, mu - width / 2, mu + width / 4, kSteps);
    lambda =
        golden_section([&](double l) { return dual(l, std::exp(mu)); }, lambda - width / 2, lambda + width / 4, kSteps);
  }
  return std::sqrt(least + own) * (1 + kRounding);
}

}  // namespace wordsway
