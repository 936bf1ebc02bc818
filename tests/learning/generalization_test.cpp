#include "wordsway/learning/generalization.h"

#include <cmath>

#include <gtest/gtest.h>

#include "learning/small_problem.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway::test {
namespace {

GeneralizationPlan small_plan() {
  GeneralizationPlan plan;
  plan.penalties = {0, 0.1, 1};
  plan.token = SmallProblem::kToken;
  plan.descent.radius = std::sqrt(static_cast<double>(SmallProblem::kD));
  return plan;
}

Generalization run(const SmallProblem& problem, const GeneralizationPlan& plan) {
  return generalize(*problem.view, problem.labels, SmallProblem::kLabel, plan, Stream(7));
}

// θ* and θ_new from dense pseudo-inverses.
struct Reference {
  explicit Reference(const SmallProblem& of) : problem(of), phi(of.reference(of.X)) {
    const Matrix Phi = problem.reference_features();
    old_model = min_norm_reference(Phi, problem.labels);
    const Vector projected = phi - Phi.completeOrthogonalDecomposition().pseudoInverse() * (Phi * phi);
    direction[0] = phi / phi.squaredNorm();
    direction[1] = projected / projected.squaredNorm();
  }

  Vector new_model(Training training) const {
    return old_model + direction_of(training) * (SmallProblem::kLabel - phi.dot(old_model));
  }
  const Vector& direction_of(Training training) const { return direction[training == Training::kRetrain]; }

  double objective(const Outcome& outcome, const Vector& delta) const {
    const Vector moved = problem.reference_moved(delta);
    if (outcome.objective == ObjectiveKind::kAlign) return std::pow(moved.dot(direction_of(outcome.training)) + 1, 2);
    const double miss = moved.dot(new_model(outcome.training)) + SmallProblem::kLabel;
    return miss * miss + *outcome.penalty * std::pow((moved - phi).dot(old_model), 2);
  }

  const SmallProblem& problem;
  Vector phi, old_model, direction[2];
};

class EveryMapGeneralization : public testing::TestWithParam<std::string> {};

TEST_P(EveryMapGeneralization, ReportsWhatADensePseudoInverseGives) {
  const SmallProblem problem(GetParam());
  const Reference reference(problem);
  const Generalization found = run(problem, small_plan());
  ASSERT_EQ(found.outcomes.size(), 2 * (1 + 3));
  for (const Outcome& outcome : found.outcomes) {
    const Vector moved = problem.reference_moved(outcome.delta), new_model = reference.new_model(outcome.training);
    const double before = reference.phi.dot(reference.old_model), perturbed = moved.dot(reference.old_model);
    const double tolerance = 1e-9 * std::max(1.0, std::abs(perturbed));
    EXPECT_NEAR(outcome.output_before, before, tolerance);
    EXPECT_NEAR(outcome.output_after, SmallProblem::kLabel, tolerance);
    EXPECT_NEAR(outcome.perturbed_before, perturbed, tolerance);
    EXPECT_NEAR(outcome.perturbed_after, moved.dot(new_model), tolerance);
    EXPECT_NEAR(outcome.alignment, moved.dot(reference.direction_of(outcome.training)), tolerance);
    EXPECT_NEAR(outcome.gamma, std::abs(perturbed - before), tolerance);
    EXPECT_NEAR(outcome.error, std::pow(moved.dot(new_model) + SmallProblem::kLabel, 2), 4 * tolerance);
    EXPECT_LE(outcome.delta.norm(), std::sqrt(static_cast<double>(SmallProblem::kD)) * (1 + 1e-12));
    EXPECT_TRUE(outcome.converged);
  }
}

TEST_P(EveryMapGeneralization, FindsAsLowAnObjectiveAsARandomSearchWithDescent) {
  const SmallProblem problem(GetParam());
  const Reference reference(problem);
  GeneralizationPlan plan = small_plan();
  plan.descent.starts = 16;
  for (const Outcome& outcome : run(problem, plan).outcomes) {
    double lowest = HUGE_VAL;
    for (std::uint64_t k = 0; k < 400; ++k) {
      Vector delta = gaussian_vector(Stream(9).derive(k), SmallProblem::kD);
      delta *= plan.descent.radius * (k % 2 == 0 ? 1 : Stream(10).uniform(k)) / delta.norm();
      lowest = std::min(lowest, reference.objective(outcome, delta));
    }
    EXPECT_LE(reference.objective(outcome, outcome.delta), lowest + 1e-6);
  }
}

TEST_P(EveryMapGeneralization, HasTheSameBitsForAnyNumberOfThreads) {
  const SmallProblem problem(GetParam());
  const int threads_before = available_threads();
  std::vector<Generalization> found;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    found.push_back(run(problem, small_plan()));
  }
  set_thread_count(threads_before);
  for (size_t k = 0; k < found[0].outcomes.size(); ++k)
    for (size_t other : {1, 2}) {
      EXPECT_EQ(found[0].outcomes[k].delta, found[other].outcomes[k].delta);
      EXPECT_EQ(found[0].outcomes[k].error, found[other].outcomes[k].error);
      EXPECT_EQ(found[0].condition, found[other].condition);
    }
}

