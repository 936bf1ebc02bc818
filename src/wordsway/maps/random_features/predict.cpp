#include "wordsway/maps/random_features/predict.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace wordsway {

namespace {

// A move of length·ρ at an angle to x_i.
struct Move {
  double length;  // in [0, 1]
  double cosine;  // in [−1, 1]
};

PairMoments first_layer(const FeaturesLaw& law, const TokenGeometry& at, const Move& move) {
  const double variance = law.variance / static_cast<double>(law.n * law.d), length = move.length * at.radius;
  return {variance * at.sample_square, variance * at.token_norm * length * move.cosine, variance * length * length};
}

bool are_finite(const PairMoments& moments) {
  return std::isfinite(moments.square) && std::isfinite(moments.cross) && std::isfinite(moments.change) &&
         std::isfinite(moments.square * moments.change);
}

// NaN where the moments leave the range of a double.
double relative_change(const FeaturesLaw& law, const TokenGeometry& at, const Move& move) {
  PairMoments moments = first_layer(law, at, move);
  for (Index l = 0; l < law.depth; ++l) {
    if (!are_finite(moments)) return std::nan("");
    const PairMoments out = through_activation(law.activation, moments);
    if (!are_finite(out)) return std::nan("");
    if (l + 1 == law.depth) {
      const double ratio = std::max(0.0, out.change) / out.square;
      return std::isfinite(ratio) ? std::sqrt(ratio) : std::sqrt(out.change) / std::sqrt(out.square);
    }
    moments = {law.variance * out.square, law.variance * out.cross, law.variance * out.change};
  }
  return 0;
}

double finite_width_factor(const FeaturesLaw& law, const TokenGeometry& at) {
  double kurtosis = 0;
  PairMoments moments = first_layer(law, at, {0, 0});
  for (Index l = 0; l < law.depth; ++l) {
    kurtosis += slope_kurtosis(law.activation, moments.square);
    moments.square = law.variance * through_activation(law.activation, moments).square;
  }
  return 1 + std::sqrt(static_cast<double>(at.moved * law.d) / static_cast<double>(law.width) * kurtosis);
}

// A coarse grid, then steps along the two coordinates that are halved when none of them rises.
double largest_change(const FeaturesLaw& law, const TokenGeometry& at) {
  Move best{1, 0};
  double value = relative_change(law, at, best);
  const auto consider = [&](Move move) {
    move = {std::clamp(move.length, 0.0, 1.0), std::clamp(move.cosine, -1.0, 1.0)};
    const double candidate = relative_change(law, at, move);
    if (!(candidate > value)) return false;
    value = candidate;
    best = move;
    return true;
  };
  for (const double length : {0.5, 1.0})
    for (const double cosine : {-1.0, -0.5, 0.5, 1.0}) consider({length, cosine});
  for (double step = 0.25; step > 1e-4;) {
    const bool risen = consider({best.length, best.cosine + step}) || consider({best.length, best.cosine - step}) ||
                       consider({best.length + step, best.cosine}) || consider({best.length - step, best.cosine});
    if (!risen) step *= 0.5;
  }
  return value;
}

}  // namespace

Prediction predict_features(const FeaturesLaw& law, const TokenGeometry& geometry) {
  const double infinite = largest_change(law, geometry);
  return {infinite, infinite * finite_width_factor(law, geometry)};
}

namespace {

constexpr Index kNodes = 64;

// Nodes and weights for expectations over N(0, 1), by Golub & Welsch (1969).
struct GaussHermite {
  Vector nodes, weights;

  GaussHermite() {
    Vector off(kNodes - 1);
    for (Index j = 0; j + 1 < kNodes; ++j) off[j] = std::sqrt(static_cast<double>(j + 1));
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(Vector::Zero(kNodes), off);
    nodes = solver.eigenvalues();
    weights = solver.eigenvectors().row(0).transpose().array().square().matrix();
  }
};

const GaussHermite& quadrature() {
  static const GaussHermite rule;
  return rule;
}

PairMoments through_quadrature(const Activation& activation, const PairMoments& in) {
  const GaussHermite& rule = quadrature();
  const double deviation = std::sqrt(in.square), along = in.square > 0 ? in.cross / in.square : 0;
  const double across = std::sqrt(std::max(0.0, in.change - along * in.cross));
  PairMoments out{0, 0, 0};
  for (Index a = 0; a < kNodes; ++a) {
    const double u = deviation * rule.nodes[a], before = activation.value(u);
    double change = 0, squared = 0;
    for (Index b = 0; b < kNodes; ++b) {
      const double difference = activation.value(u + along * u + across * rule.nodes[b]) - before;
      change += rule.weights[b] * difference;
      squared += rule.weights[b] * difference * difference;
    }
    out.square += rule.weights[a] * before * before;
    out.cross += rule.weights[a] * before * change;
    out.change += rule.weights[a] * squared;
  }
  return out;
}

}  // namespace

PairMoments through_activation(const Activation& activation, const PairMoments& in) {
  return activation.dual_kernel != nullptr ? activation.dual_kernel(in) : through_quadrature(activation, in);
}

double slope_kurtosis(const Activation& activation, double square) {
  if (activation.slope_kurtosis != nullptr) return activation.slope_kurtosis(square);
  // Powers of a slope are too peaked for the Gauss–Hermite rule; equal steps converge exponentially for smooth ones.
  double second = 0, fourth = 0, total = 0;
  for (double g = -10; g <= 10; g += 0.03125) {
    const double weight = std::exp(-0.5 * g * g), slope = activation.slope(std::sqrt(square) * g);
    second += weight * std::pow(slope, 2);
    fourth += weight * std::pow(slope, 4);
    total += weight;
  }
  second /= total;
  fourth /= total;
  return fourth / (second * second);
}

}  // namespace wordsway
