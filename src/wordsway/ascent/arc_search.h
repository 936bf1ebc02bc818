// The line search of the ascent: along z(t) = cos t·z + sin t·ρ·direction, by value and slope. Where Δ has several
// blocks, block b does so at its own speed: z_b(t) = cos(ω_b t)·z_b + sin(ω_b t)·ρ·direction_b.
#pragma once

#include "wordsway/core/lifted_function.h"

namespace wordsway {

/// A great circle as seen through L: image(t) = cos t·at + sin t·towards, in every block with t times its speed.
struct LiftedArc {
  const LiftedFunction& f;
  const Vector& at;       // LΔ
  const Vector& towards;  // L of ρ times the unit direction
  const Vector& speeds;   // [blocks] ω, the largest is 1

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