TEST_P(EveryMapGeneralization, NeedsNoRoomForFeatures) {
  const SmallProblem problem(GetParam());
  GeneralizationPlan plan = small_plan();
  const Generalization roomy = run(problem, plan);
  plan.features.bytes = 1;
  const Generalization tight = run(problem, plan);
  for (size_t k = 0; k < roomy.outcomes.size(); ++k) {
    EXPECT_EQ(roomy.outcomes[k].delta, tight.outcomes[k].delta);
    EXPECT_EQ(roomy.outcomes[k].error, tight.outcomes[k].error);
  }
}

TEST_P(EveryMapGeneralization, HasObjectivesWithTheRightValuesAndGradients) {
  const SmallProblem problem(GetParam());
  const Reference reference(problem);
  const Learner learner = train(*problem.view, problem.labels);
  const auto token = problem.view->sample().token(SmallProblem::kToken);
  const Vector delta = gaussian_vector(Stream(11), SmallProblem::kD, 0.4);
  for (Outcome& outcome : list_outcomes(small_plan())) {
    const Update update = learn(learner, outcome.training, SmallProblem::kLabel);
    const Objective objective = outcome.penalty
                                    ? error_objective(learner, update, SmallProblem::kLabel, *outcome.penalty)
                                    : align_objective(update);
    const auto f = objective_function(*token, objective);
    Vector gradient;
    const double value = (*f)(delta, &gradient);
    EXPECT_NEAR(value, reference.objective(outcome, delta), 1e-9 * std::max(1.0, value));
    constexpr double kStep = 1e-6;
    for (Index c = 0; c < SmallProblem::kD; ++c) {
      const Vector step = Vector::Unit(SmallProblem::kD, c) * kStep;
      const double slope =
          (reference.objective(outcome, delta + step) - reference.objective(outcome, delta - step)) / (2 * kStep);
      EXPECT_NEAR(gradient[c], slope, 1e-5 * std::max(1.0, gradient.norm()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Maps, EveryMapGeneralization, testing::ValuesIn(map_registry().names()),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Generalization, RefusesLabelsThatAreNotSigns) {
  SmallProblem problem("raf");
  EXPECT_THROW(generalize(*problem.view, problem.labels, 0.5, small_plan(), Stream(1)), DataError);
  problem.labels[2] = 0;
  EXPECT_THROW(generalize(*problem.view, problem.labels, 1, small_plan(), Stream(1)), DataError);
}

std::string refusal(const LearnerView& view, const SmallProblem& problem, const GeneralizationPlan& plan) {
  try {
    generalize(view, problem.labels, SmallProblem::kLabel, plan, Stream(7));
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Generalization, RefusesFeaturesThatVanishOrAreNoise) {
  SmallProblem problem("rf");
  const MapEntry& entry = map_registry().get("rf");
  const Index D = SmallProblem::kTokens * SmallProblem::kD;
  const auto zero = whole_learner_view(entry.with_weights(problem.options, Matrix::Zero(D, D)), problem.samples());
  EXPECT_NE(refusal(*zero, problem, small_plan()).find("vanish"), std::string::npos);

  Matrix V = gaussian_matrix(Stream(1), D, D);  // opposite on two tokens, nothing on the others
  V.middleCols(SmallProblem::kD, SmallProblem::kD) = -(1 + 1e-15) * V.leftCols(SmallProblem::kD);
  V.rightCols(D - 2 * SmallProblem::kD).setZero();
  problem.X.row(1) = problem.X.row(0);
  const auto noise = whole_learner_view(entry.with_weights(problem.options, V), problem.samples());
  EXPECT_NE(refusal(*noise, problem, small_plan()).find("rounding noise"), std::string::npos);
}

TEST(Generalization, RefusesATrainingSampleWhoseFeaturesVanish) {
  SmallProblem problem("rf");
  problem.training.row(4).setZero();
  EXPECT_NE(refusal(*problem.view, problem, small_plan()).find("all features of sample 4 are 0"), std::string::npos);
  problem.options.random.clear();
  const auto drawn = draw_learner_view(map_registry().get("rf"), problem.options, Stream(1), problem.samples());
  EXPECT_NE(refusal(*drawn, problem, small_plan()).find("all features of sample 4 are 0"), std::string::npos);
}

TEST(Generalization, RefusesARadiusOutOfRange) {
  const SmallProblem problem("rf");
  GeneralizationPlan plan = small_plan();
  for (const double radius : {-1.0, std::nan(""), 1e300, 1e-100}) {
    plan.descent.radius = radius;
    EXPECT_THROW(run(problem, plan), UsageError) << radius;
  }
}

TEST(Generalization, HasOnlyFiniteOutcomes) {
  for (const std::string& name : map_registry().names())
    for (const double radius : {0.0, 1e-6, 1e20, 1e90}) {
      const SmallProblem problem(name);
      GeneralizationPlan plan = small_plan();
      plan.descent.radius = radius;
      try {
        for (const Outcome& outcome : run(problem, plan).outcomes)
          for (const double value : {outcome.error, outcome.gamma, outcome.alignment, outcome.perturbed_after})
            EXPECT_TRUE(std::isfinite(value)) << name << ", radius " << radius;
      } catch (const DataError& error) {
        EXPECT_GT(radius, 1) << name << ": " << error.what();
      }
    }
}

TEST(Generalization, HasNotConvergedWhereAStartOverflows) {
  SmallProblem problem("rf");
  problem.training *= 1e-60;  // so the model's weights are of order 1e60
  problem.X *= 1e-60;
  const auto view = whole_learner_view(map_registry().get("rf").draw(problem.options, Stream(2)), problem.samples());
  GeneralizationPlan plan = small_plan();
  const auto outcomes_at = [&](double radius) {
    plan.descent.radius = radius;
    return generalize(*view, problem.labels, SmallProblem::kLabel, plan, Stream(7)).outcomes;
  };
  for (const Outcome& outcome : outcomes_at(1e-60)) EXPECT_TRUE(outcome.converged);
  for (const Outcome& outcome : outcomes_at(1e100)) {
    EXPECT_FALSE(outcome.converged);
    EXPECT_TRUE(std::isfinite(outcome.error));
  }
}

TEST(Generalization, RefusesANegativePenalty) {
  const SmallProblem problem("raf");
  GeneralizationPlan plan = small_plan();
  plan.penalties = {-1};
  EXPECT_THROW(run(problem, plan), UsageError);
}

}  // namespace
}  // namespace wordsway::test
