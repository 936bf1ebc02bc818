// Learners on the CUDA device against those on the processor: features of training samples, kernels, searches, studies.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuda/map_cases.h"
#include "cuda/on_the_device.h"
#include "support/temporary_folder.h"
#include "wordsway/cuda/cuda_maps.h"
#include "wordsway/learning/generalization.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/run/run_study.h"
#include "wordsway/study/generalize_study.h"

namespace wordsway::test {
namespace {

using testing::HasSubstr;

struct LearnerCase {
  std::string map;
  Index N, n, d, token;
  std::string random = {}, activation = {};
  std::int64_t width = 0, depth = 0;
  double beta = 1;
};

void PrintTo(const LearnerCase& at, std::ostream* out) {
  *out << at.map << " N " << at.N << " n " << at.n << " d " << at.d << " token " << at.token << " " << at.random << " "
       << at.activation << " width " << at.width << " depth " << at.depth << " beta " << at.beta;
}

// Training samples, a new one, and the same map drawn here and there.
struct Problem {
  explicit Problem(const LearnerCase& at)
      : entry(map_registry().get(at.map)),
        training(gaussian_matrix(Stream(5).derive("training"), at.N, at.n * at.d)),
        X(gaussian_matrix(Stream(5).derive("X"), at.n, at.d)),
        labels(at.N),
        token(at.token) {
    for (Index s = 0; s < at.N; ++s) labels[s] = s % 3 == 0 ? 1 : -1;
    options.n = at.n;
    options.d = at.d;
    options.random = at.random;
    if (!at.activation.empty()) options.set("activation", at.activation);
    if (at.width > 0) options.set("width", at.width);
    if (at.depth > 0) options.set("depth", at.depth);
    if (at.beta != 1) options.set("beta", at.beta);
  }

  LearnerSamples samples() const { return {training, X, token}; }
  std::unique_ptr<LearnerView> here() const { return draw_learner_view(entry, options, Stream(9), samples()); }
  std::unique_ptr<LearnerView> there(const CudaRoom& room = {}) const {
    return draw_learner_on_cuda(entry, options, Stream(9), samples(), room);
  }

