// What the pictures of figures show of made-up rows.
#include "wordsway/figures/panels.h"

#include <gmock/gmock.h>

#include "figures/made_up_rows.h"
#include "support/temporary_folder.h"
#include "wordsway/draw/print_svg.h"

namespace wordsway::test::figure_panels {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;

const std::vector<double> kPanelLengths = {10, 20, 40};

double falling_panel(double n, double /*d*/) {
  return 10 / n;
}

std::vector<Chart> charts_of(const std::string& figure, const Rows& rows) {
  std::vector<Chart> charts;
  for (const FigurePanel& panel : figure_registry().get(figure).panels(rows))
    charts.push_back(panel.chart(Bands::kDeviation));
  return charts;
}

const Panel& only_panel(const Chart& chart) {
  EXPECT_EQ(chart.panels.size(), 1U);
  return chart.panels.at(0);
}

std::vector<std::string> names_of(const Chart& chart) {
  std::vector<std::string> names;
  for (const LegendEntry& entry : chart.legend) names.push_back(entry.label.plain());
  return names;
}

// Values of the curve at x.
std::vector<double> at(const Chart& chart, size_t curve, double x) {
  for (const CurvePoint& point : only_panel(chart).curves.at(curve).points)
    if (std::abs(point.x - x) < 1e-9) return {point.y, point.low, point.high};
  return {};
}

auto near(std::vector<double> values) {
  return testing::Pointwise(testing::DoubleNear(1e-6), values);
}

Matrix matrix(std::initializer_list<std::initializer_list<double>> rows) {
  Matrix result(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index r = 0;
  for (const auto& row : rows) {
    Index c = 0;
    for (const double value : row) result(r, c++) = value;
    ++r;
  }
  return result;
}

TEST(FigurePanels, HaveACurveForEachDimension) {
  for (const char* figure : {"random-features", "raf", "raf-relu"}) {
    const auto charts = charts_of(figure, measured("raf", kPanelLengths, {8, 16}, falling_panel));
    ASSERT_EQ(charts.size(), 1U) << figure;
    EXPECT_THAT(names_of(charts[0]), ElementsAre("d = 8", "d = 16", "slope \u22120.5"))
        << "what a decay as 1/sqrt n would be";
    EXPECT_THAT(at(charts[0], 0, 20), near({0.5, 0.495, 0.505})) << "mean and one deviation";
  }
}

TEST(FigurePanels, HaveACurveForEachDepth) {
  const auto rows = joined(with(measured("drf", kPanelLengths, {8}, falling_panel), "depth", std::int64_t{2}),
                           with(measured("drf", kPanelLengths, {8}, falling_panel), "depth", std::int64_t{4}));
  EXPECT_THAT(names_of(charts_of("deep-random-features", rows)[0]), IsSupersetOf({"depth = 2", "depth = 4"}));
}

TEST(FigurePanels, SayTheExponentOfEachNormaliser) {
  const auto rows = joined(measured("raf", kPanelLengths, {8}, [](double, double) { return 2; }),
                           measured("raf-relu", kPanelLengths, {8}, falling_panel));
  const Chart chart = charts_of("normalisers", rows)[0];
  EXPECT_THAT(names_of(chart), Contains("raf-relu (n⁻¹·⁰⁰)"));
  EXPECT_THAT(chart.legend.at(1).label.runs(), Contains(Text::Run{"\u22121.00", true})) << "a superscript";
}

TEST(FigurePanels, DrawTemperatureAgainstBetaAndWidthAgainstTheInput) {
  Rows rows;
  for (const double beta : {0.5, 2.0})
    rows = joined(rows, with(measured("raf", {10, 20}, {8}, falling_panel), "beta", beta));
  const Chart temperature = charts_of("temperature", rows)[0];
  EXPECT_EQ(names_of(temperature).front(), "n = 10");
  for (const double beta : {0.5, 2.0}) EXPECT_NEAR(at(temperature, 0, beta).at(0), 1, 1e-9);
  rows = with(measured("rf", {10}, {8}, falling_panel), "width", std::int64_t{320});
  const Chart width = charts_of("width", rows)[0];
  EXPECT_EQ(names_of(width).front(), "n = 10");
  EXPECT_NEAR(at(width, 0, 4).at(0), 1, 1e-9);
}

TEST(FigurePanels, DrawWhatIsKeptOfTheShortestText) {
  const auto rows =
      joined(with(measured("raf", kPanelLengths, {8, 16}, falling_panel), "spike", "0"),
             with(measured("raf", kPanelLengths, {8, 16}, [](double, double) { return 3; }), "spike", "0.6"));
  const Chart chart = charts_of("spike-map", rows)[0];
  ASSERT_EQ(chart.panels.size(), 2U);
  EXPECT_TRUE(chart.panels[0].cells->isApprox(matrix({{1, 0.5, 0.25}, {1, 0.5, 0.25}})));
  EXPECT_TRUE(chart.panels[1].cells->isApprox(Matrix::Ones(2, 3)));
  EXPECT_EQ(chart.panels[1].title, Text("A = 0.6"));
  EXPECT_EQ(chart.panels[1].y.names.at(1), "16");
}

TEST(FigurePanels, DrawLayersOneByOne) {
  Rows rows;
  for (const std::int64_t layer : {0, 1, 2})
    for (const char* direction : {"ascent", "noise"})
      rows.push_back({{"direction", direction}, {"layer", layer}, {"change", 0.25 * static_cast<double>(layer + 1)}});
  const Chart chart = charts_of("layers", rows)[0];
  EXPECT_THAT(names_of(chart), ElementsAre("ascent", "noise"));
  EXPECT_FALSE(only_panel(chart).y.logarithmic);
  for (const double layer : {0, 1, 2}) EXPECT_EQ(at(chart, 0, layer).at(0), 0.25 * (layer + 1));
}

TEST(FigurePanels, DrawTheModelAgainstLayerAndLength) {
  Rows rows;
  for (const std::int64_t layer : {1, 2})
    rows = joined(rows, with(measured("m", {10}, {8}, falling_panel), "layer", layer));
  EXPECT_THAT(at(charts_of("model-depth", rows)[0], 0, 2), near({1, 0.99, 1.01}));
  EXPECT_THAT(at(charts_of("model-length", measured("m", kPanelLengths, {8}, falling_panel))[0], 0, 40),
              near({0.25, 0.2475, 0.2525}));
}

TEST(FigurePanels, DrawPositionsOfRandomAndTrainedWeightsApart) {
  const auto row = [](const char* weights, const char* map, std::vector<double> each) {
    return Record{{"weights", weights}, {"map", map}, {"n", std::int64_t{2}}, {"token_sensitivities", std::move(each)}};
  };
  const auto charts = charts_of(
      "positions", {row("random", "raf", {1, 2}), row("random", "raf", {1, 4}), row("model", "m", {0.5, 0.25})});
  ASSERT_EQ(charts.size(), 2U);
  EXPECT_EQ(only_panel(charts[0]).curves.size(), 1U);
  EXPECT_EQ(at(charts[0], 0, 1).at(0), 3);
  EXPECT_THAT(names_of(charts[1]), ElementsAre("m"));
  EXPECT_EQ(at(charts[1], 0, 1).at(0), 0.25);
}

TEST(FigurePanels, OfAttentionShowWordsAsRowsAndAllTokensAsColumns) {
  const Record row{{"text", "a film"},
                   {"pieces", std::vector<std::string>{"[CLS]", "film", "[SEP]"}},
                   {"words", std::vector<std::int64_t>{-1, 0, -1}},
                   {"attention", std::vector<double>{0.1, 0.2, 0.7, 0.4, 0.5, 0.1, 0.9, 0.1, 0}}};
  const Chart chart = charts_of("attention-words", {row})[0];
  EXPECT_TRUE(chart.panels.at(0).cells->isApprox(matrix({{0.4, 0.5, 0.1}})));
  EXPECT_THAT(chart.panels[0].y.names, ElementsAre("film"));
}

TEST(FigurePanels, OfAttractionShowBeforeAndAfter) {
  const Record row{{"text", "ab"},
                   {"pieces", std::vector<std::string>{"a", "b"}},
                   {"token", std::int64_t{1}},
                   {"attention", std::vector<double>{0.9, 0.1, 0.8, 0.2}},
                   {"attention_after", std::vector<double>{0, 1, 0, 1}}};
  const Chart chart = charts_of("attract", {row})[0];
  ASSERT_EQ(chart.panels.size(), 2U);
  EXPECT_TRUE(chart.panels[0].cells->isApprox(matrix({{0.9, 0.1}, {0.8, 0.2}})));
  EXPECT_TRUE(chart.panels[1].cells->isApprox(matrix({{0, 1}, {0, 1}})));
  EXPECT_EQ(chart.panels[1].title, Text("token 1 moved"));
}

TEST(FigurePanels, AreWrittenAsSvgAndPdfAndJudged) {
  const TemporaryFolder folder;
  const Rows rows = measured("raf", kPanelLengths, {8}, [](double, double) { return 2; });
  const ReportFigure drawn = draw_figure("raf", rows, folder.folder());
  EXPECT_TRUE(std::filesystem::exists(folder.path("raf-1.svg")));
  EXPECT_EQ(std::filesystem::exists(folder.path("raf-1.pdf")), can_print());
  ASSERT_EQ(drawn.panels.size(), 1U);
  EXPECT_EQ(drawn.panels[0].chart.panels.size(), 1U);
  ASSERT_EQ(drawn.verdicts.size(), 2U);
  EXPECT_TRUE(drawn.verdicts[0].holds);
  EXPECT_EQ(drawn.title, figure_registry().get("raf").title);
}

}  // namespace
}  // namespace wordsway::test::figure_panels
