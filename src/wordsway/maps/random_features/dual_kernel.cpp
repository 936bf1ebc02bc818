#include "wordsway/maps/random_features/dual_kernel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

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

// sin θ − θ cos θ, whose terms cancel to θ³/3.
double sine_gap(double theta) {
  const double t = theta * theta;
  if (theta < 0.1) return theta * t * (1.0 / 3 - t * (1.0 / 30 - t * (1.0 / 840 - t / 45360)));
  return std::sin(theta) - theta * std::cos(theta);
}

// The arc-cosine kernel of degree 1, E[relu(u) relu(v)] = √(E u² E v²)·(sin θ + (π − θ) cos θ)/2π.
PairMoments through_relu(const PairMoments& in) {
  const double dot = in.square + in.cross, after = std::max(0.0, in.square + 2 * in.cross + in.change);
  const double theta = std::atan2(std::sqrt(std::max(0.0, in.square * in.change - in.cross * in.cross)), dot);
  const double gap = std::sqrt(in.square * after) * sine_gap(theta) / std::numbers::pi;
  return {0.5 * in.square, 0.5 * (in.cross + gap), 0.5 * in.change - gap};
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
  return activation.name == "relu" ? through_relu(in) : through_quadrature(activation, in);
}

double slope_kurtosis(const Activation& activation, double square) {
  if (activation.name == "relu") return 2;  // half of the slopes are 1, half 0
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
