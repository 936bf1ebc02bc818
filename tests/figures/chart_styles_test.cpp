// Bands around means, and colours of maps.
#include <gmock/gmock.h>

#include "wordsway/core/error.h"
#include "wordsway/draw/colours.h"
#include "wordsway/figures/curve_colours.h"
#include "wordsway/figures/line_chart.h"

namespace wordsway {
namespace {

TEST(ChartStyles, ShowDeviationsErrorsOrIntervalsOfTheMean) {
  LineChart chart;
  chart.series = {{"raf", {10, 20}, {2, 1}, {0.5, 0.25}, {4, 4}}, {"rf", {10, 20}, {1, 0.5}}};
  const auto half_width = [&](Bands bands) {
    const CurvePoint point = shown_points(chart, chart.series[0], bands).front();
    EXPECT_NEAR(point.high - point.y, point.y - point.low, 1e-12);
    return point.high - point.y;
  };
  EXPECT_DOUBLE_EQ(half_width(Bands::kDeviation), 0.5);
  EXPECT_DOUBLE_EQ(half_width(Bands::kStandardError), 0.25);
  EXPECT_NEAR(half_width(Bands::kInterval), 3.182446 * 0.25, 1e-5);  // Student's t of 3 degrees of freedom
  EXPECT_EQ(shown_points(chart, chart.series[1], Bands::kInterval).front().high, 1) << "no deviation, no band";
  EXPECT_EQ(with_bands("bands of one standard deviation.", Bands::kInterval), "bands of the 95% interval of the mean.");
  EXPECT_THROW(parse_bands("sigma"), UsageError);
}

TEST(ChartStyles, GiveAMapOneColourInAllCharts) {
  const auto alone = curve_colours({"raf"}), among = curve_colours({"rf", "raf, n^-0.05", "raf-relu (n^-0.6)"});
  EXPECT_EQ(alone[0], among[1]);
  EXPECT_NE(among[0], among[2]);
  // Several curves of one map are told apart by the palette.
  const auto same = curve_colours({"raf, d = 64", "raf, d = 128"});
  EXPECT_NE(same[0], same[1]);
  EXPECT_EQ(same[0], palette_colour(0, 2));
}

}  // namespace
}  // namespace wordsway
