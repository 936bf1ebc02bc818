#include "wordsway/ascent/arc_search.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "wordsway/core/stop.h"

namespace wordsway {
namespace {

constexpr double kSufficientRise = 1e-4;  // of the rise that the first slope promises
constexpr double kFlatEnough = 0.7;       // of the first slope: the step is long enough
constexpr double kLongest = std::numbers::pi / 2;
constexpr int kMaxTrials = 25;

struct Trial {
  double t, value, slope;
};

// The maximum of the cubic through two points with slopes, kept away from both ends.
double cubic_step(const Trial& a, const Trial& b) {
  const double width = b.t - a.t;
  const double d1 = a.slope + b.slope - 3 * (b.value - a.value) / width;
  const double root = d1 * d1 - a.slope * b.slope;
  double t = a.t + 0.5 * width;
  if (root >= 0) {
    const double d2 = std::copysign(std::sqrt(root), width);
    const double candidate = b.t - width * (b.slope - d2 - d1) / (b.slope - a.slope - 2 * d2);
    if (std::isfinite(candidate)) t = candidate;
  }
  const double low = std::min(a.t, b.t), high = std::max(a.t, b.t), margin = 0.1 * (high - low);
  return std::clamp(t, low + margin, high - margin);
}

void set_image(const LiftedArc& arc, double t, Vector& image) {
  image.resize(arc.at.size());
  const Index blocks = arc.speeds.size(), size = image.size() / blocks;
  for (Index b = 0; b < blocks; ++b) {
    const double angle = arc.speeds[b] * t;
    image.segment(b * size, size) =
        std::cos(angle) * arc.at.segment(b * size, size) + std::sin(angle) * arc.towards.segment(b * size, size);
  }
}

double slope_at(const LiftedArc& arc, double t, const Vector& lifted_gradient) {
  const Index blocks = arc.speeds.size(), size = lifted_gradient.size() / blocks;
  double slope = 0;
  for (Index b = 0; b < blocks; ++b) {
    const double angle = arc.speeds[b] * t;
    slope += arc.speeds[b] * lifted_gradient.segment(b * size, size)
                                 .dot(std::cos(angle) * arc.towards.segment(b * size, size) -
                                      std::sin(angle) * arc.at.segment(b * size, size));
  }
  return slope;
}

}  // namespace

ArcPoint search_arc(const LiftedArc& arc, double first, int& evaluations) {
  ArcPoint best{0, arc.value, {}, {}}, point;
  Trial low{0, arc.value, arc.slope}, high{};
  bool bracketed = false;
  double t = std::min(first, kLongest);
  for (int trial = 0; trial < kMaxTrials; ++trial) {
    throw_if_stopped();
    point.t = t;
    set_image(arc, t, point.image);
    point.value = arc.f.evaluate(point.image, &point.lifted_gradient);
    ++evaluations;
    const double slope = slope_at(arc, t, point.lifted_gradient);
    const Trial here{t, point.value, slope};
    const bool finite = std::isfinite(point.value) && std::isfinite(slope);
    const bool risen = finite && point.value >= arc.value + kSufficientRise * t * arc.slope && point.value >= low.value;
    if (finite && point.value > best.value) std::swap(best, point);
    if (risen && std::abs(slope) <= kFlatEnough * arc.slope) break;
    if (risen && slope > 0) {  // still climbing
      if (t >= kLongest) break;
      low = here;
      t = bracketed ? cubic_step(low, high) : std::min(3 * t, kLongest);
    } else {  // past the top
      high = here;
      bracketed = true;
      t = finite ? cubic_step(low, high) : 0.5 * (low.t + t);
    }
    if (bracketed && std::abs(high.t - low.t) < 1e-10) break;
  }
  return best;
}

}  // namespace wordsway
