#include "wordsway/figures/judge.h"

#include <cmath>

#include <gmock/gmock.h>

#include "figures/made_up_rows.h"

namespace wordsway::test {
namespace {

using testing::HasSubstr;

TEST(Judge, GivesStudentsIntervalOfAMean) {
  const Interval found = mean_of({1, 2, 3});
  EXPECT_DOUBLE_EQ(found.value, 2);
  EXPECT_NEAR(found.high - found.value, 4.302653 / std::sqrt(3.0), 1e-5);  // t of two degrees of freedom
  EXPECT_TRUE(std::isnan(mean_of({}).value));
}

TEST(Judge, FindsTheExponentOfAPowerLaw) {
  const Rows rows = measured("rf", {10, 20, 40}, {8}, [](double n, double) { return 3 / std::sqrt(n); });
  const Interval found = exponent_of(rows);
  EXPECT_NEAR(found.value, -0.5, 1e-9);
  EXPECT_LT(found.low, -0.5);
  EXPECT_GT(found.high, -0.5);
  EXPECT_TRUE(std::isnan(exponent_of(where(rows, "n", 10)).value));
}

TEST(Judge, PropagatesTheErrorsOfARatioAndADifference) {
  EXPECT_DOUBLE_EQ(ratio_of({4, 4}, {2, 2}).value, 2);
  EXPECT_DOUBLE_EQ(ratio_of({4, 4}, {2, 2}).low, 2);
  // Relative errors of 1/4 above and none below: one degree of freedom.
  const Interval ratio = ratio_of({3, 5}, {2, 2});
  EXPECT_NEAR(ratio.high - ratio.value, 12.7062 * 2 * 0.25, 1e-3);
  const Interval difference = difference_of({3, 5}, {1, 1});
  EXPECT_DOUBLE_EQ(difference.value, 3);
  EXPECT_NEAR(difference.high - difference.value, 12.7062, 1e-3);
}

TEST(Judge, KnowsTheRatioOfNothingToSomething) {
  const Interval found = ratio_of({0, 0}, {2, 2});
  EXPECT_EQ(found.low, 0);
  EXPECT_EQ(found.high, 0);
}

TEST(Judge, AsksTheWholeIntervalAndNotTheValueAlone) {
  const Claim claim{"It is so.", "Theorem 0"};
  EXPECT_TRUE(judge_between(claim, "x", {0, -1, 1}, -1, 1, "").holds);
  EXPECT_FALSE(judge_between(claim, "x", {0, -1, 2}, -1, 1, "").holds);
  EXPECT_FALSE(judge_between(claim, "x", {0, -2, 1}, -1, 1, "").holds);
  EXPECT_TRUE(judge_above(claim, "x", {2, 1.1, 3}, 1, "").holds);
  EXPECT_FALSE(judge_above(claim, "x", {2, 0.9, 3}, 1, "").holds);
  EXPECT_TRUE(judge_below(claim, "x", {0, -1, 0.9}, 1, "").holds);
  EXPECT_FALSE(judge_below(claim, "x", {0, -1, 1.1}, 1, "").holds);
}

TEST(Judge, FailsOnWhatIsNoNumber) {
  const Verdict verdict = judge_above({"It is so.", "Theorem 0"}, "x", mean_of({}), -1e9, "");
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.measured, "nothing was measured");
}

TEST(Judge, SaysWhatWasMeasuredAndAgainstWhat) {
  const Verdict verdict =
      judge_between({"It is so.", "Theorem 0"}, "exponent", {-0.571, -0.604, -0.538}, -0.75, -0.45, "at d = 256");
  EXPECT_EQ(verdict.measured, "exponent -0.57 (-0.60 to -0.54) at d = 256");
  EXPECT_EQ(verdict.threshold, "between -0.75 and -0.45");
  EXPECT_THAT(judge_above({"", ""}, "x", {2, 2, 2}, 1, "").measured, Not(HasSubstr("to")));
}

TEST(RowSelection, PicksByTextsAndNumbersAndExtremes) {
  const Rows rows = joined(measured("a", {1, 2}, {8}, [](double n, double) { return n; }),
                           measured("b", {1, 2, 3}, {8}, [](double n, double) { return n; }));
  EXPECT_EQ(where(rows, "map", "a").size(), 6U);
  EXPECT_EQ(where(rows, "n", 3).size(), 3U);
  EXPECT_EQ(at_largest(rows, "n").size(), 3U);
  EXPECT_EQ(at_smallest(rows, "n").size(), 6U);
  EXPECT_TRUE(at_largest(rows, "nothing").empty());
  EXPECT_THAT(distinct(rows, "n"), testing::ElementsAre(1, 2, 3));
  EXPECT_THAT(distinct_texts(rows, "map"), testing::ElementsAre("a", "b"));
}

TEST(RowSelection, MakesCurvesOfMeansAndDeviations) {
  const auto series = curves_against_n(measured("a", {1, 2}, {8, 16}, [](double n, double) { return n; }), {"d"});
  ASSERT_EQ(series.size(), 2U);
  EXPECT_EQ(series[0].label, "d = 8");
  EXPECT_THAT(series[0].x, testing::ElementsAre(1, 2));
  EXPECT_NEAR(series[0].y[1], 2, 1e-12);
  EXPECT_NEAR(series[0].deviation[1], 0.02, 1e-12);
}

}  // namespace
}  // namespace wordsway::test
