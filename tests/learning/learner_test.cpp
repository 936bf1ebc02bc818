#include "wordsway/learning/learner.h"

#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "learning/small_problem.h"
#include "wordsway/core/error.h"

namespace wordsway::test {
namespace {

class EveryMapLearner : public testing::TestWithParam<std::string> {};

TEST_P(EveryMapLearner, IsTheMinNormInterpolatorOfADensePseudoInverse) {
  const SmallProblem problem(GetParam());
  const Learner learner = train(*problem.view, problem.labels);
  const Vector expected = min_norm_reference(problem.reference_features(), problem.labels);
  EXPECT_LE((flat(learner.theta) - expected).norm(), 1e-10 * expected.norm());
  EXPECT_NEAR(learner.output, problem.reference(problem.X).dot(expected), 1e-9);
  EXPECT_TRUE(learner.warning.empty());
}

TEST_P(EveryMapLearner, ProjectsOutEveryTrainingSampleAndNothingElse) {
  const SmallProblem problem(GetParam());
  const Learner learner = train(*problem.view, problem.labels);
  const Matrix Phi = problem.reference_features();
  const Vector phi = problem.reference(problem.X), projected = flat(learner.projected);
  EXPECT_LE((Phi * projected).norm(), 1e-9 * Phi.norm() * phi.norm());
  EXPECT_NEAR(projected.dot(phi), projected.squaredNorm(), 1e-10 * phi.squaredNorm());
  const Matrix pseudo_inverse = Phi.completeOrthogonalDecomposition().pseudoInverse();
  EXPECT_LE((phi - pseudo_inverse * (Phi * phi) - projected).norm(), 1e-10 * phi.norm());
}

TEST_P(EveryMapLearner, FineTunedMeetsTheNewLabelAlongTheNewFeaturesOnly) {
  const SmallProblem problem(GetParam());
  const Learner learner = train(*problem.view, problem.labels);
  const Update update = learn(learner, Training::kFineTune, SmallProblem::kLabel);
  const Vector phi = problem.reference(problem.X);
  const Vector tuned = flat(learner.theta) + update.step * flat(update.direction);
  EXPECT_NEAR(phi.dot(tuned), SmallProblem::kLabel, 1e-10);
  const Vector moved = tuned - flat(learner.theta);
  EXPECT_NEAR(std::abs(moved.dot(phi)), moved.norm() * phi.norm(), 1e-10 * moved.norm() * phi.norm());
}

TEST_P(EveryMapLearner, RetrainedIsTheMinNormInterpolatorOfAllSamples) {
  const SmallProblem problem(GetParam());
  const Learner learner = train(*problem.view, problem.labels);
  const Update update = learn(learner, Training::kRetrain, SmallProblem::kLabel);
  const Vector retrained = flat(learner.theta) + update.step * flat(update.direction);
  Vector labels(SmallProblem::kN + 1);
  labels << problem.labels, SmallProblem::kLabel;
  const Matrix Phi = problem.reference_features(/*with_new=*/true);
  const Vector expected = min_norm_reference(Phi, labels);
  EXPECT_LE((retrained - expected).norm(), 1e-9 * expected.norm());
  EXPECT_LE((Phi * retrained - labels).norm(), 1e-9);
}

TEST_P(EveryMapLearner, GivesTheSameWithNoRoomForFeatures) {
  const SmallProblem problem(GetParam());
  const Learner roomy = train(*problem.view, problem.labels);
  const Learner tight = train(*problem.view, problem.labels, {.bytes = 1});
  EXPECT_TRUE(roomy.kept_features);
  EXPECT_FALSE(tight.kept_features);
  EXPECT_EQ(roomy.theta, tight.theta);
  EXPECT_EQ(roomy.projected, tight.projected);
}

TEST_P(EveryMapLearner, GivesNearlyTheSameWithSmallerBlocks) {
  const SmallProblem problem(GetParam());
  const Learner one_block = train(*problem.view, problem.labels);
  for (const double block_bytes : {1.0, 700.0}) {
    const Learner kept = train(*problem.view, problem.labels, {.block_bytes = block_bytes});
    const Learner dropped = train(*problem.view, problem.labels, {.bytes = 1, .block_bytes = block_bytes});
    EXPECT_LE((one_block.theta - kept.theta).norm(), 1e-11 * one_block.theta.norm());
    EXPECT_LE((one_block.projected - kept.projected).norm(), 1e-11 * one_block.projected.norm());
    EXPECT_EQ(kept.theta, dropped.theta);
    EXPECT_EQ(kept.projected, dropped.projected);
  }
}

TEST_P(EveryMapLearner, ReportsTheConditionOfTheKernel) {
  const SmallProblem problem(GetParam());
  const Vector singular = problem.reference_features().jacobiSvd().singularValues();
  const double expected = std::pow(singular[0] / singular[SmallProblem::kN - 1], 2);
  EXPECT_NEAR(train(*problem.view, problem.labels).condition / expected, 1, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Maps, EveryMapLearner, testing::ValuesIn(map_registry().names()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Learner, RefusesToRetrainOnACopyOfATrainingSample) {
  SmallProblem problem("raf");
  problem.X = problem.training_sample(3);
  const auto view = whole_learner_view(map_registry().get("raf").draw(problem.options, Stream(2)), problem.samples());
  const Learner learner = train(*view, problem.labels);
  EXPECT_NO_THROW(learn(learner, Training::kFineTune, 1));
  EXPECT_THROW(learn(learner, Training::kRetrain, 1), DataError);
}

TEST(Learner, NamesTrainingSamplesThatAreTheSame) {
  SmallProblem problem("raf");
  problem.training.row(5) = problem.training.row(1);
  try {
    train(*problem.view, problem.labels);
    FAIL() << "a singular kernel was accepted";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("samples 1 and 5"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace wordsway::test
