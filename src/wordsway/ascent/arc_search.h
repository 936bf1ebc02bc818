// The line search of the ascent: along z(t) = cos t·z + sin t·ρ·direction, by value and slope.
#pragma once

#include "wordsway/core/lifted_function.h"

namespace wordsway {

/// A great circle as seen through L: image(t) = cos t·at + sin t·towards.
struct LiftedArc {
  const LiftedFunction& f;
  const Vector& at;       // LΔ
  const Vector& towards;  // L of ρ times the unit direction

  double value = 0;  // f at t = 0
  double slope = 0;  // d f/dt there, > 0
};

struct ArcPoint {
  double t = 0;  // 0: nothing better was found
  double value = 0;
  Vector image;
  Vector lifted_gradient;
};

/// A point that satisfies the Wolfe conditions, or the best rise seen. Tries `first` first; adds to `evaluations`.
ArcPoint search_arc(const LiftedArc& arc, double first, int& evaluations);

}  // namespace wordsway
