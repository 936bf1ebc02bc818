// What the pictures of figures show of made-up rows.
#include "wordsway/figures/panels.h"

#include <gmock/gmock.h>

#include "figures/made_up_rows.h"
#include "figures/script_catcher.h"

namespace wordsway::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::vector<double> kPanelLengths = {10, 20, 40};

double falling_panel(double n, double /*d*/) {
  return 10 / n;
}

// Every script that gnuplot would get for a figure, one after the other.
std::vector<std::string> scripts_of(const std::string& figure, const Rows& rows) {
  const ScriptCatcher catcher;
  std::vector<std::string> scripts;
  for (const FigurePanel& panel : figure_registry().get(figure).panels(rows)) {
    panel.draw({catcher.picture()});
    scripts.push_back(catcher.script());
  }
  return scripts;
}

std::string named(const std::string& label) {
  return "title " + gnuplot_quoted(label);
}

TEST(FigurePanels, HaveACurveForEachDimension) {
  for (const char* figure : {"random-features", "raf", "raf-relu"}) {
    const auto scripts = scripts_of(figure, measured("raf", kPanelLengths, {8, 16}, falling_panel));
    ASSERT_EQ(scripts.size(), 1U) << figure;
    EXPECT_THAT(scripts[0], AllOf(HasSubstr(named("d = 8")), HasSubstr(named("d = 16")), HasSubstr("$series1"),
                                  Not(HasSubstr("$series2"))));
    EXPECT_THAT(scripts[0], HasSubstr("\n20 0.5 0.495 0.505\n")) << "mean and one deviation";
    EXPECT_THAT(scripts[0], HasSubstr("**(-0.5)")) << "what a decay as 1/sqrt n would be";
  }
}

TEST(FigurePanels, HaveACurveForEachDepth) {
  const auto rows = joined(with(measured("drf", kPanelLengths, {8}, falling_panel), "depth", std::int64_t{2}),
                           with(measured("drf", kPanelLengths, {8}, falling_panel), "depth", std::int64_t{4}));
  EXPECT_THAT(scripts_of("deep-random-features", rows)[0],
              AllOf(HasSubstr(named("depth = 2")), HasSubstr(named("depth = 4"))));
}

TEST(FigurePanels, SayTheExponentOfEachNormaliser) {
  const auto rows = joined(measured("raf", kPanelLengths, {8}, [](double, double) { return 2; }),
                           measured("raf-relu", kPanelLengths, {8}, falling_panel));
  const std::string script = scripts_of("normalisers", rows)[0];
  EXPECT_THAT(script,
              AllOf(HasSubstr(named("raf-relu (n^-1.00)")), HasSubstr(gnuplot_quoted("raf (n^").substr(0, 12))));
}

TEST(FigurePanels, DrawTemperatureAgainstBetaAndWidthAgainstTheInput) {
  Rows rows;
  for (const double beta : {0.5, 2.0})
    rows = joined(rows, with(measured("raf", {10, 20}, {8}, falling_panel), "beta", beta));
  EXPECT_THAT(scripts_of("temperature", rows)[0],
              AllOf(HasSubstr(named("n = 10")), HasSubstr("\n0.5 1 "), HasSubstr("\n2 1 ")));
  rows = with(measured("rf", {10}, {8}, falling_panel), "width", std::int64_t{320});
  EXPECT_THAT(scripts_of("width", rows)[0], AllOf(HasSubstr(named("n = 10")), HasSubstr("\n4 1 ")));
}

TEST(FigurePanels, DrawWhatIsKeptOfTheShortestText) {
  const auto rows =
      joined(with(measured("raf", kPanelLengths, {8, 16}, falling_panel), "spike", "0"),
             with(measured("raf", kPanelLengths, {8, 16}, [](double, double) { return 3; }), "spike", "0.6"));
  const std::string script = scripts_of("spike-map", rows)[0];
  EXPECT_THAT(script, HasSubstr("$panel0 << EOD\n1 0.5 0.25 \n1 0.5 0.25 \nEOD\n"));
  EXPECT_THAT(script, HasSubstr("$panel1 << EOD\n1 1 1 \n1 1 1 \nEOD\n"));
  EXPECT_THAT(script, AllOf(HasSubstr(gnuplot_quoted("A = 0.6")), HasSubstr(gnuplot_tic("16", 1))));
}

