// Values of raf worked out by hand, so that fast path and reference cannot be wrong together.
#include <cmath>

#include <gtest/gtest.h>

#include "support/samples.h"

namespace wordsway {
namespace {

// n = 2, d = 1: X = (1, −1)ᵀ, W = 2. Scores of row 0 are (2, −2), of row 1 (−2, 2).
TEST(RafByHand, TwoTokensOfOneCoordinate) {
  MapOptions options;
  options.n = 2;
  options.d = 1;
  const auto map = map_registry().get("raf").with_weights(options, Matrix::Constant(1, 1, 2.0));
  Matrix X(2, 1);
  X << 1, -1;
  const auto sample = map->at(X);
  EXPECT_NEAR(sample->features()(0, 0), std::tanh(2), 1e-15);
  EXPECT_NEAR(sample->features()(1, 0), -std::tanh(2), 1e-15);

  // Token 0 moves to 0: row 0 has scores (0, 0) and output (0 − 1)/2; row 1 has scores (0, 2).
  const double row0 = -0.5, row1 = -std::exp(2) / (1 + std::exp(2));
  const double expected = std::pow(row0 - std::tanh(2), 2) + std::pow(row1 + std::tanh(2), 2);
  const auto view = sample->token(0);
  EXPECT_NEAR((*view->change())(Vector::Constant(1, -1.0)), expected, 1e-14);
}

TEST(RafByHand, AtInfiniteTemperatureEveryRowIsTheMean) {
  const Matrix X = Matrix::Random(5, 3);
  const auto map = test::draw_map("raf", 5, 3, 1, /*beta=*/0);
  const auto sample = map->at(X);
  for (Index j = 0; j < 5; ++j) EXPECT_LT((sample->features().row(j) - X.colwise().mean()).norm(), 1e-14);
  // Moving a token by Δ moves every row by Δ/n.
  const auto view = sample->token(2);
  EXPECT_NEAR((*view->change())(Vector::Ones(3)), 5 * 3 / 25.0, 1e-13);
}

}  // namespace
}  // namespace wordsway
