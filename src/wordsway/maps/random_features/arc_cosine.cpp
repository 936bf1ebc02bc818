#include "wordsway/maps/random_features/arc_cosine.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wordsway {
namespace {

// sin θ − θ cos θ, whose terms cancel to θ³/3.
double sine_gap(double theta) {
  const double t = theta * theta;
  if (theta < 0.1) return theta * t * (1.0 / 3 - t * (1.0 / 30 - t * (1.0 / 840 - t / 45360)));
  return std::sin(theta) - theta * std::cos(theta);
}

}  // namespace

PairMoments relu_kernel(const PairMoments& in) {
  const double dot = in.square + in.cross, after = std::max(0.0, in.square + 2 * in.cross + in.change);
  const double theta = std::atan2(std::sqrt(std::max(0.0, in.square * in.change - in.cross * in.cross)), dot);
  const double gap = std::sqrt(in.square * after) * sine_gap(theta) / std::numbers::pi;
  return {0.5 * in.square, 0.5 * (in.cross + gap), 0.5 * in.change - gap};
}

}  // namespace wordsway
