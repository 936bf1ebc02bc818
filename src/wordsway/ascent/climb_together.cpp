#include "wordsway/ascent/climb_together.h"

#include <algorithm>
#include <cmath>

#include "wordsway/core/stop.h"

namespace wordsway {
namespace {

constexpr double kFirstAngle = 0.5, kLongestAngle = 1.0;
constexpr double kLonger = 1.3, kShorter = 0.4;  // the next angle, after a rise and without one
constexpr double kMomentum = 0.7;                // of the last direction, beside the gradient's

using Row = Eigen::RowVectorXd;

Row unit(const Row& row) {
  const double norm = row.norm();
  return norm > 0 && std::isfinite(norm) ? Row(row / norm) : Row(Row::Zero(row.size()));
}

// Takes over the rows of `next` where it is higher; says which.
std::vector<bool> take_rises(Climbers& climbers, const Climbers& next) {
  std::vector<bool> rose(static_cast<size_t>(climbers.values.size()));
  for (Index k = 0; k < climbers.values.size(); ++k) {
    const bool finite = std::isfinite(next.values[k]) && next.gradients.row(k).allFinite();
    if (!finite || !(next.values[k] > climbers.values[k])) continue;
    rose[static_cast<size_t>(k)] = true;
    climbers.values[k] = next.values[k];
    climbers.deltas.row(k) = next.deltas.row(k);
    climbers.gradients.row(k) = next.gradients.row(k);
  }
  return rose;
}

}  // namespace

Climbers climbers_at(const LiftedFunction& f, const Matrix& directions, double radius) {
  throw_if_stopped();
  Climbers climbers;
  climbers.deltas = directions;
  for (Index k = 0; k < directions.rows(); ++k) climbers.deltas.row(k) = radius * unit(directions.row(k));
  climbers.values = f.values(climbers.deltas, &climbers.gradients);
  return climbers;
}

void iterate_power_together(const LiftedFunction& f, Climbers& climbers, double radius, int iterations) {
  Matrix directions = climbers.gradients;
  for (int k = 0; k < iterations; ++k) {
    const Climbers next = climbers_at(f, directions, radius);
    take_rises(climbers, next);
    directions = next.gradients;
  }
}

void climb_together(const LiftedFunction& f, Climbers& climbers, double radius, int steps) {
  const Index count = climbers.values.size();
  Vector angles = Vector::Constant(count, kFirstAngle);
  Matrix last = Matrix::Zero(count, climbers.deltas.cols());
  for (int step = 0; step < steps; ++step) {
    Matrix towards(count, climbers.deltas.cols()), directions(count, climbers.deltas.cols());
    for (Index k = 0; k < count; ++k) {
      const Row here = climbers.deltas.row(k) / radius;
      const auto tangent = [&](const Row& row) { return Row(row - row.dot(here) * here); };
      directions.row(k) = unit(unit(tangent(climbers.gradients.row(k))) + kMomentum * tangent(last.row(k)));
      towards.row(k) = std::cos(angles[k]) * here + std::sin(angles[k]) * directions.row(k);
    }
    const std::vector<bool> rose = take_rises(climbers, climbers_at(f, towards, radius));
    for (Index k = 0; k < count; ++k) {
      const bool up = rose[static_cast<size_t>(k)];
      angles[k] = up ? std::min(kLonger * angles[k], kLongestAngle) : kShorter * angles[k];
      last.row(k) = up ? Row(directions.row(k)) : Row(Row::Zero(last.cols()));
    }
  }
}

}  // namespace wordsway
