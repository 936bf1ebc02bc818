#include "wordsway/ascent/ascend.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/ascent/arc_search.h"
#include "wordsway/ascent/quasi_newton.h"
#include "wordsway/core/error.h"
#include "wordsway/core/stop.h"

namespace wordsway {
namespace {

constexpr size_t kMemory = 8;              // quasi-Newton pairs
constexpr double kFirstAngle = 0.5;        // radians, before curvature is known
constexpr double kLongestAngle = 1.0;      // a longer quasi-Newton step says more about the model than about f
constexpr double kSlackKick = 0.1;         // of ρ: how far inside an ascent is sent when the function rises inwards
constexpr double kSmallestStart = 1e-150;  // norms above it have squares that are normal numbers
constexpr int kPatience = 2;               // iterations in a row below the tolerance

class Ascent {
 public:
  // z: for each block its Δ and its slack, on the sphere of its radius.
  Ascent(const LiftedFunction& f, Vector z, const AscentOptions& options, Vector radii)
      : f_(f),
        options_(options),
        radii_(std::move(radii)),
        blocks_(f.blocks()),
        d_(f.dimension() / blocks_),
        z_(std::move(z)),
        memory_(kMemory) {}

  AscentResult run() {
    restart();
    climb();
    if (result_.converged && rises_inwards()) {
      const Vector on_surface = z_;
      const double surface_value = value_;
      send_inside();
      climb();
      // The kick may jump over the rise, and what is left of the iterations may not make up for it.
      if (!(value_ >= surface_value)) z_ = on_surface;
    }
    finish();
    return result_;
  }

 private:
  // Block b of a vector like z, and the Δ in it.
  Eigen::VectorBlock<Vector> block(Vector& v, Index b) const { return v.segment(b * (d_ + 1), d_ + 1); }
  Eigen::VectorBlock<const Vector> block(const Vector& v, Index b) const { return v.segment(b * (d_ + 1), d_ + 1); }
  Eigen::VectorBlock<const Vector> move_of(const Vector& v, Index b) const { return v.segment(b * (d_ + 1), d_); }

  // Δ without the slacks.
  Vector moves_of(const Vector& v) const {
    Vector moves(blocks_ * d_);
    for (Index b = 0; b < blocks_; ++b) moves.segment(b * d_, d_) = move_of(v, b);
    return moves;
  }

  void restart() {
    image_.resize(f_.lifted_size());
    f_.lift(moves_of(z_), image_);
    Vector lifted_gradient;
    value_ = f_.evaluate(image_, &lifted_gradient);
    ++result_.evaluations;
    set_gradient(lifted_gradient);
    memory_.forget();
    first_angle_ = kFirstAngle;
  }

  void set_gradient(const Vector& lifted_gradient) {
    Vector moves(blocks_ * d_);
    f_.pull_back(lifted_gradient, moves);
    gradient_.setZero(z_.size());
    for (Index b = 0; b < blocks_; ++b) block(gradient_, b).head(d_) = moves.segment(b * d_, d_);
  }

  // A radius of 0 leaves nowhere to go.
  Vector tangent(const Vector& v) const {
    Vector result(v.size());
    for (Index b = 0; b < blocks_; ++b) {
      const auto z = block(z_, b), of = block(v, b);
      const double square = z.squaredNorm();
      block(result, b).setZero();
      if (square > 0) block(result, b) = of - (of.dot(z) / square) * z;
    }
    return result;
  }

  void climb() {
    int idle = 0;
    result_.converged = false;
    while (result_.iterations < options_.max_iterations && std::isfinite(value_) && gradient_.allFinite()) {
      throw_if_stopped();
      ++result_.iterations;
      const double before = value_;
      const bool moved = step();
      idle = value_ - before <= options_.tolerance * std::abs(value_) ? idle + 1 : 0;
      // If nothing rises even along the gradient, the ascent ends.
      if (idle >= kPatience || (!moved && memory_.empty())) {
        result_.converged = true;
        return;
      }
      if (!moved) memory_.forget();
    }
  }

  // One direction, one arc. False when no rise was found.
  bool step() {
    const Vector slope = tangent(gradient_);
    Vector direction = memory_.empty() ? slope : tangent(memory_.direction(slope));
    if (!(direction.dot(slope) > 1e-6 * direction.norm() * slope.norm())) {
      memory_.forget();
      direction = slope;
    }
    Vector speeds(blocks_);
    for (Index b = 0; b < blocks_; ++b) {
      const double length = block(direction, b).norm();
      speeds[b] = length > 0 ? length / radii_[b] : 0 * length;
    }
    const double fastest = speeds.maxCoeff();
    if (!speeds.allFinite() || !(fastest > 0)) {
      memory_.forget();
      return false;
    }
    const double first = memory_.empty() ? first_angle_ : std::min(fastest, kLongestAngle);
    double rise = 0;
    for (Index b = 0; b < blocks_; ++b) {
      const double length = block(direction, b).norm();
      if (length > 0) block(direction, b) *= radii_[b] / length;
      speeds[b] /= fastest;
      rise += speeds[b] * block(direction, b).dot(block(slope, b));
    }
    Vector towards(f_.lifted_size());
    f_.lift(moves_of(direction), towards);
    const LiftedArc arc{f_, image_, towards, speeds, value_, rise};
    ArcPoint point = search_arc(arc, first, result_.evaluations);
    if (point.t == 0) return false;
    if (memory_.empty()) first_angle_ = point.t;
    move(direction, speeds, slope, std::move(point));
    return true;
  }

