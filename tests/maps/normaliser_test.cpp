// Normalisers of the attention family against their definition P_m = f(s_m)/Σ f, in long double, at ordinary scores and
// where exponentials and squares leave the range of a double.
#include "wordsway/maps/attention/normaliser.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/samples.h"
#include "wordsway/maps/attention/attention_map.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

using Real = long double;  // its exponent is 16 times as large

struct NormaliserCase {
  const char* map;
  double beta;
  Real (*f)(Real beta, Real s);
};

std::ostream& operator<<(std::ostream& out, const NormaliserCase& at) {
  return out << at.map << ", beta " << at.beta;
}

const NormaliserCase kCases[] = {
    {"raf", 1, [](Real beta, Real s) { return std::exp(beta * s); }},
    {"raf", 5, [](Real beta, Real s) { return std::exp(beta * s); }},
    {"raf-relu", 1, [](Real, Real s) { return std::max<Real>(s, 0); }},
    {"raf-square", 1, [](Real, Real s) { return s * s; }},
    {"raf-sigmoid", 3, [](Real beta, Real s) { return 1 / (1 + std::exp(-beta * s)); }},
    {"raf-softplus", 3, [](Real beta, Real s) { return std::log1p(std::exp(beta * s)); }},
    {"raf-elu", 3, [](Real beta, Real s) { return s > 0 ? 1 + beta * s : std::exp(beta * s); }},
};

class NormaliserTest : public testing::TestWithParam<NormaliserCase> {
 protected:
  Eigen::ArrayXd by_definition(const Eigen::ArrayXd& scores) const {
    Real sum = 0;
    for (const double s : scores) sum += f(s);
    Eigen::ArrayXd weights(scores.size());
    for (Index m = 0; m < scores.size(); ++m) weights[m] = sum > 0 ? static_cast<double>(f(scores[m]) / sum) : 0;
    return weights;
  }
  Real f(double s) const { return GetParam().f(static_cast<Real>(GetParam().beta), static_cast<Real>(s)); }
  const Normaliser& normaliser() const { return dynamic_cast<const AttentionMap&>(*map_).normaliser(); }

  std::unique_ptr<FeatureMap> map_ = test::draw_map(GetParam().map, 2, 2, 1, GetParam().beta);
};

// Rows of ordinary, large, tiny and mixed scores.
std::vector<Eigen::ArrayXd> rows_of_scores() {
  const Eigen::ArrayXd ordinary = gaussian_vector(Stream(1), 9).array();
  Eigen::ArrayXd mixed = ordinary;
  mixed[3] = 150;
  mixed[5] = -150;
  return {ordinary,        30 * ordinary, 500 * ordinary,          1e-8 * ordinary,
          -ordinary.abs(), mixed,         Eigen::ArrayXd::Zero(4), Eigen::ArrayXd::Constant(1, 2.0)};
}

TEST_P(NormaliserTest, ARowHasTheWeightsOfTheDefinition) {
  for (const Eigen::ArrayXd& scores : rows_of_scores()) {
    Eigen::ArrayXd weights(scores.size());
    normaliser().row(scores, weights, nullptr);
    const Eigen::ArrayXd expected = by_definition(scores);
    for (Index m = 0; m < scores.size(); ++m)
      EXPECT_NEAR(weights[m], expected[m], 1e-12 * expected[m] + 1e-300) << "score " << scores[m];
    EXPECT_NEAR(weights.sum(), expected.sum() > 0 ? 1 : 0, 1e-14);
  }
}

// dP_m = slopes_m ds_m − P_m Σ slopes ds: checked along one score at a time.
TEST_P(NormaliserTest, TheSlopesOfARowMatchDifferencesOfTheDefinition) {
  const Eigen::ArrayXd scores = gaussian_vector(Stream(2), 7).array();
  Eigen::ArrayXd weights(7), slopes(7);
  ArrayRef slopes_ref = slopes;
  normaliser().row(scores, weights, &slopes_ref);
  for (Index moved = 0; moved < 7; ++moved) {
    Eigen::ArrayXd up = scores, down = scores;
    up[moved] += 1e-6;
    down[moved] -= 1e-6;
    const Eigen::ArrayXd difference = (by_definition(up) - by_definition(down)) / 2e-6;
    for (Index m = 0; m < 7; ++m) {
      const double expected = (m == moved ? slopes[m] : 0) - weights[m] * slopes[moved];
      EXPECT_NEAR(difference[m], expected, 1e-7) << "weight " << m << " by score " << moved;
    }
  }
}

