// A min-norm interpolator that is about to learn one more sample (X, y), by fine-tuning or by re-training.
//
//     θ* = Φᵀ K⁻¹ Y,   P⊥φ = φ − Φᵀ K⁻¹ Φφ,   K = ΦΦᵀ,   φ = φ(X)
//     fine-tuned   θ_f = θ* + u (y − φᵀθ*),   u = φ/‖φ‖²
//     re-trained   θ_r = θ* + u (y − φᵀθ*),   u = P⊥φ/‖P⊥φ‖²      the min-norm interpolator of all N + 1 samples
//
// Neither the projector P⊥ nor any p×p matrix is formed. docs/generalization.md.
// Φ: [N, p]; θ*, φ, P⊥φ, u: of the features' own shape [rows, columns], p = rows·columns.
#pragma once

#include <string>

#include "wordsway/learning/feature_store.h"
#include "wordsway/maps/learner_view.h"

namespace wordsway {

/// Wall seconds of each part of a simulation.
struct LearningTimes {
  double features = 0, kernel = 0, factor = 0, products = 0, search = 0;
};

struct Learner {
  Matrix theta;               // θ*
  Matrix phi;                 // φ(X)
  Matrix projected;           // P⊥φ
  double output = 0;          // φᵀθ*
  double condition = 0;       // of K
  bool kept_features = true;  // Φ was held in memory
  std::string warning;        // empty, or a sentence about K for the user
  LearningTimes times;
};

/// Trains on labels Y [N] of the view's training samples, in two passes over Φ. Throws DataError when there are more
/// or fewer of them, K is singular,
/// φ(X) vanishes, is not finite or is rounding noise (check_features), or the model is not finite.
Learner train(const LearnerView& view, ConstVectorRef labels, const FeatureRoom& room = {});

enum class Training { kFineTune, kRetrain };

/// "fine-tune" or "retrain"; the inverse throws UsageError on anything else.
std::string to_string(Training training);
Training parse_training(const std::string& name);

/// θ_new = θ* + step·direction.
struct Update {
  Matrix direction;  // u
  double step = 0;   // y − φᵀθ*
};

/// Throws DataError when re-training has nothing to learn with: φ(X) lies in the span of the training features.
Update learn(const Learner& learner, Training training, double label);

}  // namespace wordsway
