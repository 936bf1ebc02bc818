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
  EXPECT_TRUE(std::isnan(exponent_of(rows_where(rows, "n", 10)).value));
}

TEST(Judge, GivesSharesWilsonsIntervalAndDifferencesNewcombes) {
  const Interval share = rate_of(56, 70), other = rate_of(48, 80);
  EXPECT_DOUBLE_EQ(share.value, 0.8);
  EXPECT_NEAR(share.low, 0.6917, 1e-3);
  EXPECT_NEAR(share.high, 0.8775, 1e-3);
  // Example (a) of Newcombe's paper: 56/70 and 48/80, 0.0524 to 0.3339.
  const Interval difference = difference_of_rates(share, other);
  EXPECT_NEAR(difference.value, 0.2, 1e-12);
  EXPECT_NEAR(difference.low, 0.0524, 1e-4);
  EXPECT_NEAR(difference.high, 0.3339, 1e-4);
  EXPECT_TRUE(std::isnan(rate_of(0, 0).value));
  EXPECT_FALSE(judge_above({"s", "p"}, "x", difference_of_rates(rate_of(0, 0), other), -2, "").holds);
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

TEST(Judge, TakesTheQuantileOfTheFewerTrials) {
  // Squared errors of the means: 1 of {3, 5} and 5/12 of {1, 2, 3, 4}; t of one degree of freedom is 12.7062.
  const Interval found = difference_of({3, 5}, {1, 2, 3, 4});
  EXPECT_DOUBLE_EQ(found.value, 1.5);
  EXPECT_NEAR(found.high - found.value, 12.7062 * std::sqrt(1 + 5.0 / 12), 1e-3);
  // Five trials: t = 2.776445 of four degrees.
  const Interval five = mean_of({1, 2, 3, 4, 5});
  EXPECT_NEAR(five.value - five.low, 2.776445 * std::sqrt(2.5 / 5), 1e-5);
}

TEST(Judge, GivesASingleTrialNoInterval) {
  const Interval found = mean_of({2});
  EXPECT_EQ(found.low, 2);
  EXPECT_EQ(found.high, 2);
  EXPECT_EQ(ratio_of({4}, {2, 2}).low, 2);
}

TEST(Judge, KnowsNothingOfARatioOrDifferenceWithAnEmptySide) {
  const std::vector<double> some = {1, 2};
  for (const Interval& found :
       {ratio_of({}, some), ratio_of(some, {}), difference_of({}, some), difference_of(some, {})}) {
    EXPECT_TRUE(std::isnan(found.value));
    EXPECT_FALSE(judge_between({"", ""}, "x", found, -1e9, 1e9, "").holds);
    EXPECT_FALSE(judge_below({"", ""}, "x", found, 1e9, "").holds);
  }
}

TEST(Judge, CountsErrorsBelowTheLineOfARatioToo) {
  // The mean 2 of {1.5, 2.5} has an error of 1/2: a quarter of itself, and so of the ratio.
  const Interval found = ratio_of({6, 6}, {1.5, 2.5});
  EXPECT_DOUBLE_EQ(found.value, 3);
  EXPECT_NEAR(found.high - found.value, 12.7062 * 3 * 0.5 / 2, 1e-3);
}

TEST(Judge, LeavesRowsWithoutNumbersOutOfAFit) {
  Rows rows = measured("rf", {10, 20, 40}, {8}, [](double n, double) { return 1 / n; });
  const Interval before = exponent_of(rows);
  rows.push_back({{"n", std::int64_t{80}}, {"sensitivity", Value()}});
  rows.push_back({{"n", std::int64_t{80}}, {"sensitivity", std::nan("")}});
  rows.push_back({{"sensitivity", 3.0}});
  EXPECT_EQ(exponent_of(rows).value, before.value);
  EXPECT_EQ(exponent_of(rows).low, before.low);
}

TEST(Judge, FitsOtherFieldsThanSAgainstN) {
  Rows rows;
  for (const double x : {1.0, 2.0, 4.0}) rows.push_back({{"width", x}, {"error", x * x}});
  EXPECT_NEAR(exponent_of(rows, "width", "error").value, 2, 1e-12);
  EXPECT_TRUE(std::isnan(exponent_of(rows).value));
}

TEST(Judge, IsNotCertainAtTheThresholdItself) {
  const Claim claim{"It is so.", "Theorem 0"};
  EXPECT_FALSE(judge_above(claim, "x", {2, 1, 3}, 1, "").holds);
  EXPECT_FALSE(judge_below(claim, "x", {0, -1, 1}, 1, "").holds);
  EXPECT_TRUE(judge_between(claim, "x", {1, 1, 1}, 1, 1, "").holds);
}

TEST(Judge, WritesNumbersOfEverySizeWithDigitsThatMeanSomething) {
  const auto shown = [](double value) { return describe("S", {value, value, value}, ""); };
  EXPECT_EQ(shown(0.5), "S 0.50");
  EXPECT_EQ(shown(12.345), "S 12.3");
  EXPECT_EQ(shown(234.5), "S 234");
  EXPECT_EQ(shown(1234), "S 1.2e+03");
  EXPECT_EQ(shown(0.00123), "S 0.0012");
  EXPECT_EQ(shown(1e-9), "S 0");
  EXPECT_EQ(shown(-0.25), "S -0.25");
}

TEST(Judge, NamesTheSizeOnlyWhereThereIsOne) {
  EXPECT_EQ(at_size(measured("a", {30}, {8}, [](double, double) { return 1; }), "n"), "at n = 30");
  EXPECT_EQ(at_size({}, "n"), "");
}

TEST(RowSelection, TakesOnlyFiniteNumbersForNumbers) {
  const auto row = [](const Value& value) { return Record{{"S", value}}; };
  EXPECT_TRUE(holds_number(row(1.5), "S"));
  EXPECT_TRUE(holds_number(row(std::int64_t{2}), "S"));
  for (const Value& other : {Value(), Value(std::nan("")), Value(HUGE_VAL), Value("2"), Value(true)})
    EXPECT_FALSE(holds_number(row(other), "S"));
  EXPECT_FALSE(holds_number(row(1.5), "n"));
  EXPECT_THAT(numbers_of({row(3.0), row("x"), row(std::int64_t{1}), row(HUGE_VAL)}, "S"), testing::ElementsAre(3, 1));
}

TEST(RowSelection, DoesNotTakeATextForANumber) {
  const Rows rows = {{{"spike", "0"}}, {{"spike", 0.0}}};
  EXPECT_EQ(rows_where(rows, "spike", 0), (Rows{rows[1]}));
  EXPECT_EQ(rows_where(rows, "spike", "0"), (Rows{rows[0]}));
}

TEST(RowSelection, NamesCurvesByAllFieldsThatTellThemApart) {
  Rows rows = joined(measured("a", {1, 2}, {8}, [](double n, double) { return n; }),
                     measured("b", {1, 2}, {8}, [](double n, double) { return n; }));
  rows.push_back({{"map", "c"}, {"n", std::int64_t{1}}, {"sensitivity", 1.0}});
  rows.push_back({{"map", "d"}, {"n", std::int64_t{1}}, {"sensitivity", Value()}});
  std::vector<std::string> labels;
  for (const Series& series : curves_against_n(rows, {"map", "d"})) labels.push_back(series.label.plain());
  EXPECT_THAT(labels, testing::ElementsAre("a, d = 8", "b, d = 8", "c")) << "what was not measured is no curve";
}

TEST(Judge, LetsAControlHoldOnlyIfItsRuleFailsOnSomethingMeasured) {
  const Interval low{0.3, 0.2, 0.4}, around{0.5, 0.4, 0.6}, nothing = mean_of({});
  const auto control = [](const Interval& found) {
    return judge_control({"control", "here"}, judge_below({}, "share", found, 0.5, ""), found);
  };
  EXPECT_FALSE(control(low).holds);
  EXPECT_TRUE(control(around).holds);
  EXPECT_FALSE(control(nothing).holds);
  EXPECT_EQ(control(around).threshold, "not below 0.5");
}

TEST(RowSelection, OrdersACurveByItsSizesWhateverTheOrderOfRows) {
  const Rows rows = {{{"n", std::int64_t{4}}, {"S", 1.0}},
                     {{"n", std::int64_t{2}}, {"S", 5.0}},
                     {{"n", std::int64_t{4}}, {"S", 3.0}},
                     {{"n", std::int64_t{3}}, {"S", Value()}}};
  const Series series = curve("S", rows, "n", "S");
  EXPECT_THAT(series.x, testing::ElementsAre(2, 4));
  EXPECT_THAT(series.y, testing::ElementsAre(5, 2));
  EXPECT_THAT(series.deviation, testing::ElementsAre(0, std::sqrt(2.0))) << "a single trial has none";
}

TEST(RowSelection, PicksByTextsAndNumbersAndExtremes) {
  const Rows rows = joined(measured("a", {1, 2}, {8}, [](double n, double) { return n; }),
                           measured("b", {1, 2, 3}, {8}, [](double n, double) { return n; }));
  EXPECT_EQ(rows_where(rows, "map", "a").size(), 6U);
  EXPECT_EQ(rows_where(rows, "n", 3).size(), 3U);
  EXPECT_EQ(at_largest(rows, "n").size(), 3U);
  EXPECT_EQ(at_smallest(rows, "n").size(), 6U);
  EXPECT_TRUE(at_largest(rows, "nothing").empty());
  EXPECT_THAT(distinct_numbers(rows, "n"), testing::ElementsAre(1, 2, 3));
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
