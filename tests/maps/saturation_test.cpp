// The numerical traps of the attention family: one token that holds a whole row, and rows without mass.
#include <cmath>

#include <gtest/gtest.h>

#include "support/samples.h"
#include "wordsway/core/error.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/attention/attention_view.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {
namespace {

struct SaturationCase {
  const char* map;
  double beta;
};

class Saturation : public testing::TestWithParam<SaturationCase> {};

// At β = 16 the weight of the largest score is 1 to rounding in many rows, where taking it off the row's sums leaves
// nothing but rounding.
TEST_P(Saturation, TheViewStillAgreesWithTheReference) {
  const Index n = 12, d = 16;
  const Matrix X = sphere_sample(Stream(71), n, d);
  const auto map = test::draw_map(GetParam().map, n, d, 73, GetParam().beta);
  const auto sample = map->at(X);
  const Matrix psi = gaussian_matrix(Stream(79), n, d);
  for (Index token = 0; token < n; ++token) {
    const auto view = sample->token(token);
    for (const double norm : {0.1, 1.0, 4.0}) {
      Vector delta = gaussian_vector(Stream(83 + static_cast<std::uint64_t>(token)), d);
      delta *= norm / delta.norm();
      const double expected = test::change_reference(*map, X, token, delta);
      EXPECT_NEAR((*view->change())(delta), expected, 1e-9 * expected + 1e-13) << token << ' ' << norm;
      const double inner = test::inner_reference(*map, X, token, delta, psi);
      EXPECT_NEAR((*view->inner(psi))(delta), inner, 1e-10 * psi.norm() * sample->feature_norm()) << token;
    }
  }
}

// e_j by what the device has of it, x_i − φ_j over the rest of the row; and which rows it must be given whole.
TEST_P(Saturation, OffsetsAreTheRestOfTheirRowsWhereThatIsSafe) {
  const Index n = 12, d = 16, i = 4;
  const Matrix X = sphere_sample(Stream(71), n, d);
  const auto map = test::draw_map(GetParam().map, n, d, 73, GetParam().beta);
  const auto state = std::make_shared<const AttentionState>(dynamic_cast<const AttentionMap&>(*map), X);
  const AttentionToken token(state, i);
  for (Index j = 0; j < n; ++j) {
    const double inverse = token.inverse_rests()[j];
    if (inverse == 0) continue;
    const Eigen::RowVectorXd expected = inverse * (X.row(i) - state->features().row(j));
    EXPECT_LT((token.offsets().row(j) - expected).norm(), 1e-13 * (1 + expected.norm())) << j;
    EXPECT_LT(inverse, 1001) << j;  // at most 0.999 of the row was taken off
  }
  EXPECT_EQ(token.inverse_rests()[i], 0);
}

TEST_P(Saturation, TheBracketHolds) {
  const Matrix X = sphere_sample(Stream(89), 6, 4);
  const auto map = test::draw_map(GetParam().map, 6, 4, 97, GetParam().beta);
  const auto sample = map->at(X);
  const auto found =
      measure_token(*sample, 3, {.radius = Radius::absolute(2), .starts = 64, .tolerance = 1e-9}, Stream(1));
  const double independent = test::best_change_by_differences(*map, X, 3, 2, 24, 101) / sample->feature_norm();
  EXPECT_TRUE(std::isfinite(found.sensitivity));
  EXPECT_GE(*found.upper_bound, std::max(independent, found.sensitivity));
  EXPECT_GE(found.sensitivity, independent * (1 - 1e-4));
}

INSTANTIATE_TEST_SUITE_P(Betas, Saturation,
                         testing::Values(SaturationCase{"raf", 8}, SaturationCase{"raf", 16}, SaturationCase{"raf", 32},
                                         SaturationCase{"raf-sigmoid", 8}, SaturationCase{"raf-sigmoid", 32},
                                         SaturationCase{"raf-softplus", 16}, SaturationCase{"raf-elu", 32},
                                         SaturationCase{"raf-square", 1}, SaturationCase{"raf-relu", 1}));

// Every score of row j is W_aa·(x_j·x_m) = −1 but that on token i, so without token i the row has no mass at all.
TEST(ReluRowWithoutMass, HasOutputZeroUntilTheTokenTurnsPositive) {
  Matrix X(3, 2);
  X << 1, 0, 1, 0, -1, 0.1;
  const Matrix W = -Matrix::Identity(2, 2) * std::sqrt(2.0);
  MapOptions options;
  options.n = 3;
  options.d = 2;
  const auto map = map_registry().get("raf-relu").with_weights(options, W);
  const auto sample = map->at(X);
  EXPECT_EQ(map->features_reference(X), sample->features());
  const auto change = sample->token(2);
  for (const double shift : {0.5, 0.9, 1.5, 3.0}) {  // from positive to negative score
    const Vector delta = Vector::Unit(2, 0) * shift;
    const double expected = test::change_reference(*map, X, 2, delta);
    EXPECT_NEAR((*change->change())(delta), expected, 1e-12) << shift;
  }
}

TEST(ReluMapThatIsZeroEverywhere, ReportsThatThereIsNoSensitivity) {
  MapOptions options;
  options.n = 3;
  options.d = 2;
  const auto map = map_registry().get("raf-relu").with_weights(options, -Matrix::Identity(2, 2));
  const Matrix X = Matrix::Ones(3, 2);
  const auto sample = map->at(X);
  ASSERT_EQ(sample->feature_norm(), 0);
  EXPECT_THROW(measure_token(*sample, 0, {.radius = Radius::absolute(1)}, Stream(1)), DataError);
}

TEST(TinyMoves, LoseNoDigits) {
  const Matrix X = spiked_sample(Stream(1), Stream(2), 20, 16, 0.3);
  const auto map = test::draw_map("raf", 20, 16, 3);
  const auto sample = map->at(X);
  const auto view = sample->token(4);
  const auto change = view->change();
  const Vector direction = gaussian_vector(Stream(4), 16);
  // A change of order ε² for moves of order ε: the ratio tends to a constant and stays there.
  const double at_small = std::sqrt((*change)(direction * 1e-6)) / 1e-6;
  const double at_tiny = std::sqrt((*change)(direction * 1e-8)) / 1e-8;
  EXPECT_NEAR(at_tiny / at_small, 1, 1e-5);
}

}  // namespace
}  // namespace wordsway
