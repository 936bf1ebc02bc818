// Reports in a real browser, on a desk and on a phone.
#include <fstream>

#include <gmock/gmock.h>

#include "browser/presentable.h"
#include "figures/made_up_bars.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "wordsway/figures/generalization_chart.h"
#include "wordsway/figures/heat_map.h"
#include "wordsway/figures/line_chart.h"
#include "wordsway/figures/report.h"

namespace wordsway::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ReportInABrowser : public testing::Test {
 protected:
  void SetUp() override { WORDSWAY_NEEDS_BROWSER(); }

  static Chart lines() {
    LineChart chart;
    chart.title = "Softmax attention: one word moves the representation, however long the text";
    chart.x_label = "context length n";
    chart.y_label = "word sensitivity S";
    for (int curve = 0; curve < 6; ++curve)
      chart.series.push_back(
          {"raf-" + std::to_string(curve), {10, 100, 250}, {1.0, 0.8, 0.7 / (1 + curve)}, {0.1, 0.1, 0.1}});
    chart.reference_slopes = {-0.5};
    return chart_of(chart);
  }
  static Chart attention() {
    const std::vector<std::string> words = {"[CLS]", "i", "love", "her", "smile", "[SEP]"};
    const HeatPanel panel{"before", words, words, Matrix::Identity(6, 6)};
    return chart_of(HeatMap{"Attention", "from", "to", {panel, panel}}, 420, 420);
  }
  static Chart errors() {
    std::vector<Record> rows;
    for (const char* map : {"rf", "raf", "raf-relu"})
      for (const double n : {40.0, 120.0})
        for (const char* training : {"fine-tune", "retrain"})
          rows.push_back({{"map", std::string(map)},
                          {"n", n},
                          {"train_size", 100.0},
                          {"training", std::string(training)},
                          {"objective", std::string("align")},
                          {"gamma", 0.5},
                          {"error", 0.3}});
    return generalization_chart(rows);
  }
  static Chart bars() {
    BarChart chart = made_up_bars({{"love", 1.5}, {"her", 0.5}}, "Words");
    chart.series.push_back({"worst real word", {1.8, std::nullopt}, {"→ hate", ""}});
    return chart_of(chart);
  }

  // Everything a report can hold, with long words where there is little room.
  Report full_report() const {
    const std::string words =
        "A statement that goes on for a while, and has a_very_long_name_without_any_break_in_it_"
        "that_no_phone_is_wide_enough_for in its middle.";
    ReportFigure curves;
    curves.name = "curves";
    curves.title = "Random features lose the word as the text grows";
    curves.statement = curves.caption = words;
    curves.panels = {{"Softmax", words, lines()}, {"ReLU", "", lines()}};
    curves.verdicts = {
        {words, "Theorem 1, Figure 2", "−0.554 [−0.571, −0.537]", "95% interval within [−0.65, −0.45]", true},
        {words, words, words, words, false}};
    curves.settings = {{"n", "10, 20, 50"}, {words, words}};
    curves.seconds = 12;
    ReportFigure others;
    others.name = "others";
    others.title = words;
    others.panels = {{"Attention", "", attention()}, {"Errors", "", errors()}, {"Words", "", bars()}};
    others.tables = {
        {"Points", std::vector<std::string>(14, "sensitivity"), {std::vector<std::string>(14, "0.1234 ± 0.01")}}};
    return {"The word sensitivity of attention layers, reproduced",
            words,
            {curves, others},
            {{"seed", "1"}, {words, words}}};
  }
  std::filesystem::path write_page(const std::string& text) const {
    write_bytes(folder_.path("report.html"), text);
    return folder_.path("report.html");
  }

  TemporaryFolder folder_;
};

TEST_F(ReportInABrowser, IsPresentableOnADesk) {
  const auto page = write_page(report_html(full_report()));
  expect_presentable(page, kDesktop, 5);
  expect_presentable(page, kDesktopDark, 5);
}

