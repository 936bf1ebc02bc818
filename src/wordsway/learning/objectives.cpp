#include "wordsway/learning/objectives.h"

#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"

namespace wordsway {
namespace {

// offset + sign·Σ_k weight_k (v_k − target_k)².
std::unique_ptr<LiftedFunction> sum_of_squares(const TokenView& view, const Objective& objective, double offset,
                                               double sign) {
  std::vector<Matrix> psis;
  std::vector<double> targets, weights;
  for (const SquaredTerm& term : objective) {
    psis.push_back(term.psi);
    targets.push_back(term.target);
    weights.push_back(sign * term.weight);
  }
  return view.outer(std::move(psis), [=](std::span<const double> values, std::span<double> gradient) {
    double sum = offset;
    for (size_t k = 0; k < values.size(); ++k) {
      const double miss = values[k] - targets[k];
      sum += weights[k] * miss * miss;
      if (!gradient.empty()) gradient[k] = 2 * weights[k] * miss;
    }
    return sum;
  });
}

}  // namespace

std::string to_string(ObjectiveKind kind) {
  return kind == ObjectiveKind::kAlign ? "align" : "error";
}

ObjectiveKind parse_objective(const std::string& name) {
  if (name == "align") return ObjectiveKind::kAlign;
  if (name == "error") return ObjectiveKind::kError;
  throw UsageError(unknown_name("objective", name, std::vector<std::string>{"align", "error"}));
}

Objective align_objective(const Update& update) {
  return {{update.direction, -1, 1}};
}

Objective error_objective(const Learner& learner, const Update& update, double label, double penalty) {
  Objective objective{{learner.theta + update.step * update.direction, -label, 1}};
  if (penalty > 0) objective.push_back({learner.theta, learner.output, penalty});
  return objective;
}

std::unique_ptr<LiftedFunction> objective_function(const TokenView& view, const Objective& objective) {
  return sum_of_squares(view, objective, 0, 1);
}

std::unique_ptr<LiftedFunction> descent_function(const TokenView& view, const Objective& objective) {
  return sum_of_squares(view, objective, -1, -1);
}

}  // namespace wordsway
