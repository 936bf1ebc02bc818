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
  // z: [d + 1], Δ and the slack, on the sphere of radius ρ.
  Ascent(const LiftedFunction& f, Vector z, const AscentOptions& options)
      : f_(f), options_(options), d_(f.dimension()), z_(std::move(z)), memory_(kMemory) {}

  AscentResult run() {
    restart();
    climb();
    if (result_.converged && rises_inwards()) {
      const Vector on_surface = z_;
      const double value_there = value_;
      send_inside();
      climb();
      // The kick may jump over the rise, and what is left of the iterations may not make up for it.
      if (!(value_ >= value_there)) z_ = on_surface;
    }
    finish();
    return result_;
  }

 private:
  void restart() {
    image_.resize(f_.lifted_size());
    f_.lift(z_.head(d_), image_);
    Vector lifted_gradient;
    value_ = f_.evaluate(image_, &lifted_gradient);
    ++result_.evaluations;
    set_gradient(lifted_gradient);
    memory_.forget();
    first_angle_ = kFirstAngle;
  }

  void set_gradient(const Vector& lifted_gradient) {
    gradient_.setZero(d_ + 1);
    f_.pull_back(lifted_gradient, gradient_.head(d_));
  }

  Vector tangent(const Vector& v) const { return v - (v.dot(z_) / z_.squaredNorm()) * z_; }

  void climb() {
    int idle = 0;
    result_.converged = false;
    while (result_.iterations < options_.max_iterations && std::isfinite(value_) && gradient_.allFinite()) {
      throw_if_stopped();
      ++result_.iterations;
      const double before = value_;
      const bool moved = step();
      idle = value_ - before <= options_.tolerance * std::abs(value_) ? idle + 1 : 0;
      // Without a rise along the gradient itself there is nowhere to go.
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
    const double length = direction.norm();
    if (!(length > 0) || !std::isfinite(length)) {
      memory_.forget();
      return false;
    }
    const double first = memory_.empty() ? first_angle_ : std::min(length / options_.radius, kLongestAngle);
    direction *= options_.radius / length;
    Vector towards(f_.lifted_size());
    f_.lift(direction.head(d_), towards);
    const LiftedArc arc{f_, image_, towards, value_, direction.dot(slope)};
    ArcPoint point = search_arc(arc, first, result_.evaluations);
    if (point.t == 0) return false;
    if (memory_.empty()) first_angle_ = point.t;
    move(direction, slope, std::move(point));
    return true;
  }

  void move(const Vector& direction, const Vector& old_slope, ArcPoint point) {
    const Vector velocity = point.t * (std::cos(point.t) * direction - std::sin(point.t) * z_);
    z_ = std::cos(point.t) * z_ + std::sin(point.t) * direction;
    z_ *= options_.radius / z_.norm();
    value_ = point.value;
    image_.swap(point.image);
    set_gradient(point.lifted_gradient);
    memory_.learn(velocity, tangent(gradient_) - tangent(old_slope));
  }

  bool rises_inwards() const {
    const double slack = z_[d_];
    return slack == 0 && gradient_.head(d_).dot(z_.head(d_)) < -options_.tolerance * std::abs(value_);
  }

  void send_inside() {
    z_.head(d_) *= std::sqrt(1 - kSlackKick * kSlackKick);
    z_[d_] = kSlackKick * options_.radius;
    restart();
  }

  // The value is computed afresh, so that images combined over many steps leave no rounding in it.
  void finish() {
    result_.delta = z_.head(d_);
    const double norm = result_.delta.norm();
    if (norm > options_.radius) result_.delta *= options_.radius / norm;
    result_.value = f_(result_.delta);
    ++result_.evaluations;
    if (!std::isfinite(result_.value)) result_.converged = false;
  }

  const LiftedFunction& f_;
  const AscentOptions& options_;
  Index d_;
  Vector z_, image_, gradient_;
  double value_ = 0;
  double first_angle_ = kFirstAngle;
  QuasiNewton memory_;
  AscentResult result_;
};

void check(const LiftedFunction& f, ConstVectorRef start, const AscentOptions& options) {
  if (start.size() != f.dimension())
    throw DataError(fmt::format("an ascent of a function of {} coordinates must start from as many; got {}",
                                f.dimension(), start.size()));
  if (!(options.radius >= 0) || !std::isfinite(options.radius))
    throw UsageError(fmt::format("the radius must be a number not below 0; got {}", options.radius));
}

}  // namespace

AscentResult ascend(const LiftedFunction& f, ConstVectorRef start, const AscentOptions& options) {
  check(f, start, options);
  Vector z = Vector::Zero(f.dimension() + 1);
  const double norm = start.norm();
  if (norm > kSmallestStart && std::isfinite(norm)) {
    z.head(f.dimension()) = start * (options.radius / norm);
  } else if (start.allFinite() && !start.isZero(0)) {  // its square is out of range, its direction is not
    const Vector scaled = start / start.cwiseAbs().maxCoeff();
    z.head(f.dimension()) = scaled * (options.radius / scaled.norm());
  } else {
    z[0] = options.radius;
  }
  return Ascent(f, std::move(z), options).run();
}

AscentResult ascend_from(const LiftedFunction& f, ConstVectorRef point, const AscentOptions& options) {
  check(f, point, options);
  Vector z(f.dimension() + 1);
  const double norm = point.norm(), scale = norm > options.radius ? options.radius / norm : 1;
  z.head(f.dimension()) = point * scale;
  z[f.dimension()] = std::sqrt(std::max(0.0, options.radius * options.radius - z.head(f.dimension()).squaredNorm()));
  return Ascent(f, std::move(z), options).run();
}

}  // namespace wordsway
