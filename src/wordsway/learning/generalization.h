// Can a model on these features learn that one changed word flips the label? One simulation: a learner, a new sample,
// and for every training, objective and penalty the Δ that serves best and what comes of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wordsway/learning/learner.h"
#include "wordsway/learning/objectives.h"
#include "wordsway/random/stream.h"

namespace wordsway {

/// The version of this learner and search. Raise it if the same settings and seed give other values.
inline constexpr int kGeneralizationMethod = 1;

struct DescentOptions {
  double radius = 1;         // ρ itself, not in units of √d
  int starts = 4;            // X itself first, then the map's own directions, then random ones
  int max_iterations = 500;  // a descent
  double tolerance = 1e-6;   // of 1 + the objective
};

/// The combinations to evaluate: all of these. Penalties matter only for the error objective.
struct GeneralizationPlan {
  std::vector<Training> trainings = {Training::kFineTune, Training::kRetrain};
  std::vector<ObjectiveKind> objectives = {ObjectiveKind::kAlign, ObjectiveKind::kError};
  std::vector<double> penalties = {0};
  Index token = 0;
  FeatureRoom features;
  DescentOptions descent;
};

/// One Δ and its effect. Errors and γ follow from the outputs.
struct Outcome {
  Training training;
  ObjectiveKind objective;
  std::optional<double> penalty;  // nothing for align
  double output_before = 0;       // φ(X)ᵀθ*
  double output_after = 0;        // φ(X)ᵀθ_new: the label, to rounding
  double perturbed_before = 0;    // φ(X^i(Δ))ᵀθ*
  double perturbed_after = 0;     // φ(X^i(Δ))ᵀθ_new
  double alignment = 0;           // ⟨φ(X^i(Δ)), u⟩: 1 at Δ = 0, −1 is what flips the label
  double gamma = 0;               // |perturbed_before − output_before|
  double error = 0;               // (perturbed_after + y)²
  Vector delta;
  long evaluations = 0;
  bool converged = false;  // the best start stopped by its tolerance, and all starts stayed in the range of a double
  double seconds = 0;      // of its own search
};

struct Generalization {
  std::vector<Outcome> outcomes;  // in the order training, objective, penalty
  double condition = 0;
  std::string warning;
  double shared_seconds = 0;  // training, before any search
  LearningTimes times;
};

/// The outcomes a plan asks for, still empty.
std::vector<Outcome> list_outcomes(const GeneralizationPlan& plan);

/// Throws UsageError on a plan that makes no sense and DataError as train() and learn() do, and when an output is not
/// finite. `label` is ±1.
/// Deterministic whatever the threads; random starts come from `stream`. Throws Stopped when the thread is asked to
/// stop (core/stop.h).
Generalization generalize(const LearnerView& view, ConstVectorRef labels, double label, const GeneralizationPlan& plan,
                          const Stream& stream);

}  // namespace wordsway