TEST_F(ReportInABrowser, IsPresentableOnAPhone) {
  const auto page = write_page(report_html(full_report()));
  expect_presentable(page, kPhone, 5);
  expect_presentable(page, kPhoneDark, 5);
}

TEST_F(ReportInABrowser, FromJournalsIsPresentable) {
  const std::string measured = folder_.path("measured.jsonl").string(), learnt = folder_.path("learnt.jsonl").string(),
                    out = folder_.path("out").string();
  ASSERT_EQ(run_wordsway({"measure", "--map", "raf,rf", "--n", "5,10,20", "--d", "8", "--trials", "3", "--token", "all",
                          "--out", measured})
                .exit_code,
            0);
  ASSERT_EQ(
      run_wordsway({"generalize", "--n", "5,10", "--d", "8", "--train-size", "8", "--trials", "2", "--out", learnt})
          .exit_code,
      0);
  const ProgramResult result = run_wordsway({"report", measured, learnt, "-o", out});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto page = folder_.path("out") / "report.html";
  expect_presentable(page, kDesktop, 3);
  expect_presentable(page, kPhoneDark, 3);
}

TEST_F(ReportInABrowser, IsPresentableWithTextsFromAnywhereAndWithNothingToDraw) {
  const std::string strange = "100% 'sure' ]]> <b>\x01\xff</b> `x` 世界";
  Report report{strange, strange, {}, {{strange, strange}}};
  ReportFigure figure;
  figure.name = figure.title = figure.statement = figure.caption = strange;
  figure.panels = {{strange, strange, chart_of(made_up_bars({{strange, 1.5}, {"her", 0.5}}, strange, strange))},
                   {strange, "", chart_of(made_up_bars({}, strange, strange))}};
  report.figures = {figure};
  const auto page = write_page(report_html(report));
  expect_presentable(page, kDesktop, 2);
  expect_presentable(page, kPhoneDark, 2);
}

TEST_F(ReportInABrowser, NamesNoAddressOutside) {
  std::string page = report_html(full_report());
  for (const std::string name :
       {"xmlns=\"http://www.w3.org/2000/svg\"", "xmlns:xlink=\"http://www.w3.org/1999/xlink\""})
    for (size_t at = page.find(name); at != std::string::npos; at = page.find(name, at)) page.erase(at, name.size());
  EXPECT_THAT(page, Not(HasSubstr("http:")));
  EXPECT_THAT(page, Not(HasSubstr("https:")));
  EXPECT_THAT(page, Not(HasSubstr("src=\"//")));
}

// The looking itself: what is wrong with a page is seen.

TEST_F(ReportInABrowser, APageThatReachesOutIsCaught) {
  const auto page =
      write_page("<!DOCTYPE html><img src='https://wordsway.invalid/a.png'><script>console.error('oh')</script>");
  const PageVisit seen = visit(page, kDesktop);
  EXPECT_THAT(seen.fetched, Contains("https://wordsway.invalid/a.png"));
  EXPECT_THAT(seen.console, Contains(HasSubstr("oh")));
}

TEST_F(ReportInABrowser, APageThatIsTooWideOrHasHiddenPicturesIsCaught) {
  const auto page = write_page(
      "<!DOCTYPE html><meta name='viewport' content='width=device-width'><div style='width: 600px'>wide</div>"
      "<svg viewBox='0 0 9 9' style='display: none'><title>hidden</title><path d='M0,0 L9,9'/></svg>"
      "<p style='color: #ddd' id='x'>faint</p><p id='x'><a href='#gone'>gone</a></p>");
  const PageVisit seen = visit(page, kPhone);
  EXPECT_GT(seen.document_width, 390);
  EXPECT_THAT(seen.sticking_out, Contains(HasSubstr("wide")));
  ASSERT_EQ(seen.pictures.size(), 1U);
  EXPECT_EQ(seen.pictures[0].width, 0);
  EXPECT_THAT(seen.faint_texts, Contains(HasSubstr("faint")));
  EXPECT_THAT(seen.broken_links, testing::UnorderedElementsAre("gone", "x"));
}

}  // namespace
}  // namespace wordsway::test
