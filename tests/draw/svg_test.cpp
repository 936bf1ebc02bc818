// The SVG writer: well-formed, complete, and the same every time.
#include "wordsway/draw/svg.h"

#include <limits>
#include <regex>
#include <set>

#include <gmock/gmock.h>

#include "draw/made_up_charts.h"
#include "support/xml_check.h"

namespace wordsway::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string drawn(const Chart& chart, SvgUse use = SvgUse::kFile) {
  const SvgPicture picture = draw_svg(chart, use);
  EXPECT_EQ(what_is_wrong_with_xml(picture.markup), "") << picture.markup;
  EXPECT_THAT(picture.markup, AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf\"")), Not(HasSubstr("inf,"))));
  return picture.markup;
}

size_t count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

TEST(Svg, IsWellFormedAndTheSameEveryTime) {
  for (const Chart& chart : all_charts())
    for (const SvgUse use : {SvgUse::kFile, SvgUse::kPage, SvgUse::kPrint})
      EXPECT_EQ(drawn(chart, use), draw_svg(chart, use).markup) << chart.title.plain();
}

TEST(Svg, SetsExponentsAsSuperscripts) {
  const std::string svg = drawn(lines_chart("raf" + power(" (n", with_minus_signs("-0.05")) + ")"));
  EXPECT_THAT(
      svg,
      HasSubstr(">raf (n<tspan dy=\"-5.32\" font-size=\"10\">\u22120.05</tspan><tspan dy=\"5.32\">)</tspan></text>"));
  EXPECT_THAT(svg, Not(HasSubstr("n^-")));
}

TEST(Svg, ShowsAnyTextAndInterpretsNone) {
  const std::string evil =
      "]]> <script>alert('1')</script> &amp; \"x\" a\x01"
      "b\xff %s";
  Chart chart = rows_chart({evil, evil});
  chart.title = evil;
  chart.remark = evil;
  chart.panels[0].x.label = evil;
  for (RowMarks& marks : chart.panels[0].marks) marks.notes = {evil, evil};
  for (LegendEntry& entry : chart.legend) entry.label = evil;
  EXPECT_THAT(drawn(chart),
              AllOf(Not(HasSubstr("<script")), HasSubstr("]]&gt; &lt;script&gt;"), HasSubstr("a\uFFFDb\uFFFD")));
  chart = cells_chart();
  for (Panel& panel : chart.panels) panel.x.names = panel.y.names = {evil, evil};
  drawn(chart);
  drawn(lines_chart(evil));
}

TEST(Svg, CutsLongTexts) {
  const std::string wide(100'000, 'M');
  Chart chart = rows_chart({wide, wide});
  chart.title = wide;
  chart.legend[0].label = wide;
  chart.panels[0].marks[1].notes = {wide, wide};
  EXPECT_LT(drawn(chart).size(), 30'000U);
}

TEST(Svg, HasNoIdsAndOnlyClassesOfItsOwn) {
  for (const Chart& chart : all_charts()) {
    const std::string svg = drawn(chart);
    EXPECT_THAT(svg, AllOf(Not(HasSubstr(" id=")), Not(HasSubstr("url(")), Not(HasSubstr("href"))));
    EXPECT_EQ(count(svg, "class=\""), count(svg, "class=\"ww-"));
  }
}

TEST(Svg, FollowsLightAndDarkPages) {
  const std::string file = drawn(lines_chart()), page = drawn(lines_chart(), SvgUse::kPage),
                    print = drawn(lines_chart(), SvgUse::kPrint);
  EXPECT_THAT(
      file, AllOf(HasSubstr("prefers-color-scheme:dark"), HasSubstr(".ww-ink{fill:"), HasSubstr(".ww-s0072b2{stroke:"),
                  HasSubstr("stroke=\"#0072b2\" class=\"ww-s0072b2\""), HasSubstr(" width=\"560\"")));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<style")), Not(HasSubstr("svg\" width=")), HasSubstr("viewBox=\"0 0 560 ")));
  EXPECT_THAT(print, AllOf(Not(HasSubstr("<style")), HasSubstr(" width=\"560\"")));
  const std::string style = page_chart_style(draw_svg(lines_chart(), SvgUse::kPage).colours);
  EXPECT_THAT(style, AllOf(HasSubstr(".ww-ink{fill:var(--ink)}"), HasSubstr(".ww-f0072b2{fill:#")));
}