TEST(FigurePanels, DrawLayersOneByOne) {
  Rows rows;
  for (const std::int64_t layer : {0, 1, 2})
    for (const char* direction : {"ascent", "noise"})
      rows.push_back({{"direction", direction}, {"layer", layer}, {"change", 0.25 * static_cast<double>(layer + 1)}});
  const std::string script = scripts_of("layers", rows)[0];
  EXPECT_THAT(script, AllOf(HasSubstr(named("ascent")), HasSubstr(named("noise")), Not(HasSubstr("logscale"))));
  EXPECT_THAT(script, HasSubstr("$series0 << EOD\n0 0.25 0.25 0.25\n1 0.5 0.5 0.5\n2 0.75 0.75 0.75\nEOD\n"));
}

TEST(FigurePanels, DrawTheModelAgainstLayerAndLength) {
  Rows rows;
  for (const std::int64_t layer : {1, 2})
    rows = joined(rows, with(measured("m", {10}, {8}, falling_panel), "layer", layer));
  EXPECT_THAT(scripts_of("model-depth", rows)[0], HasSubstr("\n2 1 0.99 1.01\n"));
  EXPECT_THAT(scripts_of("model-length", measured("m", kPanelLengths, {8}, falling_panel))[0],
              HasSubstr("\n40 0.25 0.2475 "));
}

TEST(FigurePanels, DrawPositionsOfRandomAndTrainedWeightsApart) {
  const auto row = [](const char* weights, const char* map, std::vector<double> each) {
    return Record{{"weights", weights}, {"map", map}, {"n", std::int64_t{2}}, {"token_sensitivities", std::move(each)}};
  };
  const auto scripts = scripts_of(
      "positions", {row("random", "raf", {1, 2}), row("random", "raf", {1, 4}), row("model", "m", {0.5, 0.25})});
  ASSERT_EQ(scripts.size(), 2U);
  EXPECT_THAT(scripts[0], AllOf(HasSubstr("$series0 << EOD\n0 1 1 1\n1 3 "), Not(HasSubstr("$series1"))));
  EXPECT_THAT(scripts[1], AllOf(HasSubstr(named("m")), HasSubstr("\n0 0.5 0.5 0.5\n1 0.25 0.25 0.25\n")));
}

TEST(FigurePanels, OfAttentionShowWordsAsRowsAndAllTokensAsColumns) {
  const Record row{{"text", "a film"},
                   {"pieces", std::vector<std::string>{"[CLS]", "film", "[SEP]"}},
                   {"words", std::vector<std::int64_t>{-1, 0, -1}},
                   {"attention", std::vector<double>{0.1, 0.2, 0.7, 0.4, 0.5, 0.1, 0.9, 0.1, 0}}};
  const std::string script = scripts_of("attention-words", {row})[0];
  EXPECT_THAT(script, HasSubstr("$panel0 << EOD\n0.4 0.5 0.1 \nNaN NaN NaN \nEOD\n"));
  EXPECT_THAT(script, HasSubstr("set ytics (\"film\" 0)"));
}

TEST(FigurePanels, OfAttractionShowBeforeAndAfter) {
  const Record row{{"text", "ab"},
                   {"pieces", std::vector<std::string>{"a", "b"}},
                   {"token", std::int64_t{1}},
                   {"attention", std::vector<double>{0.9, 0.1, 0.8, 0.2}},
                   {"attention_after", std::vector<double>{0, 1, 0, 1}}};
  const std::string script = scripts_of("attract", {row})[0];
  EXPECT_THAT(script, AllOf(HasSubstr("$panel0 << EOD\n0.9 0.1 \n0.8 0.2 \n"),
                            HasSubstr("$panel1 << EOD\n0 1 \n0 1 \n"), HasSubstr(gnuplot_quoted("token 1 moved"))));
}

TEST(FigurePanels, AreWrittenAsSvgAndPdfAndJudged) {
  const TemporaryFolder folder;
  const Rows rows = measured("raf", kPanelLengths, {8}, [](double, double) { return 2; });
  const ReportFigure drawn = draw_figure("raf", rows, folder.folder());
  for (const char* name : {"raf-1.svg", "raf-1.pdf"}) EXPECT_TRUE(std::filesystem::exists(folder.path(name))) << name;
  ASSERT_EQ(drawn.panels.size(), 1U);
  EXPECT_EQ(drawn.panels[0].svg, folder.path("raf-1.svg"));
  ASSERT_EQ(drawn.verdicts.size(), 2U);
  EXPECT_TRUE(drawn.verdicts[0].holds);
  EXPECT_EQ(drawn.title, figure_registry().get("raf").title);
}

}  // namespace
}  // namespace wordsway::test
