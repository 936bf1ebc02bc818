// A few steps of ascent over the sphere ‖Δ‖ = ρ from many points at once, for functions that are cheaper to evaluate at
// many points together than one by one.
//
// Each point goes along a great circle, in a direction between its gradient and its last step. A step that finds no
// rise is taken back and the next one is shorter.
#pragma once

#include <span>

#include "wordsway/core/lifted_function.h"

namespace wordsway {

/// Points of the sphere and what f is there, one in each row.
struct Climbers {
  Matrix deltas;     // [k, d]
  Vector values;     // [k]; not finite for a point that is lost
  Matrix gradients;  // [k, d]
};

/// The points in these directions, [k, d]: rows are scaled to length ρ. None may be 0.
Climbers climbers_at(const LiftedFunction& f, const Matrix& directions, double radius);

/// Iterates Δ ← ρ·∇/‖∇‖ powers[k] times from each point k, then takes `steps` steps from the best point passed. No
/// value falls, and a point takes the same path as it would by itself. Throws Stopped if the thread is asked to stop
/// (core/stop.h).
void climb_together(const LiftedFunction& f, Climbers& climbers, double radius, std::span<const int> powers, int steps);

}  // namespace wordsway
