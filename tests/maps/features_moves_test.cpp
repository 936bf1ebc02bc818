// Random features when several tokens move: weights that are deferred, bounds, and what theory expects.
#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "support/samples.h"
#include "support/statistics.h"
#include "wordsway/data/data_source.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {
namespace {

constexpr std::array<Index, 3> kMoved = {0, 2, 3};

MapOptions options_of(Index n, Index d, const std::string& random) {
  MapOptions options;
  options.n = n;
  options.d = d;
  options.random = random;
  return options;
}

// The weights are written down after the search has looked at them.
TEST(DeferredMoves, AreThoseOfTheWeightsThatWereDecided) {
  for (const std::string name : {"rf", "drf"}) {
    MapOptions options = options_of(5, 4, "deferred");
    options.set("depth", 2);
    const auto map = map_registry().get(name).draw(options, Stream(3));
    const Matrix X = sphere_sample(Stream(5), 5, 4);
    const auto sample = map->at(X);
    const auto found = measure_together(*sample, kMoved, {.radius = Radius::absolute(2)}, Stream(1));
    const Matrix before = map->features_reference(X);
    const double change = (map->features_reference(test::moved(X, kMoved, found.delta)) - before).norm();
    EXPECT_NEAR(found.sensitivity, change / before.norm(), 1e-9 * found.sensitivity) << name;
    EXPECT_GT(*found.upper_bound_probability, 0) << name;
    EXPECT_GE(*found.upper_bound, found.sensitivity) << name;
  }
}

std::vector<double> draw_sensitivities(const std::string& name, const std::string& random, std::uint64_t seed) {
  std::vector<double> found;
  const Matrix X = sphere_sample(Stream(5), 5, 4);
  for (std::uint64_t draw = 0; draw < 200; ++draw) {
    MapOptions options = options_of(5, 4, random);
    options.set("depth", 2);
    const auto map = map_registry().get(name).draw(options, Stream(seed).derive(draw));
    found.push_back(measure_together(*map->at(X), kMoved,
                                     {.radius = Radius::absolute(2), .starts = 1, .tolerance = 1e-7}, Stream(1))
                        .sensitivity);
  }
  return found;
}

TEST(DeferredMoves, HaveTheLawOfStoredWeights) {
  for (const std::string name : {"rf", "drf"}) {
    const auto dense = draw_sensitivities(name, "dense", 1), deferred = draw_sensitivities(name, "deferred", 2);
    EXPECT_GT(test::ks_two_sample(dense, deferred), 0.01) << name;
    EXPECT_LT(test::mean_gap(dense, deferred), 3) << name;
  }
}

// More columns than are certified together: the squares of parts add up, above the norm of all.
TEST(StoredMoves, AreBoundedByTheNormOfAllTheirBlocks) {
  constexpr Index n = 4, d = 300;
  MapOptions options = options_of(n, d, "dense");
  options.set("width", 50);
  const auto map = map_registry().get("rf").draw(options, Stream(3));
  const auto sample = map->at(sphere_sample(Stream(5), n, d));
  const auto bound = sample->tokens(kMoved)->upper_bound(1);
  const Matrix V = map->weights();
  Matrix blocks(50, 3 * d);
  for (Index t = 0; t < 3; ++t) blocks.middleCols(t * d, d) = V.middleCols(kMoved[static_cast<size_t>(t)] * d, d);
  const double norm =
      std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(blocks * blocks.transpose()).eigenvalues().maxCoeff());
  EXPECT_EQ(bound->failure_probability, 0);
  EXPECT_GE(bound->change, norm * std::sqrt(3.0));
  EXPECT_LE(bound->change, norm * std::sqrt(3.0) * std::sqrt(3.0));
}

// At many features a coordinate what theory says of one token of M·d coordinates is what M tokens do.
TEST(Prediction, OfSeveralTokensIsThatOfOneLongToken) {
  constexpr Index n = 12, d = 4;
  MapOptions options = options_of(n, d, "dense");
  options.set("width", 6000);
  const MapEntry& entry = map_registry().get("rf");
  const Matrix X = sphere_sample(Stream(5), n, d);
  const auto map = entry.draw(options, Stream(7));
  const auto sample = map->at(X);
  for (const Index count : {1, 3, 6, 12}) {
    const auto moved = tokens_from(0, count, n, true);
    const double root = std::sqrt(static_cast<double>(count)), length = std::sqrt(static_cast<double>(d));
    const Prediction predicted = entry.predict(options, {X.squaredNorm(), root * length, root * length, count});
    const double found = measure_together(*sample, moved, {}, Stream(1)).sensitivity;
    EXPECT_GT(found, predicted.limit * 0.98) << count;
    EXPECT_LT(found, *predicted.finite * 1.05) << count;
  }
}

}  // namespace
}  // namespace wordsway
