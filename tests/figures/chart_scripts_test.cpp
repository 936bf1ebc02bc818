// What charts tell gnuplot: the numbers, axes and bands, which a picture alone does not give away.
#include <gmock/gmock.h>

#include "figures/made_up_bars.h"
#include "figures/made_up_rows.h"
#include "figures/script_catcher.h"
#include "wordsway/figures/bar_chart.h"
#include "wordsway/figures/generalization_chart.h"
#include "wordsway/figures/heat_map.h"
#include "wordsway/figures/line_chart.h"

namespace wordsway::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ChartScripts : public testing::Test {
 protected:
  std::string script_of(const LineChart& chart) const {
    write_chart(chart, {catcher_.picture()});
    return catcher_.script();
  }
  std::string script_of(const HeatMap& map) const {
    write_heat_map(map, {catcher_.picture(), 300, 200});
    return catcher_.script();
  }
  std::string script_of(const BarChart& chart) const {
    write_bar_chart(chart, {catcher_.picture()});
    return catcher_.script();
  }
  std::string script_of(const Rows& rows, const std::string& colour_field) const {
    write_generalization_chart(rows, {catcher_.picture()}, colour_field);
    return catcher_.script();
  }
  static LineChart line(const std::vector<double>& y, const std::vector<double>& deviation = {}) {
    LineChart chart;
    chart.series = {{"curve", {10, 20, 40}, y, deviation}};
    return chart;
  }
  static LineChart linear(LineChart chart) {
    chart.log_x = chart.log_y = false;
    return chart;
  }

  ScriptCatcher catcher_;
};

TEST_F(ChartScripts, LeaveOutWhatHasNoLogarithmAndNothingElse) {
  EXPECT_THAT(script_of(line({1, 0, 0.25})), HasSubstr("$series0 << EOD\n10 1 1 1\n40 0.25 0.25 0.25\nEOD\n"));
  EXPECT_THAT(script_of(line({1, -3, 0.25})), HasSubstr("EOD\n10 1 1 1\n40 0.25 0.25 0.25\nEOD\n"));
  EXPECT_THAT(script_of(linear(line({1, 0, 0.25}))), HasSubstr("\n20 0 0 0\n"));
}

TEST_F(ChartScripts, ReachTheAxisOnlyWhereItHasAZero) {
  const LineChart chart = line({1, 1, 1}, {0.5, 3, 0});
  EXPECT_THAT(script_of(chart), HasSubstr("10 1 0.5 1.5\n20 1 0.1 4\n40 1 1 1\n")) << "a tenth of the value";
  EXPECT_THAT(script_of(linear(chart)), HasSubstr("20 1 -2 4\n"));
}

TEST_F(ChartScripts, HaveBandsOnlyWhereThereAreDeviations) {
  EXPECT_THAT(script_of(line({1, 2, 3})), Not(HasSubstr("filledcurves")));
  EXPECT_THAT(script_of(line({1, 2, 3}, {0, 0, 0})), HasSubstr("$series0 using 1:3:4 with filledcurves"));
}

TEST_F(ChartScripts, ShowAtLeastADecadeSoThatAFlatCurveLooksFlat) {
  EXPECT_THAT(script_of(line({8, 8, 8})), AllOf(HasSubstr("set yrange [1:12.8]"), HasSubstr("set logscale y")));
  EXPECT_THAT(script_of(line({16, 4, 1.6})), HasSubstr("set yrange [1:25.6]")) << "room below the lowest point";
}

TEST_F(ChartScripts, OnLinearAxesBeginAtZeroAndHoldTheBand) {
  EXPECT_THAT(script_of(linear(line({1, 2, 1}, {0, 8, 0}))),
              AllOf(HasSubstr("set yrange [0:11]\n"), Not(HasSubstr("logscale"))));
  EXPECT_THAT(script_of(linear(line({0, 0, 0}))), HasSubstr("set yrange [0:1]\n"));
}

TEST_F(ChartScripts, DrawGuidesThroughTheUpperLeft) {
  LineChart chart = line({4, 3, 2});
  chart.reference_slopes = {-0.5};
  EXPECT_THAT(script_of(chart), HasSubstr(", 4*(x/10)**(-0.5) with lines dashtype (8,6)"));
  EXPECT_THAT(script_of(linear(chart)), Not(HasSubstr("dashtype (8,6)")));
}

