// What maps take and what they refuse: sizes of tokens, of β, of the map itself.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/samples.h"
#include "wordsway/core/error.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/learner_view.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

using testing::HasSubstr;

std::string refusal_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Ranges, EveryMapRefusesTokensBeyondTheLimit) {
  for (const std::string& name : map_registry().names()) {
    SCOPED_TRACE(name);
    const auto map = test::draw_map(name, 3, 2, 1);
    Matrix X = sphere_sample(Stream(1), 3, 2);
    X(1, 1) = -1e101;
    EXPECT_THROW(map->at(X), DataError);
    EXPECT_THAT(refusal_of([&] { map->at(X); }), HasSubstr("between -1e+100 and 1e+100; got one of size 1e+101"));
    X(1, 1) = 1e100;
    EXPECT_NO_THROW(map->at(X));
  }
}

TEST(Ranges, EveryMapRefusesABetaBeyondTheLimit) {
  MapOptions options;
  options.n = 3;
  options.d = 2;
  for (const std::string& name : map_registry().names()) {
    SCOPED_TRACE(name);
    const MapEntry& entry = map_registry().get(name);
    if (entry.describe(options).missing("beta")) continue;
    for (const double beta : {-1.0, std::nan(""), HUGE_VAL, 1e101, 1e308}) {
      MapOptions bad = options;
      bad.set("beta", beta);
      EXPECT_THAT(refusal_of([&] { entry.describe(bad); }), HasSubstr("beta must be between 0 and 1e+100; got"));
      EXPECT_THROW(entry.draw(bad, Stream(1)), UsageError);
      EXPECT_THROW(entry.with_weights(bad, Matrix::Identity(2, 2)), UsageError);
    }
  }
}

TEST(Ranges, OrdinaryFeaturesAreNoNoise) {
  for (const std::string& name : map_registry().names())
    for (const Index n : {Index{2}, Index{20}, Index{600}})
      for (const double beta : {0.0, 0.01, 1.0, 30.0, 1e6}) {
        SCOPED_TRACE(name + ", n " + std::to_string(n) + ", beta " + std::to_string(beta));
        const auto map = test::draw_map(name, n, 4, 2, beta);
        EXPECT_NO_THROW(check_features(*map->at(sphere_sample(Stream(3), n, 4))));
        EXPECT_NO_THROW(check_features(*map->at(1e-3 * gaussian_matrix(Stream(4), n, 4))));
      }
}

TEST(Ranges, ATokenThatGetsNoAttentionDoesNotMakeTheOthersNoise) {
  Matrix X = Matrix::Ones(3, 1);
  X(2, 0) = -1e50;  // its score is large and negative in the rows of the others
  MapOptions options;
  options.n = 3;
  options.d = 1;
  const auto map = map_registry().get("raf").with_weights(options, Matrix::Identity(1, 1));
  const auto sample = map->at(X);
  EXPECT_EQ(sample->features()(0, 0), 1);
  X.row(2) = Matrix::Constant(1, 1, 1e12);
  X.topRows(2) *= -1;
  EXPECT_NO_THROW(check_features(*map->at(X)));
}

TEST(Ranges, APredictionIsFiniteOrNotThere) {
  MapOptions options;
  options.n = 3;
  options.d = 2;
  for (const char* name : {"rf", "drf"})
    for (const char* activation : {"relu", "tanh", "gelu", "identity"})
      for (const double square : {1e-200, 1.0, 1e100, 1e200, 1e300})
        for (const double radius : {1e-100, 1.0, 1e100}) {
          options.set("activation", activation);
          const auto found = map_registry().get(name).predict(options, {square, std::sqrt(square), radius});
          // 0 would be a plain wrong number: some move of this length always changes something.
          const bool is_positive = std::isfinite(found.limit) && found.limit > 0;
          EXPECT_TRUE(std::isnan(found.limit) || is_positive || radius * 1e15 < std::sqrt(square))
              << name << " " << activation << " " << square << " " << radius << ": " << found.limit;
        }
}

// With a β this large elu + 1 is a ReLU, and φ and its change scale with X: c times as large, the same shape.
TEST(Ranges, LargeScoresHaveTheSlopesOfSmallerOnes) {
  const Matrix X = sphere_sample(Stream(1), 6, 3);
  const auto map = test::draw_map("raf-elu", 6, 3, 2, 1e100);
  const Vector delta = gaussian_vector(Stream(3), 3);
  const auto gradient_at = [&](double scale) {
    const auto sample = map->at(scale * X);
    const auto view = sample->token(1);
    Vector gradient;
    (*view->change())(scale * delta, &gradient);
    return Vector(gradient / scale);
  };
  const Vector expected = gradient_at(1);
  EXPECT_LT((gradient_at(1e30) - expected).norm(), 1e-9 * expected.norm());
}

TEST(Ranges, TinyScoresHaveTheSlopesOfLargerOnes) {
  const Matrix X = sphere_sample(Stream(1), 6, 3);
  const auto map = test::draw_map("raf-relu", 6, 3, 2);
  const Vector delta = gaussian_vector(Stream(3), 3);
  const auto gradient_at = [&](double scale) {
    const auto sample = map->at(scale * X);
    const auto view = sample->token(1);
    Vector gradient;
    (*view->change())(scale * delta, &gradient);
    return Vector(gradient / scale);
  };
  const Vector expected = gradient_at(1);
  EXPECT_LT((gradient_at(1e-90) - expected).norm(), 1e-9 * expected.norm());
}

TEST(Ranges, ABoundHoldsWhereTheScoresInReachOverflow) {
  const Matrix X = sphere_sample(Stream(1), 6, 3);
  const auto map = test::draw_map("raf-square", 6, 3, 2);
  const auto sample = map->at(1e60 * X);
  const auto bound = sample->token(1)->upper_bound(1e100);  // all attention on a token of norm 1e100
  ASSERT_TRUE(bound);
  EXPECT_GT(bound->change, 1e100);
  EXPECT_LT(bound->change, 1e101);
}

TEST(Ranges, SizesWhoseProductOverflowsAreRefused) {
  MapOptions options;
  options.n = options.d = Index{1} << 40;
  for (const char* name : {"rf", "drf"}) {
    EXPECT_THROW(map_registry().get(name).describe(options), UsageError);
    EXPECT_THROW(map_registry().get(name).memory_bytes(options), UsageError);
  }
  options.n = options.d = 4;
  options.set("depth", Index{1} << 40).set("width", Index{1} << 40);
  EXPECT_THROW(map_registry().get("drf").describe(options), UsageError);
}

TEST(Ranges, ALearnerRefusesTrainingSamplesBeyondTheLimit) {
  MapOptions options;
  options.n = 3;
  options.d = 2;
  const Matrix X = sphere_sample(Stream(1), 3, 2);
  Matrix training = gaussian_matrix(Stream(2), 4, 6);
  training(3, 1) = 1e200;
  for (const char* name : {"raf", "rf"})
    EXPECT_THAT(refusal_of([&] {
                  draw_learner_view(map_registry().get(name), options, Stream(1), {training, X, 0});
                }),
                HasSubstr("the entries of a training sample must lie between"));
}

}  // namespace
}  // namespace wordsway
