// The report's page, as text; tests/browser looks at it.
#include "wordsway/figures/report.h"

#include <gmock/gmock.h>

#include "wordsway/core/utf8.h"
#include "wordsway/figures/line_chart.h"
#include "wordsway/figures/page/page_parts.h"

namespace wordsway {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ReportPage : public testing::Test {
 protected:
  ReportPage() {
    LineChart lines;
    lines.series = {{"raf", {10, 20}, {2, 1}}};
    picture_ = chart_of(lines);
    ReportFigure figure;
    figure.name = "rf 1";
    figure.title = "Random features";
    figure.statement = "S falls.";
    figure.caption = "Falling curves.";
    figure.panels = {{"Left", "a note", picture_}, {"Right", "", picture_}};
    figure.verdicts = {{"S falls as n grows.", "Theorem 1", "-0.55 [-0.57, -0.53]", "below -0.4", true}};
    figure.settings = {{"trials", "10"}};
    figure.seconds = 12;
    report_ = {"My report", "a subtitle", {figure}, {{"seed", "1"}}};
  }
  static size_t count(const std::string& text, const std::string& what) {
    size_t found = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
  }

  Chart picture_;
  Report report_;
};

TEST_F(ReportPage, HoldsVerdictsFiguresAndSettings) {
  const std::string page = report_html(report_);
  EXPECT_THAT(page, AllOf(HasSubstr("The statement holds."), HasSubstr("S falls as n grows."), HasSubstr("Theorem 1"),
                          HasSubstr("-0.55 [-0.57, -0.53]"), HasSubstr("below -0.4")));
  EXPECT_THAT(page, AllOf(HasSubstr("href=\"#figure-rf-1\""), HasSubstr("id=\"figure-rf-1\"")));
  EXPECT_THAT(page, AllOf(HasSubstr("S falls."), HasSubstr("Falling curves."), HasSubstr("a note"), HasSubstr("trials"),
                          HasSubstr("12 s"), HasSubstr("seed")));
  EXPECT_THAT(page, HasSubstr("what it is not"));
}

TEST_F(ReportPage, HasOnePictureAPanelInTheColoursOfThePage) {
  const std::string page = report_html(report_);
  EXPECT_EQ(count(page, "<svg"), 2U);
  EXPECT_THAT(page, HasSubstr("<title>Left</title>"));
  EXPECT_EQ(count(page, "<style>"), 1U) << "pictures have none of their own";
  EXPECT_THAT(page, HasSubstr(".ww-s0072b2{stroke:#")) << "a colour for the dark page";
  EXPECT_THAT(page, HasSubstr(".ww-ink{fill:var(--ink)}"));
}

TEST_F(ReportPage, SaysInWordsWhatDoesNotHold) {
  report_.figures[0].verdicts[0].holds = false;
  EXPECT_THAT(report_html(report_), AllOf(HasSubstr("The statement does not hold."), HasSubstr("</span>does not hold<"),
                                          Not(HasSubstr("</span>holds<"))));
  report_.figures[0].verdicts.push_back({"S is positive.", "", "1", "0", true});
  EXPECT_THAT(report_html(report_), HasSubstr("1 of 2 statements hold, 1 does not."));
  report_.figures[0].verdicts[0].holds = true;
  EXPECT_THAT(report_html(report_), HasSubstr("All 2 statements hold."));
}

TEST_F(ReportPage, WithoutVerdictsHasNoTableOfThem) {
  report_.figures[0].verdicts.clear();
  EXPECT_THAT(report_html(report_), AllOf(Not(HasSubstr("id=\"verdicts\"")), HasSubstr("Falling curves.")));
}

TEST_F(ReportPage, EscapesEveryText) {
  const std::string evil = "<i onclick=\"x\">&'</i>";
  ReportFigure& figure = report_.figures[0];
  report_.title = report_.subtitle = figure.name = figure.title = figure.statement = figure.caption = figure.data =
      evil;
  figure.panels[0].title = figure.panels[0].note = evil;
  figure.verdicts = {{evil, evil, evil, evil, true}};
  figure.settings = report_.settings = {{evil, evil}};
  figure.tables = {{evil, {evil}, {{evil}}}};
  const std::string page = report_html(report_);
  EXPECT_THAT(page, Not(HasSubstr("<i onclick")));
  EXPECT_EQ(count(page, "&lt;i onclick=&quot;x&quot;&gt;&amp;&#39;&lt;/i&gt;"), 27U);
}

TEST_F(ReportPage, IsUtf8WithoutControlCharactersWhateverTheTextsAre) {
  const std::string bad = "caf\xe9 \x01\x1b[31m \xef\xbf\xbf\x7f";
  ReportFigure& figure = report_.figures[0];
  report_.title = report_.subtitle = figure.name = figure.title = figure.statement = figure.caption = figure.data = bad;
  figure.panels[0].title = figure.panels[0].note = bad;
  figure.verdicts = {{bad, bad, bad, bad, true}};
  figure.settings = report_.settings = {{bad, bad}};
  figure.tables = {{bad, {bad}, {{bad}}}};
  const std::string page = report_html(report_);
  EXPECT_TRUE(unicode::is_valid_utf8(page));
  EXPECT_EQ(count(page, "caf\uFFFD \uFFFD\uFFFD[31m \uFFFD\uFFFD"), 27U);
  EXPECT_EQ(page.find_first_of(std::string("\x00\x01\x1b\x7f", 4)), std::string::npos);
}

TEST_F(ReportPage, BreaksLongTextsInTablesIntoLines) {
  report_.figures[0].tables = {{"Prompts", {"prompt", "answer"}, {{std::string(300, 'x'), "yes"}, {"short", "no"}}}};
  const std::string page = report_html(report_);
  EXPECT_THAT(page, HasSubstr("<td class=\"prose\">xxx"));
  EXPECT_THAT(page, HasSubstr("<td class=\"prose\">short</td><td>no</td>"));
}

TEST_F(ReportPage, SetsColumnsOfNumbersToTheRightAndFoldsLongTables) {
  report_.figures[0].tables = {{"Short", {"map", "S"}, {{"rf", "0.3 ± 0.01"}, {"raf", ""}}}};
  EXPECT_THAT(report_html(report_),
              AllOf(HasSubstr("<td>rf</td><td class=\"number\">0.3 ± 0.01</td>"), HasSubstr("<h4>Short</h4>")));
  report_.figures[0].tables = {{"Long", {"S"}, std::vector<std::vector<std::string>>(13, {"0.3"})}};
  EXPECT_THAT(report_html(report_), HasSubstr("<summary>Long (13 rows)</summary>"));
}

TEST_F(ReportPage, ListsItsFiguresWhereThereIsMoreThanOne) {
  EXPECT_THAT(report_html(report_), Not(HasSubstr("<nav")));
  ReportFigure second = report_.figures[0];
  second.name = "rf 2";
  second.title = "The second";
  report_.figures.push_back(second);
  const std::string page = report_html(report_);
  EXPECT_THAT(page, HasSubstr("<li><a href=\"#figure-rf-2\">The second</a></li>"));
  EXPECT_LT(page.find("id=\"figure-rf-1\""), page.find("id=\"figure-rf-2\""));
}

TEST_F(ReportPage, GivesAWidePictureTheWholeRow) {
  EXPECT_THAT(report_html(report_), Not(HasSubstr("class=\"panel wide\"")));
  for (ReportPanel& panel : report_.figures[0].panels) panel.chart.width = 801;
  EXPECT_EQ(count(report_html(report_), "class=\"panel wide\""), 2U);
}

TEST_F(ReportPage, TellsTimesAsPeopleDo) {
  const auto told = [&](double seconds) {
    report_.figures[0].seconds = seconds;
    return report_html(report_);
  };
  EXPECT_THAT(told(1.26), HasSubstr("Settings · 1.3 s</summary>"));
  EXPECT_THAT(told(59.6), HasSubstr("Settings · 60 s</summary>"));
  EXPECT_THAT(told(150), HasSubstr("Settings · 2.5 min</summary>"));
  EXPECT_THAT(told(0), AllOf(HasSubstr("<summary>Settings</summary>"), Not(HasSubstr("<dt>time</dt>"))));
}

TEST_F(ReportPage, LeavesOutPartsThatAreEmpty) {
  ReportFigure& figure = report_.figures[0];
  figure.statement = figure.caption = "";
  figure.panels.clear();
  figure.settings.clear();
  figure.seconds = 0;
  report_.settings.clear();
  const std::string page = report_html(report_);
  for (const char* part : {"class=\"reading\"", "class=\"panels\"", "<summary>Settings", "id=\"settings\"",
                           "class=\"facts\"", "class=\"story\""})
    EXPECT_THAT(page, Not(HasSubstr(part)));
  EXPECT_THAT(page, HasSubstr("class=\"verdicts\""));
}

TEST_F(ReportPage, FoldsVerdictsByFigureAndOpensThoseThatDoNotHold) {
  ReportFigure other = report_.figures[0];
  other.name = "other";
  other.verdicts[0].holds = false;
  report_.figures.push_back(other);
  const std::string page = report_html(report_);
  const size_t folds = page.find("class=\"folds\""), first = page.find("<details>", folds);
  ASSERT_NE(first, std::string::npos);
  EXPECT_LT(first, page.find("<details open>", folds));
  EXPECT_THAT(page, HasSubstr(" 1 of 1</span>"));
  EXPECT_THAT(page, HasSubstr(" 0 of 1</span>"));
}

TEST_F(ReportPage, BeginsWithFactsAndTheHighlightsInTheirOrder) {
  report_.facts = {{"Words", "film <reviews>"}};
  ReportFigure& figure = report_.figures[0];
  figure.highlights = {{2, 0, "The second headline"}, {1, 0, "The first headline"}};
  const std::string page = report_html(report_);
  const size_t facts = page.find("film &lt;reviews&gt;"), first = page.find("The first headline"),
               second = page.find("The second headline"), verdicts = page.find("id=\"verdicts\"");
  EXPECT_LT(facts, first);
  EXPECT_LT(first, second);
  EXPECT_LT(second, verdicts);
  EXPECT_NE(verdicts, std::string::npos);
}

TEST_F(ReportPage, TakesThePictureThatWasDrawnForACard) {
  report_.figures[0].highlights = {{1, 0, "A headline", sized(picture_, {.width = 333})}};
  const std::string page = report_html(report_);
  EXPECT_EQ(count(page, "viewBox=\"0 0 333 "), 1U);
  EXPECT_EQ(count(page, "viewBox=\"0 0 560 "), 2U) << "the figure keeps its own";
}

TEST_F(ReportPage, SaysOnWhatAFigureWasMeasuredBesideItsVerdictsAndItsPictures) {
  EXPECT_THAT(report_html(report_), Not(HasSubstr("Measured on")));
  report_.figures[0].data = "made-up words";
  EXPECT_EQ(count(report_html(report_), "Measured on made-up words."), 2U);
}

TEST_F(ReportPage, SaysAboveAllWhichFiguresCouldNotBeMade) {
  report_.left_out = {"the figure a is left out: its <models> are missing"};
  const std::string page = report_html(report_);
  const size_t said = page.find("Left out</dt><dd>the figure a is left out: its &lt;models&gt; are missing");
  EXPECT_LT(said, page.find("id=\"figures\""));
}

TEST_F(ReportPage, CountsWhatHoldsOverAllFigures) {
  report_.figures.push_back(report_.figures[0]);
  report_.figures.push_back(report_.figures[0]);
  report_.figures[0].verdicts[0].holds = report_.figures[2].verdicts[0].holds = false;
  EXPECT_THAT(report_html(report_), AllOf(HasSubstr("1 of 3 statements hold, 2 do not."), HasSubstr("outcome bad")));
}

TEST(PageParts, MakeNamesThatALinkCanHold) {
  EXPECT_EQ(anchor_of("raf-relu 2"), "raf-relu-2");
  EXPECT_EQ(anchor_of("a\"b<c>#\xc3\xa9"), "a-b-c----");
}

}  // namespace
}  // namespace wordsway