  const MapEntry& entry;
  MapOptions options;
  Matrix training, X;
  Vector labels;
  Index token;
};

Matrix rows_of(const LearnerView& view, Index first, Index count) {
  Matrix rows(view.training_size(), count * view.sample().features().cols());
  view.training_rows(first, count, rows);
  return rows;
}

Vector flat(const Matrix& M) {
  return Eigen::Map<const Vector>(M.data(), M.size());
}

TEST(CudaLearner, SaysInOneSentenceWhyItIsNotThere) {
  if (why_not().empty()) GTEST_SKIP() << "the device is there";
  const Problem problem({"raf", 3, 4, 5, 0});
  EXPECT_THROW(problem.there(), UsageError);
  EXPECT_THROW(whole_learner_on_cuda(problem.entry.draw(problem.options, Stream(9)), problem.samples()), UsageError);
}

class LearnerOnTheDevice : public OnTheDevice, public testing::WithParamInterface<LearnerCase> {};

TEST_P(LearnerOnTheDevice, HasTheFeaturesOfTheProcessor) {
  const Problem problem(GetParam());
  const auto here = problem.here(), there = problem.there();
  EXPECT_LT(relative_error(there->sample().features(), here->sample().features()), 1e-11);
  EXPECT_NEAR(there->sample().noise_norm(), here->sample().noise_norm(), 0.2 * here->sample().noise_norm());
  ASSERT_EQ(there->training_size(), here->training_size());
  const Index rows = here->sample().features().rows();
  for (const auto& [first, count] :
       {std::pair(Index{0}, rows), std::pair(rows / 2, Index{1}), std::pair(rows / 3, rows - rows / 3)}) {
    SCOPED_TRACE(first);
    EXPECT_LT(relative_error(rows_of(*there, first, count), rows_of(*here, first, count)), 1e-11);
  }
  Matrix too_small(1, 1);
  EXPECT_THROW(there->training_rows(rows, 1, too_small), UsageError);
}

TEST_P(LearnerOnTheDevice, HasTheKernelAndTheCombinationsOfTheProcessor) {
  const Problem problem(GetParam());
  const auto here = problem.here(), there = problem.there();
  const auto features_here = training_features(*here, {}), features_there = training_features(*there, {});
  EXPECT_TRUE(features_there->keeps());
  const Vector phi = flat(here->sample().features());
  const KernelParts expected = features_here->make_kernel(phi), parts = features_there->make_kernel(phi);
  EXPECT_LT(relative_error(parts.K, expected.K), 1e-11);
  EXPECT_EQ(parts.K, Matrix(parts.K.transpose()));
  EXPECT_LT(relative_error(parts.Phi_phi, expected.Phi_phi), 1e-10);
  const Vector u = gaussian_vector(Stream(1), problem.labels.size()), v = problem.labels;
  const CombinedPair combined = features_here->combine(u, v), pair = features_there->combine(u, v);
  EXPECT_LT(relative_error(pair.of_u, combined.of_u), 1e-10);
  EXPECT_LT(relative_error(pair.of_v, combined.of_v), 1e-10);
}

TEST_P(LearnerOnTheDevice, TrainsTheModelOfTheProcessor) {
  const Problem problem(GetParam());
  const Learner expected = train(*problem.here(), problem.labels), learner = train(*problem.there(), problem.labels);
  ASSERT_LT(expected.condition, 1e6) << "the case says nothing";
  EXPECT_NEAR(learner.condition / expected.condition, 1, 1e-6);
  EXPECT_LT(relative_error(learner.theta, expected.theta), 1e-8);
  EXPECT_LT((learner.projected - expected.projected).norm(), 1e-8 * expected.phi.norm());
  EXPECT_NEAR(learner.output, expected.output, 1e-7 * std::max(1.0, std::abs(expected.output)));
}

// Cut in blocks of single rows, in blocks that do not come out even, and made again for every pass.
TEST_P(LearnerOnTheDevice, TrainsNearlyTheSameInOtherBlocksAndTheSameBitsWithoutRoom) {
  const Problem problem(GetParam());
  const Learner whole = train(*problem.there(), problem.labels);
  const double row_bytes = 8.0 * static_cast<double>(problem.labels.size() * whole.phi.cols());
  for (const double block_bytes : {1.0, 2.5 * row_bytes}) {
    const Learner kept = train(*problem.there({.block_bytes = block_bytes}), problem.labels);
    const Learner dropped = train(*problem.there({.bytes = 0, .block_bytes = block_bytes}), problem.labels);
    EXPECT_TRUE(kept.kept_features);
    EXPECT_FALSE(dropped.kept_features);
    EXPECT_LT(relative_error(kept.theta, whole.theta), 1e-9);
    EXPECT_EQ(kept.theta, dropped.theta);
    EXPECT_EQ(kept.projected, dropped.projected);
  }
}

// Some samples at a time, some rows of one sample, single rows.
TEST_P(LearnerOnTheDevice, AttendsNearlyTheSameWithLittleRoomForScores) {
  const Problem problem(GetParam());
  const auto here = problem.here();
  const Index rows = here->sample().features().rows(), n = problem.X.rows(), d = problem.X.cols();
  const double row_bytes = 8.0 * static_cast<double>(n + d + 3);
  for (const double scores_bytes : {1.0, 2.5 * row_bytes, 2.5 * static_cast<double>(n) * row_bytes}) {
    const auto there = problem.there({.scores_bytes = scores_bytes});
    EXPECT_LT(relative_error(rows_of(*there, 0, rows), rows_of(*here, 0, rows)), 1e-11);
    EXPECT_LT(relative_error(rows_of(*there, rows / 2, 1), rows_of(*here, rows / 2, 1)), 1e-11);
  }
}

// Two inner products of one move, as objectives with a penalty have them, and moves with and without gradients.
TEST_P(LearnerOnTheDevice, ComposesInnerProductsAsTheProcessorDoes) {
  const Problem problem(GetParam());
  const auto here = problem.here(), there = problem.there();
  const Matrix& phi = here->sample().features();
  const std::vector<Matrix> psis = {gaussian_matrix(Stream(2), phi.rows(), phi.cols()),
                                    gaussian_matrix(Stream(3), phi.rows(), phi.cols())};
  const auto g = [](std::span<const double> v, std::span<double> gradient) {
    if (!gradient.empty()) {
      gradient[0] = 2 * v[0];
      gradient[1] = 6 * v[1];
    }
    return v[0] * v[0] + 3 * v[1] * v[1];
  };
  const auto view_here = here->sample().token(problem.token), view_there = there->sample().token(problem.token);
  const auto f_here = view_here->outer(psis, g), f_there = view_there->outer(psis, g);
  const Matrix deltas = gaussian_matrix(Stream(4), 3, problem.X.cols(), 0.5);
  Matrix slopes_here, slopes_there;
  const Vector expected = f_here->values(deltas, &slopes_here), found = f_there->values(deltas, &slopes_there);
  EXPECT_EQ(f_there->values(deltas), found);
  EXPECT_LT(relative_error(found, expected), 1e-9);
  EXPECT_LT(relative_error(slopes_there, slopes_here), 1e-8);
  const Vector alone = deltas.row(1).transpose();
  EXPECT_NEAR((*view_there->inner(psis[0]))(alone), (*view_here->inner(psis[0]))(alone), 1e-9 * psis[0].norm());
  EXPECT_THROW(view_there->outer({Matrix::Zero(3, 2)}, identity_outer()), DataError);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, LearnerOnTheDevice,
    testing::Values(
        LearnerCase{"raf", 13, 9, 7, 2}, LearnerCase{"raf", 1, 5, 7, 0}, LearnerCase{"raf", 5, 1, 7, 0},
        LearnerCase{"raf", 37, 11, 64, 10}, LearnerCase{"raf", 20, 130, 33, 5},
        LearnerCase{.map = "raf", .N = 9, .n = 6, .d = 8, .token = 1, .beta = 16}, LearnerCase{"raf-relu", 13, 9, 7, 8},
        LearnerCase{"raf-softplus", 10, 6, 12, 0}, LearnerCase{"raf-square", 10, 6, 12, 0},
        LearnerCase{"rf", 13, 9, 7, 2}, LearnerCase{"rf", 1, 4, 7, 3, "", "gelu", 40},
        LearnerCase{"rf", 5, 1, 7, 0, "", "tanh", 61}, LearnerCase{"rf", 30, 6, 33, 5, "", "relu", 500},
        LearnerCase{"rf", 7, 3, 5, 0, "", "sine", 64}, LearnerCase{"rf", 13, 4, 9, 1, "dense", "relu", 101},
        LearnerCase{"rf", 13, 4, 9, 1, "streamed", "silu", 101}, LearnerCase{"drf", 13, 6, 7, 2, "", "relu", 90, 3},
        LearnerCase{"drf", 6, 3, 10, 0, "", "tanh", 41, 2}, LearnerCase{"drf", 1, 2, 3, 1, "", "relu", 8, 2},
        LearnerCase{"drf", 9, 4, 9, 3, "dense", "gelu", 50, 3},
        LearnerCase{"drf", 9, 4, 9, 3, "streamed", "relu", 51, 2}));

TEST_F(OnTheDevice, GivenWeightsTrainTheModelOfTheProcessor) {
  for (const char* name : {"raf", "rf"}) {
    SCOPED_TRACE(name);
    const Problem problem({name, 11, 5, 8, 1});
    const Matrix weights =
        gaussian_matrix(Stream(3), std::string(name) == "raf" ? 8 : 60, name[1] == 'a' ? 8 : 40, 0.3);
    const auto map = [&] { return problem.entry.with_weights(problem.options, weights); };
    const Learner expected = train(*whole_learner_view(map(), problem.samples()), problem.labels);
    const Learner learner = train(*whole_learner_on_cuda(map(), problem.samples()), problem.labels);
    EXPECT_LT(relative_error(learner.theta, expected.theta), 1e-8);
    EXPECT_LT((learner.projected - expected.projected).norm(), 1e-8 * expected.phi.norm());
  }
}

// Samples of 73 MB travel in three pieces, through two places.
TEST_F(OnTheDevice, ManySamplesArriveWhole) {
  const Problem problem({"raf", 70, 130, 1001, 5});
  const auto here = problem.here(), there = problem.there();
  for (const Index row : {Index{0}, Index{77}, Index{129}})
    EXPECT_LT(relative_error(rows_of(*there, row, 1), rows_of(*here, row, 1)), 1e-11);
}

// Deferred weights of deeper layers are written down there: the law of the processor's, other numbers.
TEST_F(OnTheDevice, DeferredLayersInterpolateTheLabels) {
  const Problem problem({"drf", 12, 5, 8, 2, "deferred", "relu", 70, 2});
  const auto there = problem.there();
  const Learner learner = train(*there, problem.labels);
  const Vector outputs = rows_of(*there, 0, 70) * flat(learner.theta);
  EXPECT_LT((outputs - problem.labels).norm(), 1e-7);
  EXPECT_NEAR((*there->sample().token(2)->inner(learner.theta))(Vector::Zero(8)), learner.output, 1e-9);
}

TEST_F(OnTheDevice, DeeperWeightsThatDoNotFitAreRefused) {
  const Problem problem({"drf", 2, 2, 3, 0, "", "relu", 400'000, 3});
  try {
    problem.there();
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("400000 x 400000"));
    EXPECT_THAT(error.what(), HasSubstr("leave --device cpu"));
  }
}

TEST_F(OnTheDevice, ALearnersOwnTokenIsTheOnlyOne) {
  const Problem problem({"rf", 5, 4, 6, 2});
  const auto there = problem.there();
  EXPECT_NO_THROW(there->sample().token(2));
  EXPECT_THROW(there->sample().token(1), UsageError);
}

class GeneralizationOnTheDevice : public OnTheDevice {
 protected:
  static Generalization run(const LearnerView& view, const Problem& problem) {
    GeneralizationPlan plan;
    plan.penalties = {0, 0.5};
    plan.token = problem.token;
    plan.descent.radius = std::sqrt(static_cast<double>(problem.X.cols()));
    return generalize(view, problem.labels, -1, plan, Stream(7));
  }
};

// Outputs at the move that was found there are the processor's; and that move is as good as the processor's own.
TEST_F(GeneralizationOnTheDevice, FindsWhatTheProcessorFinds) {
  for (const LearnerCase& at :
       {LearnerCase{"raf", 12, 8, 16, 3}, LearnerCase{"raf-relu", 12, 8, 16, 3}, LearnerCase{"rf", 12, 8, 16, 3},
        LearnerCase{"rf", 12, 5, 9, 0, "", "tanh", 77}, LearnerCase{"drf", 12, 5, 9, 4, "", "relu", 90, 2}}) {
    SCOPED_TRACE(at.map);
    const Problem problem(at);
    const auto view_here = problem.here();
    const Generalization here = run(*view_here, problem), there = run(*problem.there(), problem);
    const Learner learner = train(*view_here, problem.labels);
    const auto token = view_here->sample().token(problem.token);
    ASSERT_EQ(there.outcomes.size(), here.outcomes.size());
    EXPECT_NEAR(there.condition / here.condition, 1, 1e-6);
    for (size_t k = 0; k < here.outcomes.size(); ++k) {
      SCOPED_TRACE(k);
      const Outcome &found = there.outcomes[k], &expected = here.outcomes[k];
      const Update update = learn(learner, found.training, -1);
      const double before = (*token->inner(learner.theta))(found.delta);
      const double alignment = (*token->inner(update.direction))(found.delta);
      EXPECT_NEAR(found.output_before, learner.output, 1e-7 * std::max(1.0, std::abs(learner.output)));
      EXPECT_NEAR(found.output_after, -1, 1e-7);
      EXPECT_NEAR(found.perturbed_before, before, 1e-7 * std::max(1.0, std::abs(before)));
      EXPECT_NEAR(found.alignment, alignment, 1e-7 * std::max(1.0, std::abs(alignment)));
      const Objective objective =
          found.penalty ? error_objective(learner, update, -1, *found.penalty) : align_objective(update);
      const auto f = objective_function(*token, objective);
      EXPECT_LE((*f)(found.delta), (*f)(expected.delta) + 0.01 * (1 + (*f)(expected.delta)));
      EXPECT_TRUE(found.converged);
      EXPECT_LE(found.delta.norm(), std::sqrt(static_cast<double>(at.d)) * (1 + 1e-12));
    }
  }
}

TEST_F(GeneralizationOnTheDevice, HasTheSameBitsTwice) {
  for (const LearnerCase& at : {LearnerCase{"raf", 30, 12, 20, 3}, LearnerCase{"rf", 30, 12, 20, 3},
                                LearnerCase{"drf", 12, 5, 9, 4, "", "relu", 90, 2}}) {
    SCOPED_TRACE(at.map);
    const Problem problem(at);
    const Generalization first = run(*problem.there(), problem), second = run(*problem.there(), problem);
    for (size_t k = 0; k < first.outcomes.size(); ++k) {
      EXPECT_EQ(first.outcomes[k].delta, second.outcomes[k].delta);
      EXPECT_EQ(first.outcomes[k].error, second.outcomes[k].error);
      EXPECT_EQ(first.outcomes[k].evaluations, second.outcomes[k].evaluations);
    }
    EXPECT_EQ(first.condition, second.condition);
  }
}

// As `generalize --map raf,rf --penalty 0,1 --device cuda --out run.jsonl` does it.
class GeneralizeStudyOnTheDevice : public OnTheDevice {
 protected:
  static GeneralizeConfig config_on(DeviceKind kind) {
    GeneralizeConfig config;
    config.maps = {"raf", "rf"};
    config.n = {8};
    config.d = {16};
    config.training_sizes = {10, 15};
    config.trials = 2;
    config.plan.penalties = {0, 1};
    config.data = synthetic_labelled_source("sphere", "halfspace", 1);
    config.device.kind = kind;
    return config;
  }
};

TEST_F(GeneralizeStudyOnTheDevice, RowsAreThoseOfTheProcessorAndSayWhereTheyComeFrom) {
  const auto there = run_study(GeneralizeStudy(config_on(DeviceKind::kCuda))).rows;
  const auto here = run_study(GeneralizeStudy(config_on(DeviceKind::kCpu))).rows;
  ASSERT_EQ(there.size(), here.size());
  for (size_t k = 0; k < here.size(); ++k) {
    for (const char* name : {"n", "train_size", "trial", "output_before", "output_after", "condition"})
      EXPECT_NEAR(there[k].number(name), here[k].number(name), 1e-6 * std::max(1.0, std::abs(here[k].number(name))))
          << name;
    for (const char* name : {"map", "training", "objective"}) EXPECT_EQ(there[k].text(name), here[k].text(name));
    EXPECT_EQ(there[k].text("device"), "cuda");
    EXPECT_EQ(here[k].find("device"), nullptr);
  }
}

TEST_F(GeneralizeStudyOnTheDevice, AJournalGoesOnThereAndNotElsewhere) {
  const TemporaryFolder folder;
  RunOptions options;
  options.journal = folder.path("run.jsonl");
  const auto first = run_study(GeneralizeStudy(config_on(DeviceKind::kCuda)), options);
  const auto second = run_study(GeneralizeStudy(config_on(DeviceKind::kCuda)), options);
  EXPECT_EQ(second.resumed, GeneralizeStudy(config_on(DeviceKind::kCuda)).size());
  EXPECT_EQ(second.rows, first.rows);
  EXPECT_THROW(run_study(GeneralizeStudy(config_on(DeviceKind::kCpu)), options), UsageError);
}

}  // namespace
}  // namespace wordsway::test
