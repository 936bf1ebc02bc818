#include "wordsway/study/summary.h"

#include <cmath>

#include <gmock/gmock.h>

namespace wordsway {
namespace {

Record row(const char* map, std::int64_t trial, double value) {
  return {{"map", map}, {"n", std::int64_t{10}}, {"trial", trial}, {"seed", std::int64_t{1}}, {"sensitivity", value}};
}

TEST(SummaryTest, GivesMeanAndDeviationOfEachPoint) {
  const auto points = summarise_points({row("raf", 0, 1), row("rf", 0, 5), row("raf", 1, 2), row("raf", 2, 6)});
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].text("map"), "raf");
  EXPECT_EQ(points[0].number("trials"), 3);
  EXPECT_DOUBLE_EQ(points[0].number("sensitivity"), 3);
  EXPECT_DOUBLE_EQ(points[0].number("sensitivity_deviation"), std::sqrt(7.0));
  EXPECT_DOUBLE_EQ(points[1].number("sensitivity"), 5);
  EXPECT_TRUE(points[1].missing("sensitivity_deviation"));
  EXPECT_EQ(points[0].find("seed"), nullptr);
}

TEST(SummaryTest, TellsRowsOfOneTaskApartByTheirTexts) {
  const auto of = [](const char* training, double penalty, double error) {
    return Record{
        {"map", "raf"}, {"trial", std::int64_t{0}}, {"training", training}, {"penalty", penalty}, {"error", error}};
  };
  const auto points = summarise_points({of("retrain", 1, 0.5), of("fine-tune", 1, 0.1), of("retrain", 0.1, 0.2)});
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[1].text("training"), "fine-tune");
  EXPECT_EQ(points[1].number("error"), 0.1);
}

TEST(SummaryTest, CountsFailedTrialsAndNothingElseOfThem) {
  const Record failed{{"map", "raf"}, {"n", std::int64_t{10}}, {"trial", std::int64_t{1}}, {"failure", "no"}};
  const auto points = summarise_points({row("raf", 0, 1), failed});
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].number("trials"), 1);
  EXPECT_EQ(points[0].number("failed"), 1);
  EXPECT_EQ(points[0].number("sensitivity"), 1);
}

TEST(SummaryTest, TakesMeansOfEveryNumberAndOfNothingElse) {
  Record first = row("raf", 0, 1), second = row("raf", 1, 3);
  for (Record* each : {&first, &second}) {
    each->set("evaluations", static_cast<std::int64_t>(10 * each->number("sensitivity")));
    each->set("token", std::int64_t{4});
    each->set("converged", true);
  }
  first.set("predicted", 0.5);
  second.set("predicted", Value());
  const Record point = summarise_points({first, second}).front();
  EXPECT_DOUBLE_EQ(point.number("evaluations"), 20);
  EXPECT_DOUBLE_EQ(point.number("evaluations_deviation"), std::sqrt(200.0));
  EXPECT_DOUBLE_EQ(point.number("predicted"), 0.5) << "over the trials that have one";
  EXPECT_TRUE(point.missing("predicted_deviation"));
  for (const char* name : {"token", "converged", "trial"}) EXPECT_EQ(point.find(name), nullptr) << name;
}

TEST(SummaryTest, KeepsAPointOfWhichEveryTrialFailed) {
  const auto points =
      summarise_points({{{"map", "rf"}, {"trial", std::int64_t{0}}, {"failure", "too large"}}, row("raf", 0, 2)});
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].number("trials"), 0);
  EXPECT_EQ(points[0].number("failed"), 1);
  EXPECT_TRUE(points[0].missing("sensitivity"));
  EXPECT_TRUE(summarise_points({}).empty());
}

}  // namespace
}  // namespace wordsway
