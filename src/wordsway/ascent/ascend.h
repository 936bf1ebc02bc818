// Ascent of a smooth function over the ball ‖Δ‖ ≤ ρ, or over a product of balls.
//
// The ball in R^d is the shadow of the sphere in R^{d+1}: Δ with a slack coordinate s, ‖Δ‖² + s² = ρ². Steps go along
// great circles of that sphere, in directions of limited-memory quasi-Newton type (Nocedal & Wright, chapter 7; on a
// sphere: Huang, Gallivan & Absil, SIAM J. Optim. 2015). From s = 0 an ascent stays on the ball's surface, where the
// maximiser nearly always is; if it ends where the function rises inwards, it is sent inside and goes on.
//
// Where Δ has several blocks (core/lifted_function.h), each lies in a ball of its own: z is a point on a product of
// spheres, and a step turns every block along a great circle of its sphere, by an angle in proportion to the length of
// its part of the direction.
//
// Points of a line search lie in the plane of the current Δ and the direction, so they need no new image LΔ: an
// iteration costs one L and one Lᵀ (core/lifted_function.h). docs/theory.md compares this with the plain rule.
#pragma once

#include <functional>
#include <vector>

#include "wordsway/core/lifted_function.h"

namespace wordsway {

struct AscentOptions {
  double radius = 1;  // ρ
  int max_iterations = 500;
  double tolerance = 1e-7;  // stop when an iteration gains less than this, relative to the value
  /// ρ of each block if they differ; empty: `radius` for all.
  std::vector<double> block_radii = {};
};

struct AscentResult {
  Vector delta;            // the best point found, every block within its ball to rounding
  double value = 0;        // f there, computed afresh from Δ
  int evaluations = 0;     // of h
  int iterations = 0;      // each one L and one Lᵀ
  bool converged = false;  // stopped by the tolerance, not by max_iterations or a value or slope that is not finite
};

/// Ascends from ρ·start/‖start‖, block by block (any point of the surface when start is 0 or not finite).
/// Deterministic. Throws DataError when start has another dimension than f, UsageError when a radius is negative or not
/// finite or their number is not that of the blocks, Stopped when the thread is asked to stop (core/stop.h).
AscentResult ascend(const LiftedFunction& f, ConstVectorRef start, const AscentOptions& options);

/// Ascends from a point inside the ball, taken as it is (scaled back to the ball if it lies outside).
AscentResult ascend_from(const LiftedFunction& f, ConstVectorRef point, const AscentOptions& options);

}  // namespace wordsway
