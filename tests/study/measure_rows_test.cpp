// Fits through rows of measurements: what makes a curve, and what a fit says of it.
#include "wordsway/study/measure_rows.h"

#include <cmath>

#include <gmock/gmock.h>

#include "wordsway/core/error.h"
#include "wordsway/data/data_source.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {
namespace {

using testing::ElementsAre;

MeasureConfig small_rows(std::vector<std::string> maps) {
  MeasureConfig config;
  config.maps = std::move(maps);
  config.n = {4, 6, 9};
  config.d = {3};
  config.trials = 1;
  config.data = synthetic_source("sphere", 1);
  return config;
}

std::vector<Record> rows_of(const MeasureConfig& config) {
  const MeasureStudy study(config);
  std::vector<Record> rows;
  for (Index task = 0; task < study.size(); ++task) rows.push_back(study.run(task).front());
  return rows;
}

std::vector<std::string> names_of(const Record& record) {
  std::vector<std::string> names;
  for (const auto& [name, value] : record.fields()) names.push_back(name);
  return names;
}

TEST(Fits, HaveEveryParameterInWhichTheirCurvesDiffer) {
  MeasureConfig config = small_rows({"rf"});
  config.parameters["activation"] = parameter_list<std::string>({"gelu", "relu"});
  const auto fits = fit_curves(rows_of(config));
  ASSERT_EQ(fits.size(), 2U);
  EXPECT_EQ(fits[0].text("activation"), "gelu");
  EXPECT_EQ(fits[1].text("activation"), "relu");
  EXPECT_THAT(names_of(fits[0]),
              ElementsAre("map", "d", "depth", "exponent", "exponent_low", "exponent_high", "activation"));
}

TEST(Fits, FollowTheWidthThatGrowsWithNButNotOneThatWasGiven) {
  const auto by_default = fit_curves(rows_of(small_rows({"rf"})));
  ASSERT_EQ(by_default.size(), 1U);
  EXPECT_TRUE(by_default[0].missing("width"));
  MeasureConfig config = small_rows({"rf"});
  config.parameters["width"] = parameter_list<Index>({12, 30});  // 12 is also n·d at the first n
  const auto given = fit_curves(rows_of(config));
  ASSERT_EQ(given.size(), 2U);
  EXPECT_EQ(given[0].number("width"), 12);
  EXPECT_EQ(given[1].number("width"), 30);
}

TEST(Fits, TellCurvesOfDifferentlyManyMovedTokensApart) {
  MeasureConfig config = small_rows({"rf"});
  config.moved_tokens = {1, 3};
  const auto fits = fit_curves(rows_of(config));
  ASSERT_EQ(fits.size(), 2U);
  EXPECT_EQ(fits[0].number("moved_tokens"), 1);
  EXPECT_EQ(fits[1].number("moved_tokens"), 3);
  EXPECT_TRUE(fits[0].missing("width")) << "it follows n";
}

// As in the figure `width`, whose widths are told in units of n·d: only those of k = n·d make a curve.
TEST(Fits, FindTheWidthThatGrowsWithNAmongOthers) {
  std::vector<Record> rows;
  for (const Index n : {4, 6, 9}) {
    MeasureConfig config = small_rows({"rf"});
    config.n = {n};
    config.parameters["width"] = parameter_list<Index>({n * 3, n * 3 * 4 + 1});
    for (Record& row : rows_of(config)) rows.push_back(std::move(row));
  }
  const auto fits = fit_curves(rows);
  ASSERT_EQ(fits.size(), 1U);
  EXPECT_TRUE(fits[0].missing("width"));
  EXPECT_EQ(fits[0].number("exponent"), fit_curves(rows_of(small_rows({"rf"})))[0].number("exponent"));
}

TEST(Fits, TellMapsWithDifferentParametersApart) {
  MeasureConfig config = small_rows({"drf", "raf", "raf-relu"});
  config.parameters["depth"] = parameter_list<Index>({1, 2});
  config.parameters["beta"] = parameter_list<double>({0.5, 2});
  std::vector<std::string> curves;
  for (const Record& fit : fit_curves(rows_of(config)))
    curves.push_back(fit.text("map") + (fit.missing("depth") ? "" : " " + std::to_string(int(fit.number("depth")))) +
                     (fit.missing("beta") ? "" : " " + std::to_string(fit.number("beta")).substr(0, 3)));
  EXPECT_THAT(curves, ElementsAre("drf 1", "drf 2", "raf 0.5", "raf 2.0", "raf-relu"));
}

// S = n^exponent at these sizes, for attention maps with a β.
std::vector<Record> power_law(const char* map, double beta, double exponent, const std::vector<std::int64_t>& sizes) {
  std::vector<Record> rows;
  for (const std::int64_t n : sizes)
    rows.push_back({{"map", map},
                    {"n", n},
                    {"d", std::int64_t{3}},
                    {"beta", beta},
                    {"sensitivity", std::pow(static_cast<double>(n), exponent)}});
  return rows;
}

TEST(Fits, FindTheExponentOfEachCurveAndNotOfTheirMixture) {
  std::vector<Record> rows = power_law("raf", 1, -0.5, {4, 8, 16});
  for (const Record& row : power_law("raf", 2, 0.25, {4, 8, 16})) rows.push_back(row);
  const auto fits = fit_curves(rows);
  ASSERT_EQ(fits.size(), 2U);
  EXPECT_NEAR(fits[0].number("exponent"), -0.5, 1e-12);
  EXPECT_NEAR(fits[1].number("exponent"), 0.25, 1e-12);
  EXPECT_LE(fits[0].number("exponent_low"), fits[0].number("exponent"));
  EXPECT_GE(fits[0].number("exponent_high"), fits[0].number("exponent"));
}

TEST(Fits, NeedThreeDifferentSizesThatWereMeasured) {
  EXPECT_TRUE(fit_curves(power_law("raf", 1, -0.5, {4, 8, 8, 8})).empty());
  std::vector<Record> rows = power_law("raf", 1, -0.5, {4, 8, 16});
  rows.back().set("sensitivity", Value());
  EXPECT_TRUE(fit_curves(rows).empty());
  rows.push_back(power_law("raf", 1, -0.5, {32}).front());
  ASSERT_EQ(fit_curves(rows).size(), 1U) << "a failed row spoils nothing but itself";
  EXPECT_NEAR(fit_curves(rows)[0].number("exponent"), -0.5, 1e-12);
}

TEST(Fits, DoNotJoinDimensionsOrWaysOfDrawing) {
  std::vector<Record> rows = power_law("raf", 1, -0.5, {4, 8});
  Record other = power_law("raf", 1, -0.5, {16}).front();
  other.set("d", std::int64_t{5});
  rows.push_back(other);
  EXPECT_TRUE(fit_curves(rows).empty());
  rows.back() = power_law("raf", 1, -0.5, {16}).front();
  rows.back().set("random", "dense");
  EXPECT_TRUE(fit_curves(rows).empty());
}

TEST(MeasuredRows, HoldWhatTheSearchFoundAndLeavePredictionsOpen) {
  TokenSensitivity found;
  found.token = 3;
  found.sensitivity = 0.5;
  found.delta = Vector::Constant(4, 2);
  found.starts = 5;
  found.evaluations = 77;
  found.converged = true;
  Record row;
  add_sensitivity(row, found, 9);
  EXPECT_EQ(row.number("token"), 3);
  EXPECT_EQ(row.number("delta_norm"), 4);
  EXPECT_EQ(row.number("feature_norm"), 9);
  EXPECT_EQ(row.number("evaluations"), 77);
  EXPECT_EQ(*row.find("converged"), Value(true));
  for (const char* open : {"predicted", "predicted_finite", "upper_bound", "upper_bound_probability"}) {
    ASSERT_NE(row.find(open), nullptr) << open << " keeps its column";
    EXPECT_TRUE(row.missing(open)) << open;
  }
  found.upper_bound = 0.75;
  add_sensitivity(row, found, 9);
  EXPECT_EQ(row.number("upper_bound"), 0.75);
}

TEST(MeasureStudy, HasTheKeysOfTheFirstVersionInTheirOrder) {
  const MeasureStudy study(small_rows({"raf"}));
  EXPECT_THAT(names_of(study.key(0)),
              ElementsAre("map", "n", "d", "depth", "width", "activation", "beta", "random", "trial", "seed"));
  const Record config = study.config();
  EXPECT_EQ(*config.find("beta"), Value(std::vector<double>{1}));
  EXPECT_EQ(*config.find("depth"), Value(std::vector<std::int64_t>{1}));
  EXPECT_EQ(*config.find("width"), Value());
  EXPECT_EQ(*config.find("activation"), Value(std::vector<std::string>{"relu"}));
}

TEST(MeasureStudy, RefusesParametersThatItsMapsDoNotHaveOrNotInThatRange) {
  MeasureConfig config = small_rows({"rf"});
  config.parameters["beta"] = parameter_list<double>({1});
  EXPECT_THROW(MeasureStudy{config}, UsageError);
  config = small_rows({"drf"});
  config.parameters["depth"] = parameter_list<Index>({2, 0});
  EXPECT_THROW(MeasureStudy{config}, UsageError);
  config = small_rows({"rf"});
  config.parameters["activaton"] = parameter_list<std::string>({"relu"});
  EXPECT_THROW(MeasureStudy{config}, UsageError);
}

TEST(MeasureStudy, TakesTheWidthFromGivenWeights) {
  MeasureConfig config = small_rows({"rf"});
  config.n = {4};
  config.weights = Matrix::Random(5, 12);
  EXPECT_EQ(MeasureStudy(config).key(0).number("width"), 5);
  config.parameters["width"] = parameter_list<Index>({6});
  EXPECT_EQ(MeasureStudy(config).key(0).number("width"), 6);
  EXPECT_THROW(MeasureStudy(config).run(0), DataError);
}

}  // namespace
}  // namespace wordsway
