// Small inputs for tests, and the plainest ways to compute what the fast paths compute.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "wordsway/maps/feature_map.h"
#include "wordsway/maps/map_registry.h"

namespace wordsway::test {

/// X with Δ added to row i.
Matrix moved(const Matrix& X, Index i, const Vector& delta);

/// X with the moves of several tokens, [M·d], added to their rows.
Matrix moved(const Matrix& X, std::span<const Index> tokens, const Vector& delta);

/// A map with its weights held dense, for an [n, d] sample.
std::unique_ptr<FeatureMap> draw_map(const std::string& name, Index n, Index d, std::uint64_t seed, double beta = 1);

/// ‖φ(X^i(Δ)) − φ(X)‖² by features_reference alone.
double change_reference(const FeatureMap& map, const Matrix& X, Index i, const Vector& delta);

/// ⟨φ(X^i(Δ)), ψ⟩ by features_reference alone.
double inner_reference(const FeatureMap& map, const Matrix& X, Index i, const Vector& delta, const Matrix& psi);

/// sup of √change_reference over ‖Δ‖ ≤ ρ by an optimiser that shares nothing with wordsway's: differences for
/// gradients, normalised steps along the sphere and inside the ball, halved when they fail, from many random starts.
double best_change_by_differences(const FeatureMap& map, const Matrix& X, Index i, double radius, int starts,
                                  std::uint64_t seed);
/// The same for tokens that move together, each within its ball.
double best_change_by_differences(const FeatureMap& map, const Matrix& X, std::span<const Index> tokens, double radius,
                                  int starts, std::uint64_t seed);

}  // namespace wordsway::test
