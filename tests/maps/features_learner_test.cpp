// Random features drawn only where a learner looks, against those drawn whole.
#include "wordsway/maps/random_features/features_learner.h"

#include <gtest/gtest.h>

#include "support/two_sample.h"
#include "wordsway/core/parallel.h"
#include "wordsway/data/data_source.h"
#include "wordsway/learning/generalization.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/random/gaussian.h"

namespace wordsway::test {
namespace {

// Maps and how their layers are held.
const std::pair<std::string, std::string> kLearners[] = {{"rf", ""}, {"drf", ""}, {"drf", "deferred"}};

struct Problem {
  Problem(Index samples, Index n, Index d, Index moving) : training(samples, n * d), token(moving) {
    for (Index s = 0; s < samples; ++s) {
      const Matrix one = spiked_sample(Stream(1).derive(static_cast<std::uint64_t>(s)), Stream(2), n, d, 0.3);
      training.row(s) = Eigen::Map<const Vector>(one.data(), one.size());
    }
    X = spiked_sample(Stream(3), Stream(2), n, d, 0.3);
    options.n = n;
    options.d = d;
    options.set("depth", 2);
  }

  std::unique_ptr<LearnerView> draw(const std::string& map, const std::string& random, std::uint64_t seed) const {
    MapOptions held = options;
    held.random = random;
    return draw_learner_view(map_registry().get(map), held, Stream(seed), {training, X, token});
  }

  Matrix features(const LearnerView& view) const {
    Matrix Phi(training.rows(), view.sample().features().rows());
    view.training_rows(0, Phi.cols(), Phi);
    return Phi;
  }

  Matrix training, X;
  Index token;
  MapOptions options;
};

// Numbers that between them see every pair of samples, the new sample and its moves.
std::vector<double> statistics(const Problem& problem, const LearnerView& view, Index depth_queries) {
  const Matrix Phi = problem.features(view);
  const Vector phi = view.sample().features().col(0);
  const auto token = view.sample().token(problem.token);
  std::vector<double> result{Phi.row(0).dot(Phi.row(1)), Phi.row(Phi.rows() - 1).dot(phi), phi.norm(), Phi.norm()};
  for (Index q = 0; q < depth_queries; ++q) {
    const Vector delta = gaussian_vector(Stream(40).derive(static_cast<std::uint64_t>(q)), problem.X.cols());
    result.push_back((*token->change())(delta));
    result.push_back((*token->inner(Matrix(Phi.row(1).transpose())))(delta));
    Vector gradient;
    (*token->inner(Matrix(phi)))(delta, &gradient);
    result.push_back(gradient[0]);
  }
  return result;
}

void expect_same_learner_law(const Problem& problem, const std::string& map, const std::string& random = "") {
  constexpr std::uint64_t kDraws = 300;
  std::vector<std::vector<double>> whole, seen;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const auto of_whole = statistics(problem, *problem.draw(map, "dense", 1000 + seed), 3);
    const auto of_seen = statistics(problem, *problem.draw(map, random, seed), 3);
    whole.resize(of_whole.size());
    seen.resize(of_seen.size());
    for (size_t k = 0; k < of_whole.size(); ++k) {
      whole[k].push_back(of_whole[k]);
      seen[k].push_back(of_seen[k]);
    }
  }
  for (size_t k = 0; k < whole.size(); ++k)
    EXPECT_GT(kolmogorov_smirnov_p(whole[k], seen[k]), 1e-4) << "statistic " << k << " of " << map;
}

TEST(FeaturesLearner, HasTheLawOfRandomFeaturesDrawnWhole) {
  expect_same_learner_law(Problem(5, 4, 3, 1), "rf");
}

TEST(FeaturesLearner, HasTheLawAlsoWithMoreSamplesThanDimensions) {
  expect_same_learner_law(Problem(9, 2, 3, 0), "rf");
}

TEST(FeaturesLearner, HasTheLawOfDeepRandomFeaturesDrawnWhole) {
  for (const Index depth : {2, 3}) {
    Problem problem(5, 4, 3, 2);
    problem.options.set("depth", depth);
    expect_same_learner_law(problem, "drf");
    expect_same_learner_law(problem, "drf", "deferred");
  }
}

TEST(FeaturesLearner, GivesTheSameRowsInAnyBlocks) {
  const Problem problem(6, 5, 4, 3);
  for (const auto& [map, random] : kLearners) {
    const auto view = problem.draw(map, random, 7);
    const Matrix Phi = problem.features(*view);
    Matrix part(6, 7);
    view->training_rows(9, 7, part);
    EXPECT_LE((part - Phi.middleCols(9, 7)).norm(), 1e-13 * Phi.norm());
  }
}

TEST(FeaturesLearner, GivesASampleTheSameFeaturesHoweverManyFollow) {
  const Problem large(9, 5, 4, 1);
  Problem small = large;
  small.training = large.training.topRows(4).eval();
  for (const auto& [map, random] : kLearners) {
    const auto of_large = large.draw(map, random, 7), of_small = small.draw(map, random, 7);
    EXPECT_LE((large.features(*of_large).topRows(4) - small.features(*of_small)).norm(), 1e-10);
    EXPECT_LE((of_large->sample().features() - of_small->sample().features()).norm(), 1e-10);
  }
}

TEST(FeaturesLearner, AgreesWithItselfWhereTheNewSampleIsATrainingSample) {
  Problem problem(6, 5, 4, 2);
  problem.X = Eigen::Map<const Matrix>(problem.training.row(4).data(), 5, 4);
  for (const auto& [map, random] : kLearners) {
    const auto view = problem.draw(map, random, 3);
    const Vector same = problem.features(*view).row(4), phi = view->sample().features().col(0);
    EXPECT_LE((same - phi).norm(), 1e-6 * phi.norm()) << map;
  }
}

TEST(FeaturesLearner, HasTheSameBitsForAnyNumberOfThreads) {
  const Problem problem(8, 6, 5, 0);
  const int before = available_threads();
  for (const auto& [map, random] : kLearners) {
    Matrix found[2];
    for (const int threads : {1, 4}) {
      set_thread_count(threads);
      found[threads == 4] = problem.features(*problem.draw(map, random, 5));
    }
    EXPECT_EQ(found[0], found[1]);
  }
  set_thread_count(before);
}

TEST(FeaturesLearner, AFunctionMayOutliveTheLearnerAndItsSamples) {
  for (const auto& [map, random] : kLearners) {
    const Vector delta = gaussian_vector(Stream(8), 4);
    auto problem = std::make_unique<Problem>(5, 6, 4, 1);
    const double expected = (*problem->draw(map, random, 9)->sample().token(1)->change())(delta);
    const auto change = problem->draw(map, random, 9)->sample().token(1)->change();
    problem.reset();
    const std::vector<Matrix> overwritten(64, Matrix::Constant(6, 4, std::nan("")));
    EXPECT_EQ((*change)(delta), expected) << map << random;
  }
}

}  // namespace
}  // namespace wordsway::test
