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

MeasureConfig small(std::vector<std::string> maps) {
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
  MeasureConfig config = small({"rf"});
  config.parameters["activation"] = parameter_list<std::string>({"gelu", "relu"});
  const auto fits = fit_curves(rows_of(config));
  ASSERT_EQ(fits.size(), 2U);
  EXPECT_EQ(fits[0].text("activation"), "gelu");
  EXPECT_EQ(fits[1].text("activation"), "relu");
  EXPECT_THAT(names_of(fits[0]),
              ElementsAre("map", "d", "depth", "exponent", "exponent_low", "exponent_high", "activation"));
}

TEST(Fits, FollowTheWidthThatGrowsWithNButNotOneThatWasGiven) {
  const auto by_default = fit_curves(rows_of(small({"rf"})));
  ASSERT_EQ(by_default.size(), 1U);
  EXPECT_TRUE(by_default[0].missing("width"));
  MeasureConfig config = small({"rf"});
  config.parameters["width"] = parameter_list<Index>({12, 30});  // 12 is also n·d at the first n
  const auto given = fit_curves(rows_of(config));
  ASSERT_EQ(given.size(), 2U);
  EXPECT_EQ(given[0].number("width"), 12);
  EXPECT_EQ(given[1].number("width"), 30);
}

// As in the figure `width`, whose widths are told in units of n·d: only those of k = n·d make a curve.
TEST(Fits, FindTheWidthThatGrowsWithNAmongOthers) {
  std::vector<Record> rows;
  for (const Index n : {4, 6, 9}) {
    MeasureConfig config = small({"rf"});
    config.n = {n};
    config.parameters["width"] = parameter_list<Index>({n * 3, n * 3 * 4 + 1});
    for (Record& row : rows_of(config)) rows.push_back(std::move(row));
  }
  const auto fits = fit_curves(rows);
  ASSERT_EQ(fits.size(), 1U);
  EXPECT_TRUE(fits[0].missing("width"));
  EXPECT_EQ(fits[0].number("exponent"), fit_curves(rows_of(small({"rf"})))[0].number("exponent"));
}

TEST(Fits, TellMapsWithDifferentParametersApart) {
  MeasureConfig config = small({"drf", "raf", "raf-relu"});
  config.parameters["depth"] = parameter_list<Index>({1, 2});
  config.parameters["beta"] = parameter_list<double>({0.5, 2});
  std::vector<std::string> curves;
  for (const Record& fit : fit_curves(rows_of(config)))
    curves.push_back(fit.text("map") + (fit.missing("depth") ? "" : " " + std::to_string(int(fit.number("depth")))) +
                     (fit.missing("beta") ? "" : " " + std::to_string(fit.number("beta")).substr(0, 3)));
  EXPECT_THAT(curves, ElementsAre("drf 1", "drf 2", "raf 0.5", "raf 2.0", "raf-relu"));
}

TEST(MeasureStudy, HasTheKeysOfTheFirstVersionInTheirOrder) {
  const MeasureStudy study(small({"raf"}));
  EXPECT_THAT(names_of(study.key(0)),
              ElementsAre("map", "n", "d", "depth", "width", "activation", "beta", "random", "trial", "seed"));
  const Record config = study.config();
  EXPECT_EQ(*config.find("beta"), Value(std::vector<double>{1}));
  EXPECT_EQ(*config.find("depth"), Value(std::vector<std::int64_t>{1}));
  EXPECT_EQ(*config.find("width"), Value());
  EXPECT_EQ(*config.find("activation"), Value(std::vector<std::string>{"relu"}));
}

TEST(MeasureStudy, RefusesParametersThatItsMapsDoNotHaveOrNotInThatRange) {
  MeasureConfig config = small({"rf"});
  config.parameters["beta"] = parameter_list<double>({1});
  EXPECT_THROW(MeasureStudy{config}, UsageError);
  config = small({"drf"});
  config.parameters["depth"] = parameter_list<Index>({2, 0});
  EXPECT_THROW(MeasureStudy{config}, UsageError);
  config = small({"rf"});
  config.parameters["activaton"] = parameter_list<std::string>({"relu"});
  EXPECT_THROW(MeasureStudy{config}, UsageError);
}

TEST(MeasureStudy, TakesTheWidthFromGivenWeights) {
  MeasureConfig config = small({"rf"});
  config.n = {4};
  config.weights = Matrix::Random(5, 12);
  EXPECT_EQ(MeasureStudy(config).key(0).number("width"), 5);
  config.parameters["width"] = parameter_list<Index>({6});
  EXPECT_EQ(MeasureStudy(config).key(0).number("width"), 6);
  EXPECT_THROW(MeasureStudy(config).run(0), DataError);
}

}  // namespace
}  // namespace wordsway
