#include "wordsway/maps/random_features/dual_kernel.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace wordsway {
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
