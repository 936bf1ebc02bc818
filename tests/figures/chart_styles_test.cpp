// What can be chosen of a chart: its size, its title, what bands show, and LaTeX instead of a picture.
#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/tikz.h"

namespace wordsway {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

LineChart two_curves() {
  LineChart chart;
  chart.title = "Curves of 100% & more";
  chart.x_label = "context length n";
  chart.y_label = "‖φ‖ at γ_1";
  chart.series = {{"raf, β = 4", {10, 20}, {2, 1}, {0.5, 0.25}, {4, 4}}, {"rf", {10, 20}, {1, 0.5}}};
  chart.reference_slopes = {-0.5};
  return chart;
}

class ChartStyles : public testing::Test {
 protected:
  std::string drawn(const LineChart& chart, Canvas canvas, const std::string& name = "a.svg") {
    canvas.path = folder_.path(name);
    write_chart(chart, canvas);
    return test::read_bytes(canvas.path);
  }

  test::TemporaryFolder folder_;
};

TEST_F(ChartStyles, HaveATitleUnlessACaptionSaysIt) {
  EXPECT_THAT(drawn(two_curves(), {}), HasSubstr("Curves of 100%"));
  EXPECT_THAT(drawn(two_curves(), {.path = {}, .title = false}), Not(HasSubstr("Curves of 100%")));
}

TEST_F(ChartStyles, HaveTheSizeThatIsAskedFor) {
  EXPECT_THAT(drawn(two_curves(), {.path = {}, .width = 700, .height = 300}), HasSubstr("viewBox=\"0 0 700 3"));
}

TEST_F(ChartStyles, ShowDeviationsErrorsOrIntervalsOfTheMean) {
  const LineChart chart = two_curves();
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

TEST_F(ChartStyles, GiveAMapOneColourInAllCharts) {
  const auto alone = curve_colours({"raf"}), among = curve_colours({"rf", "raf, n^-0.05", "raf-relu (n^-0.6)"});
  EXPECT_EQ(alone[0], among[1]);
  EXPECT_NE(among[0], among[2]);
  // Several curves of one map are told apart by the palette.
  const auto same = curve_colours({"raf, d = 64", "raf, d = 128"});
  EXPECT_NE(same[0], same[1]);
  EXPECT_EQ(same[0], palette_colour(0, 2));
}

TEST_F(ChartStyles, AreWrittenForLatex) {
  const std::string picture = drawn(two_curves(), {}, "a.tex");
  EXPECT_THAT(picture, AllOf(HasSubstr("\\usepackage{pgfplots}"), HasSubstr("\\begin{tikzpicture}"),
                             HasSubstr("100\\% \\& more"), HasSubstr("$\\|$$\\varphi$"), HasSubstr("\\_1"),
                             HasSubstr("(10,2) (20,1)"), HasSubstr("raf, $\\beta$ = 4")));
}

TEST_F(ChartStyles, CompileInAPaper) {
  if (test::RunningProgram({"sh", "-c", "command -v pdflatex && kpsewhich pgfplots.sty"}).finish().exit_code != 0)
    GTEST_SKIP() << "LaTeX with pgfplots is not installed";
  drawn(two_curves(), {}, "lines.tex");
  write_bar_chart(
      {"Words", "change", {"it's", "50%"}, {{"worst", {1.5, 0.5}, {">", "#1"}}, {"typical", {0.5, {}}, {}}}},
      {folder_.path("bars.tex")});
  write_heat_map({"Attention", "from", "to", {{"A_1", {"a", "b"}, {"c", "d"}, Matrix::Identity(2, 2)}}},
                 {folder_.path("heat.tex")});
  test::write_bytes(folder_.path("paper.tex"),
                    "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{pgfplots}\\pgfplotsset{compat=1.18}"
                    "\\usepgfplotslibrary{groupplots}\\begin{document}\\input{lines}\\input{bars}\\input{heat}"
                    "\\end{document}\n");
  const test::ProgramResult result =
      test::RunningProgram({"sh", "-c", "cd " + folder_.folder().string() + " && pdflatex -halt-on-error paper.tex"})
          .finish();
  EXPECT_EQ(result.exit_code, 0) << result.out;
}

}  // namespace
}  // namespace wordsway
