#include "wordsway/learning/generalization.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "wordsway/ascent/ascend.h"
#include "wordsway/core/error.h"
#include "wordsway/core/lockstep.h"
#include "wordsway/core/stop.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

struct Start {
  Vector point;
  bool inside;  // taken as it is; else a direction of the ball's surface
};

std::vector<Start> starting_points(const TokenView& view, Index d, int count, const Stream& stream) {
  std::vector<Start> starts{{Vector::Zero(d), true}};
  for (Vector& direction : view.starts()) starts.push_back({std::move(direction), false});
  while (starts.size() < static_cast<size_t>(count))
    starts.push_back({gaussian_vector(stream.derive(starts.size()), d), false});
  starts.resize(static_cast<size_t>(count));
  return starts;
}

constexpr Index kSearchesTogether = 32;  // outcomes whose searches wait for one another on a device

// Runs in parallel if that is allowed, otherwise in order: weights that are decided when first used need a fixed order.
void for_each(Index count, bool concurrent, const std::function<void(Index)>& body) {
  if (concurrent) return run_concurrently(count, body);
  for (Index item = 0; item < count; ++item) {
    throw_if_stopped();
    body(item);
  }
}

constexpr double kRaceTolerance = 1e-4;  // how far every start goes; the best one continues to the requested tolerance

// A race: the best of all starts is finished and goes to `outcome`. With random features starts end within a few
// ten-thousandths of each other, and finishing all of them takes three to four times as many evaluations.
void descend(const TokenView& view, const Objective& objective, const std::vector<Start>& starts,
             const DescentOptions& options, Outcome& outcome) {
  const auto f = descent_function(view, objective);
  const AscentOptions ascent{options.radius, options.max_iterations, options.tolerance};
  AscentOptions race = ascent;
  race.tolerance = std::max(race.tolerance, kRaceTolerance);
  std::vector<AscentResult> found(starts.size());
  for_each(static_cast<Index>(starts.size()), view.concurrent(), [&](Index s) {
    const Start& start = starts[static_cast<size_t>(s)];
    found[static_cast<size_t>(s)] = start.inside ? ascend_from(*f, start.point, race) : ascend(*f, start.point, race);
  });
  const AscentResult* best = &found.front();
  bool all_finite = true;  // false if a start left the range of a double, so that its result is unknown
  for (const AscentResult& result : found) {
    outcome.evaluations += result.evaluations;
    all_finite = all_finite && std::isfinite(result.value);
    if (!std::isfinite(best->value) || result.value > best->value) best = &result;
  }
  const AscentResult finished = ascend_from(*f, best->delta, ascent);
  outcome.evaluations += finished.evaluations;
  outcome.delta = finished.value >= best->value ? finished.delta : best->delta;
  outcome.converged = finished.converged && all_finite;
}

void evaluate(const TokenView& view, const Learner& learner, const Update& update, double label, Outcome& outcome) {
  outcome.output_before = learner.output;
  outcome.output_after = learner.output + update.step * learner.phi.cwiseProduct(update.direction).sum();
  outcome.perturbed_before = (*view.inner(learner.theta))(outcome.delta);
  outcome.alignment = (*view.inner(update.direction))(outcome.delta);
  outcome.perturbed_after = outcome.perturbed_before + update.step * outcome.alignment;
  outcome.gamma = std::abs(outcome.perturbed_before - outcome.output_before);
  outcome.error = std::pow(outcome.perturbed_after + label, 2);
  for (const double value : {outcome.output_after, outcome.gamma, outcome.error})
    if (!std::isfinite(value))
      throw DataError(
          "the outputs of the models are not finite or too large for a double after the move; take a smaller radius");
}

void check(const GeneralizationPlan& plan, ConstVectorRef labels, double label) {
  for (const double penalty : plan.penalties)
    if (!(penalty >= 0) || !std::isfinite(penalty))
      throw UsageError(fmt::format("a penalty must be a number not below 0; got {}", penalty));
  if (plan.descent.starts < 1) throw UsageError("the number of starts must be at least 1");
  if (std::abs(label) != 1) throw DataError(fmt::format("the new sample's label must be 1 or -1; got {}", label));
  for (Index s = 0; s < labels.size(); ++s)
    if (std::abs(labels[s]) != 1)
      throw DataError(fmt::format("labels must be 1 or -1; that of training sample {} is {}", s, labels[s]));
}

}  // namespace

std::vector<Outcome> list_outcomes(const GeneralizationPlan& plan) {
  std::vector<Outcome> outcomes;
  for (const Training training : plan.trainings)
    for (const ObjectiveKind objective : plan.objectives) {
      Outcome outcome{.training = training, .objective = objective, .penalty = std::nullopt, .delta = {}};
      if (objective == ObjectiveKind::kAlign) outcomes.push_back(outcome);
      if (objective != ObjectiveKind::kError) continue;
      for (const double penalty : plan.penalties) {
        outcome.penalty = penalty;
        outcomes.push_back(outcome);
      }
    }
  return outcomes;
}

Generalization generalize(const LearnerView& view, ConstVectorRef labels, double label, const GeneralizationPlan& plan,
                          const Stream& stream) {
  check(plan, labels, label);
  check_radius(view.sample(), plan.descent.radius);
  Stopwatch watch;
  const Learner learner = train(view, labels, plan.features);
  const auto token = view.sample().token(plan.token);
  const Index d = token->inner(learner.theta)->dimension();
  const auto starts = starting_points(*token, d, plan.descent.starts, stream);
  Generalization result;
  result.outcomes = list_outcomes(plan);
  result.condition = learner.condition;
  result.warning = learner.warning;
  result.times = learner.times;
  result.shared_seconds = watch.lap();

  const auto search = [&](Index k) {
    const Stopwatch own;
    Outcome& outcome = result.outcomes[static_cast<size_t>(k)];
    const Update update = learn(learner, outcome.training, label);
    const Objective objective =
        outcome.penalty ? error_objective(learner, update, label, *outcome.penalty) : align_objective(update);
    descend(*token, objective, starts, plan.descent, outcome);
    evaluate(*token, learner, update, label, outcome);
    outcome.seconds = own.seconds();
  };
  const auto count = static_cast<Index>(result.outcomes.size());
  if (view.sample().moves_at_once() > 0) {
    lockstep_for(count, kSearchesTogether, search);
  } else {
    for_each(count, token->concurrent(), search);
  }
  result.times.search = watch.lap();
  return result;
}

}  // namespace wordsway