  void move(const Vector& direction, const Vector& speeds, const Vector& old_slope, ArcPoint point) {
    Vector velocity(z_.size());
    for (Index b = 0; b < blocks_; ++b) {
      const double angle = speeds[b] * point.t;
      auto z = block(z_, b);
      const auto towards = block(direction, b);
      block(velocity, b) = angle * (std::cos(angle) * towards - std::sin(angle) * z);
      z = std::cos(angle) * z + std::sin(angle) * towards;
      if (radii_[b] > 0) z *= radii_[b] / z.norm();
    }
    value_ = point.value;
    image_.swap(point.image);
    set_gradient(point.lifted_gradient);
    memory_.learn(velocity, tangent(gradient_) - tangent(old_slope));
  }

  bool rises_inwards(Index b) const {
    const double slack = block(z_, b)[d_];
    return slack == 0 && move_of(gradient_, b).dot(move_of(z_, b)) < -options_.tolerance * std::abs(value_);
  }

  bool rises_inwards() const {
    for (Index b = 0; b < blocks_; ++b)
      if (rises_inwards(b)) return true;
    return false;
  }

  void send_inside() {
    for (Index b = 0; b < blocks_; ++b) {
      if (!rises_inwards(b)) continue;
      auto z = block(z_, b);
      z.head(d_) *= std::sqrt(1 - kSlackKick * kSlackKick);
      z[d_] = kSlackKick * radii_[b];
    }
    restart();
  }

  // The value is computed afresh, so that images combined over many steps leave no rounding in it.
  void finish() {
    result_.delta = moves_of(z_);
    for (Index b = 0; b < blocks_; ++b) {
      auto delta = result_.delta.segment(b * d_, d_);
      const double norm = delta.norm();
      if (norm > radii_[b]) delta *= radii_[b] / norm;
    }
    result_.value = f_(result_.delta);
    ++result_.evaluations;
    if (!std::isfinite(result_.value)) result_.converged = false;
  }

  const LiftedFunction& f_;
  const AscentOptions& options_;
  Vector radii_;  // [blocks]
  Index blocks_, d_;
  Vector z_, image_, gradient_;
  double value_ = 0;
  double first_angle_ = kFirstAngle;
  QuasiNewton memory_;
  AscentResult result_;
};

// The radius of each block.
Vector checked_radii(const LiftedFunction& f, ConstVectorRef start, const AscentOptions& options) {
  if (start.size() != f.dimension())
    throw DataError(fmt::format("an ascent of a function of {} coordinates must start from as many; got {}",
                                f.dimension(), start.size()));
  const auto& given = options.block_radii;
  if (!given.empty() && static_cast<Index>(given.size()) != f.blocks())
    throw UsageError(fmt::format("an ascent needs one radius for each of {} blocks; got {}", f.blocks(), given.size()));
  Vector radii = Vector::Constant(f.blocks(), options.radius);
  for (size_t b = 0; b < given.size(); ++b) radii[static_cast<Index>(b)] = given[b];
  for (const double radius : radii)
    if (!(radius >= 0) || !std::isfinite(radius))
      throw UsageError(fmt::format("the radius must be a number not below 0; got {}", radius));
  return radii;
}

// ρ·start/‖start‖ and no slack: [d + 1].
Vector on_sphere(ConstVectorRef start, double radius) {
  Vector z = Vector::Zero(start.size() + 1);
  const double norm = start.norm();
  if (norm > kSmallestStart && std::isfinite(norm)) {
    z.head(start.size()) = start * (radius / norm);
  } else if (start.allFinite() && !start.isZero(0)) {  // its square is out of range, its direction is not
    const Vector scaled = start / start.cwiseAbs().maxCoeff();
    z.head(start.size()) = scaled * (radius / scaled.norm());
  } else {
    z[0] = radius;
  }
  return z;
}

// The point itself if it lies in the ball, with its slack.
Vector in_ball(ConstVectorRef point, double radius) {
  Vector z(point.size() + 1);
  const double norm = point.norm(), scale = norm > radius ? radius / norm : 1;
  z.head(point.size()) = point * scale;
  z[point.size()] = std::sqrt(std::max(0.0, radius * radius - z.head(point.size()).squaredNorm()));
  return z;
}

template <typename Place>
AscentResult ascend_placed(const LiftedFunction& f, ConstVectorRef start, const AscentOptions& options, Place place) {
  Vector radii = checked_radii(f, start, options);
  const Index d = f.dimension() / f.blocks();
  Vector z(f.blocks() * (d + 1));
  for (Index b = 0; b < f.blocks(); ++b) z.segment(b * (d + 1), d + 1) = place(start.segment(b * d, d), radii[b]);
  return Ascent(f, std::move(z), options, std::move(radii)).run();
}

}  // namespace

AscentResult ascend(const LiftedFunction& f, ConstVectorRef start, const AscentOptions& options) {
  return ascend_placed(f, start, options, on_sphere);
}

AscentResult ascend_from(const LiftedFunction& f, ConstVectorRef point, const AscentOptions& options) {
  return ascend_placed(f, point, options, in_ball);
}

}  // namespace wordsway