// One score against the mass of all others is its weight in the whole row.
TEST_P(NormaliserTest, AScoreAgainstTheOthersHasItsWeightInTheRow) {
  for (const Eigen::ArrayXd& scores : rows_of_scores()) {
    const Eigen::ArrayXd expected = by_definition(scores);
    for (Index m = 0; m < scores.size(); ++m) {
      Eigen::ArrayXd others(scores.size() - 1), ignored(scores.size() - 1);
      others << scores.head(m), scores.tail(scores.size() - 1 - m);
      const Eigen::ArrayXd mass = Eigen::ArrayXd::Constant(1, normaliser().row(others, ignored, nullptr));
      Eigen::ArrayXd weight(1);
      normaliser().against(scores.segment(m, 1), mass, weight, nullptr);
      EXPECT_NEAR(weight[0], expected[m], 1e-12 * expected[m] + 1e-300) << scores[m] << " of " << scores.size();
    }
  }
}

TEST_P(NormaliserTest, TheSlopeOfAScoreAgainstTheOthersMatchesDifferences) {
  const Eigen::ArrayXd others = gaussian_vector(Stream(3), 6).array();
  Eigen::ArrayXd ignored(6);
  const Eigen::ArrayXd masses = Eigen::ArrayXd::Constant(1, normaliser().row(others, ignored, nullptr));
  for (const double s : {-2.03, -0.51, 0.52, 1.9, 6.1}) {
    Eigen::ArrayXd at = Eigen::ArrayXd::Constant(1, s), weight(1), slope(1), up(1), down(1);
    ArrayRef slope_ref = slope;
    normaliser().against(at, masses, weight, &slope_ref);
    normaliser().against(at + 1e-6, masses, up, nullptr);
    normaliser().against(at - 1e-6, masses, down, nullptr);
    EXPECT_NEAR(slope[0], (up[0] - down[0]) / 2e-6, 1e-7) << s;
  }
}

TEST_P(NormaliserTest, TakingAScoreOffARowLeavesTheMassOfTheOthers) {
  const Eigen::ArrayXd scores = gaussian_vector(Stream(4), 8).array();
  Eigen::ArrayXd weights(8), ignored(7);
  const double mass = normaliser().row(scores, weights, nullptr);
  for (Index m = 0; m < 8; ++m) {
    Eigen::ArrayXd others(7);
    others << scores.head(m), scores.tail(7 - m);
    EXPECT_NEAR(normaliser().weight_in(mass, scores[m]), weights[m], 1e-13);
    if (weights[m] > 0.99) continue;  // it cancels there, and the view computes the row anew
    const double expected = normaliser().row(others, ignored, nullptr);
    EXPECT_NEAR(normaliser().mass_without(mass, scores[m], weights[m]), expected, 1e-11 * (1 + std::abs(expected)));
  }
}

// The range must hold every weight in the interval, or bounds are wrong, and be reached, or they are useless.
TEST_P(NormaliserTest, TheWeightRangeOfAnIntervalIsTight) {
  const Eigen::ArrayXd others = gaussian_vector(Stream(5), 5).array();
  Eigen::ArrayXd ignored(5);
  const double mass = normaliser().row(others, ignored, nullptr);
  for (const auto& [low, high] : {std::pair(-3.0, -1.0), {-1.0, 2.0}, {0.5, 4.0}, {-0.2, 0.1}, {1.0, 1.0}}) {
    const auto [least, most] = normaliser().weight_range(low, high, mass);
    const Eigen::ArrayXd scores = Eigen::ArrayXd::LinSpaced(3001, low, high);
    Eigen::ArrayXd weights(scores.size());
    normaliser().against(scores, Eigen::ArrayXd::Constant(scores.size(), mass), weights, nullptr);
    EXPECT_LE(least, weights.minCoeff() + 1e-15);
    EXPECT_GE(most, weights.maxCoeff() - 1e-15);
    EXPECT_NEAR(least, weights.minCoeff(), 1e-5);
    EXPECT_NEAR(most, weights.maxCoeff(), 1e-5);
  }
}

TEST_P(NormaliserTest, ScoresBeyondEverythingGiveWeightsBetweenZeroAndOne) {
  Eigen::ArrayXd ignored(1);
  const double mass = normaliser().row(Eigen::ArrayXd::Ones(1), ignored, nullptr);
  const auto [none, all] = normaliser().weight_range(-1e200, 1e200, mass);
  EXPECT_GE(none, 0);
  EXPECT_LE(all, 1);
  EXPECT_GE(all, 0.5 - 1e-12) << "one score of two, and the largest there is";
}

INSTANTIATE_TEST_SUITE_P(Maps, NormaliserTest, testing::ValuesIn(kCases));

}  // namespace
}  // namespace wordsway