TEST(Svg, IsDescribedByItsTitle) {
  EXPECT_THAT(draw_svg(lines_chart(), SvgUse::kPage, false).markup,
              AllOf(HasSubstr("role=\"img\""), HasSubstr("<title>Lines</title>"), Not(HasSubstr(">Lines</text>"))));
  EXPECT_THAT(drawn(lines_chart()), HasSubstr(">Lines</text>"));
}

TEST(Svg, SaysThatThereIsNothing) {
  EXPECT_THAT(drawn({.title = "A title"}), AllOf(HasSubstr("nothing to draw"), HasSubstr(">A title</text>")));
}

TEST(Svg, LeavesOutCellsThatAreNoNumbers) {
  const auto cells = [](const Matrix& values) { return count(drawn(cells_chart(values)), "<rect"); };
  const size_t none = cells(Matrix(0, 0));
  EXPECT_EQ(cells(Matrix::Constant(1, 1, 0.5)), none + 2) << "two panels";
  EXPECT_EQ(cells(Matrix::Constant(3, 2, 0.5)), none + 12);
  EXPECT_EQ(cells(Matrix::Constant(3, 2, kNan)), none);
}

TEST(Svg, NamesEveryRowWithRoomForALineOfText) {
  std::vector<std::string> names;
  Chart chart = rows_chart();
  chart.panels[0].marks.resize(1);
  chart.panels[0].marks[0].values.clear();
  for (int k = 0; k < 60; ++k) {
    names.push_back("word" + std::to_string(k));
    chart.panels[0].marks[0].values.emplace_back(0.02 * k);
  }
  chart.panels[0].y.names = names;
  const std::string svg = drawn(chart);
  static const std::regex label("<text x=\"[0-9.]+\" y=\"([0-9.]+)\"[^>]*>word([0-9]+)</text>");
  std::vector<double> places;
  for (std::sregex_iterator found(svg.begin(), svg.end(), label), end; found != end; ++found) {
    EXPECT_EQ((*found)[2], std::to_string(places.size()));
    places.push_back(std::stod((*found)[1]));
  }
  ASSERT_EQ(places.size(), 60U);
  for (size_t k = 1; k < places.size(); ++k) EXPECT_GE(places[k] - places[k - 1], 18);
}

TEST(Svg, ClipsBandsAtTheField) {
  Chart chart = lines_chart();
  for (CurvePoint& point : chart.panels[0].curves[0].points) {
    point.low = 1e-280;
    point.high = 1e280;
  }
  const std::string svg = drawn(chart);
  const size_t at = svg.find("<polygon points=\"") + 17;
  std::istringstream points(svg.substr(at, svg.find('"', at) - at));
  for (std::string point; points >> point;) {
    const double y = std::stod(point.substr(point.find(',') + 1));
    EXPECT_GE(y, 0);
    EXPECT_LE(y, 400);
  }
}

// Where no text leaves the picture, measured with the widths of a wide font.
TEST(Svg, KeepsTextsInside) {
  std::vector<Chart> charts = all_charts();
  for (const int width : {300, 400, 560, 760}) {
    for (Chart chart : charts) {
      chart.width = width;
      const std::string svg = drawn(chart);
      static const std::regex text(
          "<text x=\"([-0-9.]+)\" y=\"[-0-9.]+\"( text-anchor=\"([a-z]+)\")?[^>]*>([^<]*)</text>");
      for (std::sregex_iterator found(svg.begin(), svg.end(), text), end; found != end; ++found) {
        const double x = std::stod((*found)[1]), wide = text_width((*found)[4].str());
        const double left = (*found)[3] == "end" ? x - wide : (*found)[3] == "middle" ? x - wide / 2 : x;
        EXPECT_GE(left, -1) << (*found)[4] << " at width " << width;
        EXPECT_LE(left + wide, width + 1) << (*found)[4] << " at width " << width;
      }
    }
  }
}

}  // namespace
}  // namespace wordsway::test
