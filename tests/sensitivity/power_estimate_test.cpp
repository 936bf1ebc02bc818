#include <cmath>

#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "support/samples.h"
#include "wordsway/data/data_source.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {
namespace {

constexpr Index kTokens = 6, kDimension = 12, kToken = 2;

Matrix sample() {
  return sphere_sample(Stream(3), kTokens, kDimension);
}

// The largest singular value of the Jacobian by Δ, whose columns are central differences of the features.
double jacobian_norm(const FeatureMap& map, const Matrix& X) {
  constexpr double kStep = 1e-5;
  Matrix jacobian;
  for (Index c = 0; c < X.cols(); ++c) {
    const Vector delta = kStep * Vector::Unit(X.cols(), c);
    const Matrix column = (map.features_reference(test::moved(X, kToken, delta)) -
                           map.features_reference(test::moved(X, kToken, -delta))) /
                          (2 * kStep);
    if (c == 0) jacobian.resize(column.size(), X.cols());
    jacobian.col(c) = Eigen::Map<const Vector>(column.data(), column.size());
  }
  return Eigen::JacobiSVD<Eigen::MatrixXd>(jacobian).singularValues()[0];
}

TEST(PowerEstimate, IsTheNormOfTheJacobianForShortMoves) {
  for (const char* name : {"raf", "raf-sigmoid", "rf"}) {
    SCOPED_TRACE(name);
    const Matrix X = sample();
    const auto map = test::draw_map(name, kTokens, kDimension, 5);
    const auto at = map->at(X);
    constexpr double kRadius = 1e-3;
    const double expected = jacobian_norm(*map, X) * kRadius / at->feature_norm();
    EXPECT_NEAR(estimate_token_by_power(*at, kToken, kRadius, 200, Stream(1)), expected, 0.01 * expected);
  }
}

TEST(PowerEstimate, IsNeverAboveTheFullMeasurementAndNotFarBelowItForShortMoves) {
  for (const char* name : {"raf", "raf-relu", "raf-softplus"})
    for (const double radius : {0.1, 1.0, 4.0}) {
      SCOPED_TRACE(name);
      SCOPED_TRACE(radius);
      const auto map = test::draw_map(name, kTokens, kDimension, 6);
      const Matrix X = sample();  // a sample may look at its tokens for as long as it lives
      const auto at = map->at(X);
      const double full =
          measure_token(*at, kToken, {.radius = Radius::absolute(radius), .starts = 8}, Stream(1)).sensitivity;
      const double estimate = estimate_token_by_power(*at, kToken, radius, 6, Stream(1));
      EXPECT_LE(estimate, full * (1 + 1e-6));
      EXPECT_GT(estimate, radius <= 0.1 ? 0.8 * full : 0);
    }
}

}  // namespace
}  // namespace wordsway