TEST_F(ChartScripts, KeepCurvesApartByNumberAndColour) {
  LineChart chart = line({4, 3, 2});
  chart.series.push_back({"other", {10, 30}, {1, 2}, {}});
  const std::string script = script_of(chart);
  EXPECT_THAT(script, AllOf(HasSubstr("$series0 << EOD\n10 4"), HasSubstr("$series1 << EOD\n10 1 1 1\n30 2")));
  EXPECT_THAT(script, AllOf(HasSubstr("linecolor '" + palette_colour(0, 2) + "'"),
                            HasSubstr("linecolor '" + palette_colour(1, 2) + "'")));
  for (const double x : {10, 20, 30, 40}) EXPECT_THAT(script, HasSubstr(gnuplot_tic(std::to_string(int(x)), x)));
}

TEST_F(ChartScripts, GiveSizesNoTicsWhereTheyWouldBeCrowdedOrBroken) {
  LineChart crowded;
  crowded.series = {{"curve", {}, {}, {}}};
  for (int k = 1; k <= 13; ++k) {
    crowded.series[0].x.push_back(k);
    crowded.series[0].y.push_back(1);
  }
  EXPECT_THAT(script_of(crowded), Not(HasSubstr("set xtics")));
  LineChart halves = linear(line({1, 1, 1}));
  EXPECT_THAT(script_of(halves), HasSubstr("set xtics ("));
  halves.series[0].x = {0.5, 1, 1.5};
  EXPECT_THAT(script_of(halves), Not(HasSubstr("set xtics")));
}

TEST_F(ChartScripts, OfHeatMapsHoldTheMatrixRowByRowFromTheTop) {
  Matrix values(2, 3);
  values << 0.1, 0.2, 0.3, 0.4, 0.5, 0.6;
  const std::string script = script_of(HeatMap{"", "", "", {{"one", {"a", "b"}, {"x", "y", "z"}, values}}});
  EXPECT_THAT(script, HasSubstr("$panel0 << EOD\n0.1 0.2 0.3 \n0.4 0.5 0.6 \nEOD\n"));
  EXPECT_THAT(script, HasSubstr("set xrange [-0.5:2.5]\nset yrange [1.5:-0.5]\n")) << "row 0 on top";
  EXPECT_THAT(script,
              AllOf(HasSubstr("set ytics (\"a\" 0, \"b\" 1)"), HasSubstr("set xtics (\"x\" 0, \"y\" 1, \"z\" 2)")));
}

TEST_F(ChartScripts, OfHeatMapsShareOneScaleAndTheWidth) {
  const std::string script = script_of(
      HeatMap{"", "", "", {{"", {}, {}, Matrix::Constant(2, 2, 0.5)}, {"", {}, {}, Matrix::Constant(2, 2, 3)}}});
  EXPECT_THAT(script, AllOf(HasSubstr("set cbrange [0:3]"), HasSubstr("layout 1,2"), HasSubstr("size 600,200")));
  EXPECT_THAT(script, AllOf(HasSubstr("unset xtics"), HasSubstr("unset ytics")));
  EXPECT_THAT(script_of(HeatMap{"", "", "", {{"", {}, {}, Matrix::Zero(2, 2)}}}), HasSubstr("set cbrange [0:1]"));
}

TEST_F(ChartScripts, OfHeatMapsNameNoRowsThatCannotBeRead) {
  const auto named = [&](size_t rows) {
    return script_of(HeatMap{
        "", "", "", {{"", std::vector<std::string>(rows, "w"), {}, Matrix::Zero(static_cast<Index>(rows), 2)}}});
  };
  EXPECT_THAT(named(40), HasSubstr("set ytics ("));
  EXPECT_THAT(named(41), HasSubstr("unset ytics"));
}

TEST_F(ChartScripts, OfBarsHaveABlockForEachSeriesAndNoPointForAMissingValue) {
  BarChart chart = made_up_bars({{"love", 1.5}, {"her", 0.5}, {"smile", 0}});
  EXPECT_THAT(script_of(chart), AllOf(HasSubstr("$series0 << EOD\n1.5 0\n0.5 1\n0 2\nEOD\n"),
                                      HasSubstr("$series0 using 1:2:(0):1"), Not(HasSubstr("with points"))));
  chart.series.push_back({"worst", {2, std::nullopt, -1}, {"a", "b", "c"}});
  chart.series.push_back({"none", {std::nullopt}, {}});
  const std::string script = script_of(chart);
  EXPECT_THAT(script, AllOf(HasSubstr("$series1 << EOD\n2 0\nEOD\n"), HasSubstr("$series1 using 1:2 with points"),
                            HasSubstr("$series2 << EOD\nEOD\n"), Not(HasSubstr("$series2 using"))));
  EXPECT_THAT(script,
              AllOf(HasSubstr("a\" at screen"), Not(HasSubstr("b\" at screen")), Not(HasSubstr("c\" at screen"))))
      << "a note stands beside a mark";
  for (const char* name : {"worst", "none"}) EXPECT_THAT(script, HasSubstr("\"" + std::string(name) + "\" at screen"));
}

