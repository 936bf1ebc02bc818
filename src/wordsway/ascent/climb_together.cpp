#include "wordsway/ascent/climb_together.h"

#include <algorithm>
#include <cmath>

#include "wordsway/core/stop.h"

namespace wordsway {
namespace {

constexpr double kFirstAngle = 0.5, kLongestAngle = 1.0;
constexpr double kLonger = 1.3, kShorter = 0.4;  // the next angle, after a rise and without one
constexpr double kMomentum = 0.7;                // weight of the last direction, relative to the gradient's

using Row = Eigen::RowVectorXd;

Row unit(const Row& row) {
  const double norm = row.norm();
  return norm > 0 && std::isfinite(norm) ? Row(row / norm) : Row(Row::Zero(row.size()));
}

// One point on its way.
struct Way {
  int power, left;             // power iterations and steps that it still has
  Row direction;               // of the next power iteration, then of the last step that rose
  double angle = kFirstAngle;  // of the next step
};

// The next direction of a point at `delta` with this gradient.
Row next_direction(Way& way, const Row& delta, const Row& gradient, double radius) {
  if (way.power > 0) return way.direction;
  const Row here = delta / radius;
  const auto tangent = [&](const Row& row) { return Row(row - row.dot(here) * here); };
  way.direction = unit(unit(tangent(gradient)) + kMomentum * tangent(way.direction));
  return std::cos(way.angle) * here + std::sin(way.angle) * way.direction;
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

void climb_together(const LiftedFunction& f, Climbers& climbers, double radius, std::span<const int> powers,
                    int steps) {
  const Index d = climbers.deltas.cols();
  std::vector<Way> ways;
  for (Index k = 0; k < climbers.values.size(); ++k) {
    const int power = powers[static_cast<size_t>(k)];
    ways.push_back({power, steps, power > 0 ? Row(climbers.gradients.row(k)) : Row(Row::Zero(d))});
  }
  while (true) {
    std::vector<Index> going;
    for (Index k = 0; k < climbers.values.size(); ++k)
      if (const Way& way = ways[static_cast<size_t>(k)]; way.power + way.left > 0) going.push_back(k);
    if (going.empty()) return;
    Matrix directions(static_cast<Index>(going.size()), d);
    for (Index g = 0; g < directions.rows(); ++g) {
      const Index k = going[static_cast<size_t>(g)];
      directions.row(g) =
          next_direction(ways[static_cast<size_t>(k)], climbers.deltas.row(k), climbers.gradients.row(k), radius);
    }
    const Climbers next = climbers_at(f, directions, radius);
    for (Index g = 0; g < directions.rows(); ++g) {
      const Index k = going[static_cast<size_t>(g)];
      Way& way = ways[static_cast<size_t>(k)];
      const bool finite = std::isfinite(next.values[g]) && next.gradients.row(g).allFinite();
      const bool rose = finite && next.values[g] > climbers.values[k];
      if (rose) {
        climbers.values[k] = next.values[g];
        climbers.deltas.row(k) = next.deltas.row(g);
        climbers.gradients.row(k) = next.gradients.row(g);
      }
      if (way.power > 0) {
        --way.power;
        way.direction = way.power > 0 ? Row(next.gradients.row(g)) : Row(Row::Zero(d));
      } else {
        --way.left;
        way.angle = rose ? std::min(kLonger * way.angle, kLongestAngle) : kShorter * way.angle;
        if (!rose) way.direction.setZero();
      }
    }
  }
}

}  // namespace wordsway
