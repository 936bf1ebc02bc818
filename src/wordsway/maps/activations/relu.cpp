// relu: σ(z) = max(z, 0), slope 0 at 0.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "wordsway/maps/random_features/activation.h"

namespace wordsway {
namespace {

double value(double z) {
  return std::max(z, 0.0);
}

double slope(double z) {
  return z > 0 ? 1 : 0;
}

void evaluate(const double* z, Index size, double* values, double* slopes) {
  using Values = Eigen::Map<Eigen::ArrayXd>;
  const Eigen::Map<const Eigen::ArrayXd> in(z, size);
  if (slopes != nullptr) Values(slopes, size) = (in > 0).cast<double>();
  Values(values, size) = in.max(0.0);
}

// sin θ − θ cos θ, whose terms cancel to θ³/3.
double sine_gap(double theta) {
  const double t = theta * theta;
  if (theta < 0.1) return theta * t * (1.0 / 3 - t * (1.0 / 30 - t * (1.0 / 840 - t / 45360)));
  return std::sin(theta) - theta * std::cos(theta);
}

// The arc-cosine kernel of degree 1 (Cho & Saul 2009), E[relu(u) relu(v)] = √(E u² E v²)·(sin θ + (π − θ) cos θ)/2π.
// The kink at 0 would cost the quadrature most of its digits.
PairMoments dual_kernel(const PairMoments& in) {
  const double dot = in.square + in.cross, after = std::max(0.0, in.square + 2 * in.cross + in.change);
  const double theta = std::atan2(std::sqrt(std::max(0.0, in.square * in.change - in.cross * in.cross)), dot);
  const double gap = std::sqrt(in.square * after) * sine_gap(theta) / std::numbers::pi;
  return {0.5 * in.square, 0.5 * (in.cross + gap), 0.5 * in.change - gap};
}

// Half of the slopes are 1, half 0.
double slope_kurtosis(double /*square*/) {
  return 2;
}

}  // namespace

void register_relu(ActivationRegistry& registry) {
  registry.add("relu", {.value = value,
                        .slope = slope,
                        .evaluate = evaluate,
                        .lipschitz = 1,
                        .variance = 2,
                        .dual_kernel = dual_kernel,
                        .slope_kurtosis = slope_kurtosis});
}

}  // namespace wordsway