TEST_F(ChartScripts, OfBarsCutNoLabelForWhichThereIsRoom) {
  std::string label;
  for (const char* part : {"r", "a", "f", "-", "r", "e", "l", "u", "W", "i", "m", "é", "世", " ", "x", "y", "z", "k"}) {
    label += part;
    EXPECT_THAT(script_of(made_up_bars({{label, 1}})), HasSubstr(gnuplot_quoted(label))) << label;
  }
}

TEST_F(ChartScripts, OfBarsGrowWithTheirRows) {
  const auto height = [&](size_t rows) {
    const std::string script = script_of(made_up_bars(std::vector<std::pair<std::string, double>>(rows, {"a", 1.0})));
    const size_t at = script.find("size 760,") + 9;
    return std::stoi(script.substr(at, script.find(' ', at) - at));
  };
  EXPECT_EQ(height(6) - height(4), 2 * 34);
  EXPECT_GT(height(12), height(3));
  EXPECT_EQ(height(100) - height(60), 40 * 22);
  EXPECT_LT(height(5000), 32767) << "more than a png can hold";
  EXPECT_THAT(catcher_.script(), HasSubstr(gnuplot_quoted("4000 more rows are not drawn")));
}

TEST_F(ChartScripts, OfBarsPutNotesWhereNoMarkIs) {
  BarChart chart = made_up_bars({{"word", 0.2}});
  chart.series.push_back({"worst", {0.5}, {"note"}});
  chart.series.push_back({"ball", {1}, {}});
  const auto note_at = [&](double worst, double ball) {
    chart.series[1].values[0] = worst;
    chart.series[2].values[0] = ball;
    const std::string script = script_of(chart);
    const std::string before = "note\" at screen ";
    return std::stod(script.substr(script.find(before) + before.size())) * 760;
  };
  const double left = 12 + 8 + 34, width = 760 - 12 - left;  // roughly: of the field
  EXPECT_GT(note_at(0.5, 1), left + 0.45 * width) << "right of its mark";
  EXPECT_LT(note_at(0.5, 1), left + 0.6 * width);
  EXPECT_LT(note_at(0.95, 1), left + 0.9 * width) << "left of its mark, where another is to the right";
  EXPECT_GT(note_at(0.22, 0.24), left + 0.8 * width) << "behind both, where the bar is to the left";
}

TEST_F(ChartScripts, OfBarsThatAreAllZeroHaveAnAxisAllTheSame) {
  EXPECT_THAT(script_of(made_up_bars({{"love", 0}})), HasSubstr("set xrange [0:1]"));
  EXPECT_THAT(script_of(made_up_bars({{"love", 0.5}})), HasSubstr("set xrange [0:0.51]"));
}

TEST_F(ChartScripts, OfLearningPutEachPointIntoItsPanel) {
  Rows rows = with(joined(learnt("raf", 40, 1, 0.5, 0), learnt("raf", 120, 2, 0.7, 0)), "train_size", 100.0);
  const std::string script = script_of(rows, "train_size");
  // Rows of panels are trainings, columns lengths.
  for (const char* row : {"0", "1"})
    for (const char* objective : {"align", "error"}) {
      const auto block = [&](const char* column) { return std::string("$p") + row + "_" + column + "_0_" + objective; };
      EXPECT_THAT(script, HasSubstr(block("0") + " << EOD\n0.5 0.99\n0.5 1\n0.5 1.01\nEOD\n"));
      EXPECT_THAT(script, HasSubstr(block("1") + " << EOD\n0.7 1.98\n0.7 2\n0.7 2.02\nEOD\n"));
    }
  EXPECT_THAT(script, Not(HasSubstr("$p0_2")));
}

TEST_F(ChartScripts, OfLearningDrawWhatIsOutsideAtTheEdge) {
  const Rows rows = with(learnt("raf", 40, 1e-9, 50, 0), "train_size", 100.0);
  EXPECT_THAT(script_of(rows, "train_size"), AllOf(HasSubstr("\n4 0.0001\n"), HasSubstr("set xrange [0:4.2]")));
}

TEST_F(ChartScripts, OfLearningTellColoursByTheFieldThatIsAskedFor) {
  Rows rows = learnt("raf", 40, 1, 0.5, 0);  // the penalty is 1 for the error, and none for align
  const std::string script = script_of(rows, "penalty");
  EXPECT_THAT(script, AllOf(HasSubstr("$p0_0_0_error"), Not(HasSubstr("_align"))));
  EXPECT_THAT(script, HasSubstr(gnuplot_quoted("penalty 1")));
}

}  // namespace
}  // namespace wordsway::test
