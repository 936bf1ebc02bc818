// The objectives of the moved word, as functions of Δ to be minimised over the ball ‖Δ‖ ≤ ρ.
//
// With a(Δ) = ⟨φ(X^i(Δ)), u⟩ the alignment, b(Δ) = ⟨φ(X^i(Δ)), θ*⟩ the old model's output, and y_Δ = −y wanted:
//     align   (a + 1)²
//     error   (b + (y − φᵀθ*) a − y_Δ)² + penalty·(b − φᵀθ*)²
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wordsway/learning/learner.h"

namespace wordsway {

enum class ObjectiveKind { kAlign, kError };

/// "align" or "error"; the inverse throws UsageError on anything else.
std::string to_string(ObjectiveKind kind);
ObjectiveKind parse_objective(const std::string& name);

/// weight·(⟨φ(X^i(Δ)), ψ⟩ − target)².
struct SquaredTerm {
  Matrix psi;
  double target = 0, weight = 1;
};

/// A sum of such terms.
using Objective = std::vector<SquaredTerm>;

Objective align_objective(const Update& update);
Objective error_objective(const Learner& learner, const Update& update, double label, double penalty);

/// Δ ↦ the objective.
std::unique_ptr<LiftedFunction> objective_function(const TokenView& view, const Objective& objective);

/// Δ ↦ −(1 + the objective), for an ascent: the 1 makes its relative tolerance an absolute one for objectives near 0.
std::unique_ptr<LiftedFunction> descent_function(const TokenView& view, const Objective& objective);

}  // namespace wordsway
