// Ascent of a smooth function over the ball ‖Δ‖ ≤ ρ.
//
// The ball in R^d is the shadow of the sphere in R^{d+1}: Δ with a slack coordinate s, ‖Δ‖² + s² = ρ². Steps go along
// great circles of that sphere, in directions of limited-memory quasi-Newton type (Nocedal & Wright, chapter 7; on a
// sphere: Huang, Gallivan & Absil, SIAM J. Optim. 2015). From s = 0 an ascent stays on the ball's surface, where the
// maximiser nearly always is; if it ends where the function rises inwards, it is sent inside and goes on.
//
// Points of a line search lie in the plane of the current Δ and the direction, so they need no new image LΔ: an
// iteration costs one L and one Lᵀ (core/lifted_function.h). docs/theory.md compares this with the plain rule.
#pragma once

#include <functional>

#include "wordsway/core/lifted_function.h"

namespace wordsway {

struct AscentOptions {
  double radius = 1;  // ρ
  int max_iterations = 500;
  double tolerance = 1e-7;  // stop when an iteration gains less than this, relative to the value
};

struct AscentResult {
  Vector delta;            // the best point found, ‖Δ‖ ≤ ρ to rounding
  double value = 0;        // f there, computed afresh from Δ
  int evaluations = 0;     // of h
  int iterations = 0;      // each one L and one Lᵀ
  bool converged = false;  // stopped by the tolerance, not by max_iterations or a value or slope that is not finite
};

/// Ascends from ρ·start/‖start‖ (any point of the surface when start is 0 or not finite). Deterministic. Throws
/// DataError when start has another dimension than f, UsageError when the radius is negative or not finite,
/// Stopped when the thread is asked to stop (core/stop.h).
AscentResult ascend(const LiftedFunction& f, ConstVectorRef start, const AscentOptions& options);

/// The same from a point inside the ball, taken as it is (scaled back to the ball if it lies outside).
AscentResult ascend_from(const LiftedFunction& f, ConstVectorRef point, const AscentOptions& options);

}  // namespace wordsway
