// The law of S and ‖φ‖ is the same whether the matrices are stored or deferred, and the tests of that can fail.
#include <cmath>

#include <gtest/gtest.h>

#include "support/broken_matrices.h"
#include "support/feature_draws.h"
#include "support/statistics.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {
namespace {

constexpr double kSame = 0.01, kDifferent = 1e-4;

void expect_same_law(const test::FeatureDraws& a, const test::FeatureDraws& b) {
  EXPECT_GT(test::ks_two_sample(a.sensitivity, b.sensitivity), kSame);
  EXPECT_GT(test::ks_two_sample(a.norm, b.norm), kSame);
  EXPECT_LT(test::mean_gap(a.sensitivity, b.sensitivity), 3);
  EXPECT_LT(test::mean_gap(a.norm, b.norm), 3);
  EXPECT_LT(test::variance_gap(a.sensitivity, b.sensitivity), 3);
  EXPECT_LT(test::variance_gap(a.norm, b.norm), 3);
}

class DeferredLaw : public testing::TestWithParam<test::FeatureShape> {};

TEST_P(DeferredLaw, DeferredIsDenseInDistribution) {
  const auto& shape = GetParam();
  expect_same_law(draw_features(shape, registered(shape, "dense"), 400, 1),
                  draw_features(shape, registered(shape, "deferred"), 400, 2));
}

INSTANTIATE_TEST_SUITE_P(OneToken, DeferredLaw,
                         testing::Values(test::FeatureShape{6, 12, 1}, test::FeatureShape{6, 6, 2},
                                         test::FeatureShape{6, 6, 4},
                                         test::FeatureShape{.n = 5, .d = 6, .depth = 2, .activation = "tanh"}));
INSTANTIATE_TEST_SUITE_P(MaximumOverTokens, DeferredLaw,
                         testing::Values(test::FeatureShape{6, 4, 1, true}, test::FeatureShape{5, 4, 2, true},
                                         test::FeatureShape{5, 4, 4, true}));

template <typename Broken>
std::shared_ptr<DeferredMatrix> make_broken(const Stream& stream, Index rows, Index columns, double scale) {
  return std::make_shared<Broken>(stream, rows, columns, scale);
}

// Many queries of one shared layer: a missing projection shows there, and hardly at all with a single token.
const test::FeatureShape kDeep{6, 4, 2, true};

TEST(FeaturesLawMutations, AnUnbrokenMatrixMadeTheSameWayPasses) {
  expect_same_law(draw_features(kDeep, registered(kDeep, "dense"), 300, 1),
                  draw_features(kDeep, deferred_with(kDeep, make_deferred), 300, 2));
}

TEST(FeaturesLawMutations, ForgettingTheKnownPartIsNoticed) {
  const auto broken = draw_features(kDeep, deferred_with(kDeep, make_broken<test::WithoutKnownPart>), 300, 2);
  const auto dense = draw_features(kDeep, registered(kDeep, "dense"), 300, 1);
  EXPECT_LT(test::ks_two_sample(dense.sensitivity, broken.sensitivity), kDifferent);
}

TEST(FeaturesLawMutations, LeavingOutTheProjectionIsNoticed) {
  const auto broken = draw_features(kDeep, deferred_with(kDeep, make_broken<test::WithoutProjection>), 300, 2);
  const auto dense = draw_features(kDeep, registered(kDeep, "dense"), 300, 1);
  EXPECT_LT(test::ks_two_sample(dense.sensitivity, broken.sensitivity), kDifferent);
}

// S of ReLU features has no scale; the norm has.
TEST(FeaturesLawMutations, AWrongScaleIsNoticedByTheNorm) {
  const test::FeatureShape shape{6, 6, 4};
  const auto broken = draw_features(shape, deferred_with(shape, make_broken<test::WrongScale>), 300, 2);
  const auto dense = draw_features(shape, registered(shape, "dense"), 300, 1);
  EXPECT_LT(test::ks_two_sample(dense.norm, broken.norm), kDifferent);
}

TEST(FeaturesLawMutations, RedrawingTheWeightsForEveryTokenIsNoticed) {
  const test::FeatureShape shape{6, 4, 1, true};
  const auto dense = draw_features(shape, registered(shape, "dense"), 300, 1);
  const Matrix X = sphere_sample(Stream(5), shape.n, shape.d);
  std::vector<double> redrawn;
  for (std::uint64_t draw = 0; draw < 300; ++draw) {
    double most = 0;
    for (Index token = 0; token < shape.n; ++token) {
      const auto map = registered(shape, "deferred")(Stream(7).derive(draw).derive(static_cast<std::uint64_t>(token)));
      const auto sample = map->at(X);
      most = std::max(
          most, measure_token(*sample, token, {.radius = Radius::absolute(2), .starts = 1}, Stream(1)).sensitivity);
    }
    redrawn.push_back(most);
  }
  EXPECT_LT(test::ks_two_sample(dense.sensitivity, redrawn), kDifferent);
}

TEST(FeaturesLaw, SDoesNotDependOnTheSampleOnceItsRowsAreNormalised) {
  const test::FeatureShape shape{6, 12};
  const auto sphere = [&](const Stream& stream) { return sphere_sample(stream, shape.n, shape.d); };
  const auto spiked = [&](const Stream& stream) {
    return spiked_sample(stream, stream.derive("shared"), shape.n, shape.d, 0.95);
  };
  for (const char* random : {"dense", "deferred"}) {
    const auto make = registered(shape, random);
    expect_same_law(draw_features(shape, make, 500, 3, sphere), draw_features(shape, make, 500, 4, spiked));
  }
  // The comparison has teeth: rows that are not normalised change the law.
  const auto uneven = [&](const Stream& stream) {
    Matrix X = sphere_sample(stream, shape.n, shape.d);
    X.row(0) *= 0.7;
    return X;
  };
  const auto make = registered(shape, "dense");
  EXPECT_LT(test::ks_two_sample(draw_features(shape, make, 500, 3, sphere).sensitivity,
                                draw_features(shape, make, 500, 4, uneven).sensitivity),
            kDifferent);
}

}  // namespace
}  // namespace wordsway
