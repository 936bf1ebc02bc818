// What the charts of figures and commands show: numbers, axes, bands, names.
#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "figures/made_up_bars.h"
#include "figures/made_up_rows.h"
#include "support/xml_check.h"
#include "wordsway/core/error.h"
#include "wordsway/draw/colours.h"
#include "wordsway/draw/svg.h"
#include "wordsway/figures/bar_chart.h"
#include "wordsway/figures/generalization_chart.h"
#include "wordsway/figures/heat_map.h"
#include "wordsway/figures/line_chart.h"
#include "wordsway/figures/model_charts.h"

namespace wordsway::test::figure_charts {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A picture that any reader takes.
std::string drawn(const Chart& chart) {
  const std::string svg = draw_svg(chart, SvgUse::kFile).markup;
  EXPECT_EQ(what_is_wrong_with_xml(svg), "");
  return svg;
}

// x, y, low and high of the points.
std::vector<std::vector<double>> points_of(const Curve& curve) {
  std::vector<std::vector<double>> points;
  for (const CurvePoint& point : curve.points) points.push_back({point.x, point.y, point.low, point.high});
  return points;
}

std::vector<std::string> names_of(const std::vector<LegendEntry>& legend) {
  std::vector<std::string> names;
  for (const LegendEntry& entry : legend) names.push_back(entry.label.plain());
  return names;
}

std::vector<std::string> labels_of(const std::vector<Tick>& ticks) {
  std::vector<std::string> labels;
  for (const Tick& tick : ticks) labels.push_back(tick.label.plain());
  return labels;
}

LineChart line(const std::vector<double>& y, const std::vector<double>& deviation = {}) {
  LineChart chart;
  chart.title = "A line";
  chart.series = {{"curve", {10, 20, 40}, y, deviation}};
  return chart;
}

LineChart linear(LineChart chart) {
  chart.log_x = chart.log_y = false;
  return chart;
}

const Panel& panel_of(const Chart& chart) {
  return chart.panels.at(0);
}

// Lines.

TEST(LineCharts, LeaveOutWhatHasNoLogarithmAndNothingElse) {
  using Points = std::vector<std::vector<double>>;
  const auto shown = [](const LineChart& chart) { return points_of(panel_of(chart_of(chart)).curves[0]); };
  EXPECT_EQ(shown(line({1, 0, 0.25})), (Points{{10, 1, 1, 1}, {40, 0.25, 0.25, 0.25}}));
  EXPECT_EQ(shown(line({1, -3, 0.25})), (Points{{10, 1, 1, 1}, {40, 0.25, 0.25, 0.25}}));
  EXPECT_EQ(shown(linear(line({1, 0, 0.25})))[1], (std::vector<double>{20, 0, 0, 0}));
}

TEST(LineCharts, ReachTheAxisOnlyWhereItHasAZero) {
  const LineChart chart = line({1, 1, 1}, {0.5, 3, 0});
  EXPECT_EQ(points_of(panel_of(chart_of(chart)).curves[0])[1], (std::vector<double>{20, 1, 0.1, 4}))
      << "a tenth of the value";
  EXPECT_EQ(points_of(panel_of(chart_of(linear(chart))).curves[0])[1], (std::vector<double>{20, 1, -2, 4}));
}

TEST(LineCharts, HaveBandsOnlyWhereThereAreDeviations) {
  EXPECT_EQ(panel_of(chart_of(line({1, 2, 3}))).curves[0].band_opacity, 0);
  EXPECT_GT(panel_of(chart_of(line({1, 2, 3}, {0, 0, 0}))).curves[0].band_opacity, 0);
}

TEST(LineCharts, ShowAtLeastADecadeSoThatAFlatCurveLooksFlat) {
  const Axis flat = panel_of(chart_of(line({8, 8, 8}))).y, falling = panel_of(chart_of(line({16, 4, 1.6}))).y;
  EXPECT_TRUE(flat.logarithmic);
  EXPECT_DOUBLE_EQ(flat.low, 1);
  EXPECT_DOUBLE_EQ(flat.high, 12.8);
  EXPECT_DOUBLE_EQ(falling.low, 1) << "room below the lowest point";
}

TEST(LineCharts, OnLinearAxesBeginAtZeroAndHoldTheBand) {
  const Axis axis = panel_of(chart_of(linear(line({1, 2, 1}, {0, 8, 0})))).y;
  EXPECT_EQ(axis.low, 0);
  EXPECT_DOUBLE_EQ(axis.high, 11);
  EXPECT_EQ(panel_of(chart_of(linear(line({0, 0, 0})))).y.high, 1);
  EXPECT_LT(panel_of(chart_of(linear(line({-2, 1, 1})))).y.low, -2) << "negative values are seen, too";
}

TEST(LineCharts, DrawGuidesThroughTheUpperLeft) {
  LineChart chart = line({4, 3, 2});
  chart.reference_slopes = {-0.5, 0};
  const Chart with_guides = chart_of(chart);
  EXPECT_THAT(names_of(with_guides.legend), ElementsAre("curve", "slope \u22120.5", "constant"));
  const Curve& guide = panel_of(with_guides).curves.at(1);
  EXPECT_EQ(guide.line, Line::kDashed);
  EXPECT_NEAR(guide.points.front().y, 4, 1e-9);
  EXPECT_NEAR(guide.points.back().y, 2, 1e-9) << "4·(40/10)^-0.5";
  EXPECT_THAT(panel_of(chart_of(linear(chart))).curves, SizeIs(1)) << "guides are straight on logarithmic axes only";
}

TEST(LineCharts, KeepCurvesApartByColourAndShape) {
  LineChart chart = line({4, 3, 2});
  chart.series.push_back({"other", {10, 30}, {1, 2}});
  const Panel panel = panel_of(chart_of(chart));
  EXPECT_EQ(panel.curves[0].colour, palette_colour(0, 2));
  EXPECT_EQ(panel.curves[1].colour, palette_colour(1, 2));
  EXPECT_NE(panel.curves[0].shape, panel.curves[1].shape);
  EXPECT_THAT(labels_of(panel.x.ticks), ElementsAre("10", "20", "30", "40"));
}

TEST(LineCharts, GiveSizesNoTicksWhereTheyWouldBeCrowdedOrBroken) {
  LineChart crowded;
  crowded.series = {{"curve", {}, {}}};
  for (int k = 1; k <= 13; ++k) {
    crowded.series[0].x.push_back(k);
    crowded.series[0].y.push_back(1);
  }
  EXPECT_THAT(panel_of(chart_of(crowded)).x.ticks, IsEmpty());
  LineChart halves = linear(line({1, 1, 1}));
  EXPECT_THAT(panel_of(chart_of(halves)).x.ticks, SizeIs(3));
  halves.series[0].x = {0.5, 1, 1.5};
  EXPECT_THAT(panel_of(chart_of(halves)).x.ticks, IsEmpty());
}

TEST(LineCharts, OfZerosHaveALinearAxis) {
  LineChart chart = line({0, 0, 0});
  chart.reference_slopes = {-0.5};
  EXPECT_FALSE(panel_of(chart_of(chart)).y.logarithmic);
  EXPECT_THAT(names_of(chart_of(chart).legend), ElementsAre("curve"));
  chart.series[0].y[1] = 1;
  EXPECT_TRUE(panel_of(chart_of(chart)).y.logarithmic) << "one value is enough for a logarithm";
}

TEST(LineCharts, WithNothingToShowSaySo) {
  LineChart infinite = line({kNan, kInfinity, -kInfinity}), nowhere = linear(line({1, 2, 3})), without_series;
  nowhere.series[0].x = {kNan, -kInfinity, kInfinity};
  without_series.title = "A line";
  for (const LineChart& chart : {infinite, nowhere, without_series}) {
    EXPECT_THAT(chart_of(chart).panels, IsEmpty());
    EXPECT_THAT(drawn(chart_of(chart)), AllOf(HasSubstr("nothing to draw"), HasSubstr("A line")));
  }
}

TEST(LineCharts, DrawAnyDoubles) {
  const std::vector<double> values = {0,         -1,
                                      5e-324,    1e-310,
                                      2.2e-308,  1e-290,
                                      1e-30,     1,
                                      1,         1.0000000000000002,
                                      1e30,      1e290,
                                      1e308,     std::numeric_limits<double>::max(),
                                      kInfinity, -kInfinity,
                                      kNan};
  std::vector<double> places(values.size());
  for (size_t k = 0; k < places.size(); ++k) places[k] = static_cast<double>(k);
  const auto draw = [](const std::vector<double>& x, const std::vector<double>& y, bool logarithmic,
                       const std::vector<double>& deviation = {}) {
    LineChart chart;
    chart.log_x = chart.log_y = logarithmic;
    chart.series = {{"curve", x, y, deviation}};
    chart.reference_slopes = {-0.5, 0, 1};
    const std::string svg = drawn(chart_of(chart));
    for (const char* wrong : {"nan", "\"inf", ",inf", "-inf"}) EXPECT_EQ(svg.find(wrong), std::string::npos) << wrong;
  };
  for (const bool logarithmic : {false, true}) {
    draw(places, values, logarithmic, values);
    draw(values, values, logarithmic, values);
    for (const double value : values) {
      SCOPED_TRACE(value);
      draw({3}, {value}, logarithmic);
      draw({3, 4}, {value, value}, logarithmic);
    }
  }
}

// Bars.

TEST(BarCharts, HaveNoMarkForAMissingValue) {
  BarChart chart = made_up_bars({{"love", 1.5}, {"her", 0.5}, {"smile", 0}});
  chart.series.push_back({"worst", {2, std::nullopt, -1}, {"a", "b", "c"}});
  const Panel panel = panel_of(chart_of(chart));
  using Values = std::vector<std::optional<double>>;
  EXPECT_EQ(panel.marks.at(0).values, (Values{1.5, 0.5, 0.0}));
  EXPECT_EQ(panel.marks.at(1).values, (Values{2.0, std::nullopt, std::nullopt}));
  EXPECT_EQ(panel.marks[0].shape, Shape::kNone) << "bars";
  EXPECT_NE(panel.marks[1].shape, Shape::kNone);
  const std::string svg = drawn(chart_of(chart));
  EXPECT_THAT(svg,
              AllOf(HasSubstr(">a</text>"), testing::Not(HasSubstr(">b</text>")), testing::Not(HasSubstr(">c</text>"))))
      << "a note stands beside a mark";
}

TEST(BarCharts, HaveALegendForSeveralSeries) {
  BarChart chart = made_up_bars({{"love", 1.5}});
  EXPECT_THAT(chart_of(chart).legend, IsEmpty());
  chart.series.push_back({"worst", {2}, {}});
  EXPECT_THAT(chart_of(chart).legend, SizeIs(2));
}

TEST(BarCharts, GrowWithTheirRows) {
  const auto height = [&](size_t rows) {
    return draw_svg(chart_of(made_up_bars(std::vector<std::pair<std::string, double>>(rows, {"a", 1.0}))),
                    SvgUse::kPage)
        .height;
  };
  EXPECT_EQ(height(6) - height(4), 2 * 34);
  EXPECT_GT(height(12), height(3));
  EXPECT_EQ(height(100) - height(60), 40 * 22);
  EXPECT_LT(height(5000), 32767) << "more than a png can hold";
  EXPECT_EQ(chart_of(made_up_bars(std::vector<std::pair<std::string, double>>(5000, {"a", 1.0}))).remark,
            Text("4000 more rows are not drawn"));
}

TEST(BarCharts, PutNotesWhereNoMarkIs) {
  BarChart chart = made_up_bars({{"word", 0.2}});
  chart.series.push_back({"worst", {0.5}, {"note"}});
  chart.series.push_back({"ball", {1}, {}});
  const auto note_at = [&](double worst, double ball) {
    chart.series[1].values[0] = worst;
    chart.series[2].values[0] = ball;
    const std::string svg = drawn(chart_of(chart));
    const size_t before = svg.rfind("<text x=\"", svg.find(">note</text>"));
    return std::stod(svg.substr(before + 9));
  };
  const double left = 12 + 8 + 34, width = 760 - 24 - left;  // roughly: of the field
  EXPECT_GT(note_at(0.5, 1), left + 0.45 * width) << "right of its mark";
  EXPECT_LT(note_at(0.5, 1), left + 0.6 * width);
  EXPECT_LT(note_at(0.95, 1), left + 0.9 * width) << "left of its mark, where another is to the right";
  EXPECT_GT(note_at(0.22, 0.24), left + 0.8 * width) << "behind both, where the bar is to the left";
}

TEST(BarCharts, OfAnyValuesAreDrawn) {
  for (const double value : {0.0, -1.0, 5e-324, 1e-300, 1e-290, 1e-280, 1e289, 1e290, 1e300, kInfinity, kNan}) {
    SCOPED_TRACE(value);
    BarChart chart = made_up_bars({{"one", value}, {"same", value}});
    chart.series.push_back({"marks", {value, value}, {"a note", "another"}});
    EXPECT_THAT(drawn(chart_of(chart)), HasSubstr("same"));
  }
  EXPECT_EQ(panel_of(chart_of(made_up_bars({{"love", 0}}))).x.high, 1);
  EXPECT_DOUBLE_EQ(panel_of(chart_of(made_up_bars({{"love", 0.5}}))).x.high, 0.51);
  EXPECT_THAT(drawn(chart_of(made_up_bars({}))), HasSubstr("nothing to draw"));
}

TEST(WordsChart, GoesByTheDivergenceWhereThereIsOne) {
  Record row{{"word", "good"},       {"typical", 0.5},     {"worst_word", "bad"},
             {"worst_change", 0.75}, {"dropped", Value()}, {"sensitivity", 2.}};
  EXPECT_EQ(words_chart({row}, "m", "last").series.size(), 3U) << "nothing was dropped";
  EXPECT_EQ(words_chart({row}, "m", "last").series.back().values.front(), 2);
  row.merge({{"typical_divergence", 0.1}, {"worst_divergence", 0.2}, {"dropped_divergence", 0.05}});
  const BarChart chart = words_chart({row}, "m", "logits");
  ASSERT_EQ(chart.series.size(), 3U);
  for (const auto& [series, value] : {std::pair(0, 0.1), std::pair(1, 0.2), std::pair(2, 0.05)})
    EXPECT_EQ(chart.series[static_cast<size_t>(series)].values.front(), value);
  EXPECT_EQ(chart.series[1].notes.front(), "→ bad");
  EXPECT_THAT(chart.value_label, HasSubstr("bits"));
}

// Heat maps.

TEST(HeatMaps, ShareOneScaleAndStandSideBySide) {
  const Chart chart = chart_of(
      HeatMap{"", "", "", {{"", {}, {}, Matrix::Constant(2, 2, 0.5)}, {"", {}, {}, Matrix::Constant(2, 2, 3)}}}, 300,
      200);
  EXPECT_EQ(chart.largest_cell, 3);
  EXPECT_EQ(chart.columns, 2U);
  EXPECT_EQ(chart.width, 600);
  EXPECT_EQ(chart_of(HeatMap{"", "", "", {{"", {}, {}, Matrix::Zero(2, 2)}}}).largest_cell, 1);
}

TEST(HeatMaps, OfAnyContentAreDrawn) {
  for (const double value : {-1.0, 0.0, 5e-324, 1e-300, 1e308, kInfinity, kNan}) {
    SCOPED_TRACE(value);
    for (const auto& [rows, columns] : {std::pair(0, 0), std::pair(1, 1), std::pair(1, 3), std::pair(60, 60)})
      drawn(chart_of(HeatMap{"A matrix",
                             "from",
                             "to",
                             {{"panel",
                               std::vector<std::string>(static_cast<size_t>(rows), "w"),
                               {},
                               Matrix::Constant(rows, columns, value)}}}));
  }
  EXPECT_THAT(drawn(chart_of(HeatMap{"Panels", "", "", {}})), HasSubstr("nothing to draw"));
  EXPECT_THROW(chart_of(HeatMap{"Too many", "", "", std::vector<HeatPanel>(101)}), UsageError);
}

// Learning.

std::vector<double> errors_of(const Panel& panel) {
  std::vector<double> errors;
  for (size_t c = 1; c < panel.curves.size(); ++c)  // after the guide
    for (const CurvePoint& point : panel.curves[c].points) errors.push_back(point.y);
  return errors;
}

TEST(LearningCharts, PutEachPointIntoItsPanel) {
  const Rows rows = with(joined(learnt("raf", 40, 1, 0.5, 0), learnt("raf", 120, 2, 0.7, 0)), "train_size", 100.0);
  const Chart chart = generalization_chart(rows);
  ASSERT_THAT(chart.panels, SizeIs(4)) << "rows of panels are trainings, columns lengths";
  EXPECT_EQ(chart.columns, 2U);
  EXPECT_EQ(chart.panels[0].title, Text("raf, n = 40, fine-tuned"));
  EXPECT_EQ(chart.panels[3].title, Text("raf, n = 120, re-trained"));
  for (const size_t panel : {0U, 2U})
    EXPECT_THAT(errors_of(chart.panels[panel]), ElementsAre(0.99, 1, 1.01, 0.99, 1, 1.01));
  for (const size_t panel : {1U, 3U})
    EXPECT_THAT(errors_of(chart.panels[panel]), ElementsAre(1.98, 2, 2.02, 1.98, 2, 2.02));
}

TEST(LearningCharts, DrawWhatIsOutsideAtTheEdge) {
  const Chart chart = generalization_chart(with(learnt("raf", 40, 1e-9, 50, 0), "train_size", 100.0));
  EXPECT_EQ(panel_of(chart).curves[1].points[0].x, 4);
  EXPECT_EQ(panel_of(chart).curves[1].points[0].y, 1e-4);
  EXPECT_DOUBLE_EQ(panel_of(chart).x.high, 4.2);
  EXPECT_THAT(labels_of(panel_of(chart).y.ticks), ElementsAre("10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "10⁰"));
}

TEST(LearningCharts, TellColoursByTheFieldThatIsAskedFor) {
  const Chart chart = generalization_chart(learnt("raf", 40, 1, 0.5, 0), "penalty");  // a penalty only for the error
  EXPECT_THAT(names_of(chart.legend), ElementsAre("max(0, 2 − γ)²", "objective error", "penalty 1"));
}

TEST(LearningCharts, LeaveOutRowsThatFailed) {
  const Record good{{"map", "rf"},           {"n", std::int64_t{5}}, {"train_size", std::int64_t{8}},
                    {"training", "retrain"}, {"objective", "align"}, {"gamma", 0.5},
                    {"error", 0.3}};
  std::vector<Record> rows;
  for (const char* field : {"map", "n", "train_size", "training", "objective", "gamma", "error"})
    for (const Value& value : {Value(), Value(kNan), Value(kInfinity), Value("failed")}) {
      Record row = good;
      row.set(field, value);
      rows.push_back(row);
    }
  EXPECT_THAT(drawn(generalization_chart({rows.begin() + 4, rows.end()})), HasSubstr("nothing to draw"));
  rows.push_back(good);
  EXPECT_THAT(drawn(generalization_chart(rows)), AllOf(HasSubstr("rf, n = 5, re-trained"), HasSubstr("N = 8")));
  rows.back().set("error", 1e200);
  rows.back().set("gamma", 1e200);
  drawn(generalization_chart(rows));
}

}  // namespace
}  // namespace wordsway::test::figure_charts
