// Round numbers on axes.
#include <gmock/gmock.h>

#include "wordsway/draw/chart.h"

namespace wordsway {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(const Axis& axis, size_t most) {
  std::vector<std::string> result;
  for (const Tick& tick : ticks_of(axis, most)) result.push_back(tick.label.plain());
  return result;
}

TEST(Ticks, OfLinearAxesAreRound) {
  EXPECT_THAT(labels({.low = 0, .high = 1}, 6), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1"));
  EXPECT_THAT(labels({.low = -3, .high = 11}, 4), ElementsAre("0", "5", "10"));
  EXPECT_THAT(labels({.low = 0, .high = 0.3}, 4), ElementsAre("0", "0.1", "0.2", "0.3"));
}

TEST(Ticks, OfLogarithmicAxesAreStepsOfDecades) {
  EXPECT_THAT(labels({.logarithmic = true, .low = 0.3, .high = 6}, 8), ElementsAre("0.5", "1", "2", "5"));
  EXPECT_THAT(labels({.logarithmic = true, .low = 0.5, .high = 2e4}, 8),
              ElementsAre("1", "10", "100", "1000", "10000"));
  EXPECT_THAT(labels({.logarithmic = true, .low = 3.1, .high = 3.9}, 5).size(), testing::Gt(1U)) << "within a step";
}

TEST(Ticks, OfManyDecadesAreFew) {
  const auto found = labels({.logarithmic = true, .low = 1e-280, .high = 1e280}, 8);
  EXPECT_GT(found.size(), 4U);
  EXPECT_LE(found.size(), 8U);
  EXPECT_THAT(found, testing::Contains("10⁻¹⁰⁰"));
}

TEST(Ticks, AreThoseOfTheAxisWhereItHasSome) {
  EXPECT_THAT(labels({.ticks = {{3, "three"}}}, 1), ElementsAre("three"));
}

TEST(Ticks, EndOnAnyAxis) {
  for (const double high : {1e-290, 1e-300, 1e290, 1.0000000001})
    for (const bool logarithmic : {false, true})
      EXPECT_LT(ticks_of({.logarithmic = logarithmic, .low = logarithmic ? high / 8 : 0, .high = high}, 10).size(), 40U)
          << high;
}

}  // namespace
}  // namespace wordsway
