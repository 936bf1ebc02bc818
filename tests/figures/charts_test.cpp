// Charts as gnuplot draws them.
#include <cmath>
#include <limits>
#include <map>
#include <regex>

#include <gmock/gmock.h>

#include "figures/made_up_bars.h"
#include "support/bytes.h"
#include "support/environment.h"
#include "support/temporary_folder.h"
#include "support/xml_check.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/bar_chart.h"
#include "wordsway/figures/generalization_chart.h"
#include "wordsway/figures/heat_map.h"
#include "wordsway/figures/line_chart.h"
#include "wordsway/figures/model_charts.h"

namespace wordsway {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

class Charts : public testing::Test {
 protected:
  std::string picture() const { return test::read_bytes(path_); }
  // A picture that any reader takes.
  std::string good_picture() const {
    EXPECT_EQ(test::what_is_wrong_with_xml(picture()), "");
    return picture();
  }
  std::string draw_line(const std::vector<double>& x, const std::vector<double>& y, bool logarithmic = true,
                        const std::vector<double>& deviation = {}) const {
    LineChart chart;
    chart.title = "A line";
    chart.log_x = chart.log_y = logarithmic;
    chart.series = {{"curve", x, y, deviation}};
    chart.reference_slopes = {-0.5};
    write_chart(chart, {path_});
    return good_picture();
  }
  std::string draw_matrix(const Matrix& values) const {
    write_heat_map({"A matrix", "from", "to", {{"panel", {}, {}, values}}}, {path_});
    return good_picture();
  }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path("chart.svg");
};

TEST_F(Charts, BarsHaveTheirLabelsAndTitle) {
  write_bar_chart(test::made_up_bars({{"love", 1.5}, {"her's", 0.5}}, "Sensitive words"), {path_});
  EXPECT_THAT(good_picture(), AllOf(HasSubstr("Sensitive words"), HasSubstr("love"), HasSubstr("her's")));
}

TEST_F(Charts, OfWordsHaveALineForEachInTheOrderOfTheText) {
  BarChart chart{"Words", "relative change", {}, {{"typical", {}, {}}, {"worst", {}, {}}}};
  for (int k = 0; k < 60; ++k) {
    chart.labels.push_back("word" + std::string(1, static_cast<char>('a' + k % 26)) + std::to_string(k));
    for (BarSeries& series : chart.series) series.values.emplace_back(0.1 * k);
    chart.series[1].notes.push_back("note" + std::to_string(k));
  }
  write_bar_chart(chart, {path_});
  const std::string drawn = good_picture();
  static const std::regex place(
      "translate\\([-0-9.]+,([-0-9.]+)\\)[^>]*>\\s*<text>[^<a-z]*(word|note)[a-z]?([0-9]+)</text>");
  std::map<std::string, std::vector<double>> heights;
  for (std::sregex_iterator found(drawn.begin(), drawn.end(), place), end; found != end; ++found) {
    auto& column = heights[(*found)[2]];
    EXPECT_EQ((*found)[3], std::to_string(column.size()));
    column.push_back(std::stod((*found)[1]));
  }
  for (const char* kind : {"word", "note"}) {
    ASSERT_EQ(heights[kind].size(), 60U);
    for (size_t k = 1; k < 60; ++k) EXPECT_GE(heights[kind][k] - heights[kind][k - 1], 18) << "room for a line of text";
  }
}

TEST_F(Charts, AsPngShowNoBoxLargerThanThePicture) {
  // No font has the last character of a plane; pango's sign for that is drawn wrongly, see gnuplot.cpp.
  const auto drawn_with = [&](const std::string& label) {
    write_bar_chart(test::made_up_bars({{label, 1}, {"a longer one", 1}}), {folder_.path("a.png")});
    return test::read_bytes(folder_.path("a.png"));
  };
  EXPECT_EQ(drawn_with("a\U0010FFFDb"), drawn_with("a?b"));
}

TEST_F(Charts, AScriptThatDrawsNothingIsAnErrorAndLeavesNoFile) {
  EXPECT_THROW(run_gnuplot({path_}, "x = 1"), FileError);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(Charts, AScriptThatFailsKeepsThePictureThatWasThere) {
  test::write_bytes(path_, "a good picture");
  EXPECT_THROW(run_gnuplot({path_}, "plot nonsense\nplot x"), FileError);
  EXPECT_EQ(picture(), "a good picture");
}

TEST_F(Charts, AreWholeInEveryFormat) {
  for (const char* name : {"a.svg", "a.pdf", "a.png"}) {
    write_bar_chart(test::made_up_bars({{"love", 1.5}}), {folder_.path(name)});
    EXPECT_GT(std::filesystem::file_size(folder_.path(name)), 1000U) << name;
  }
  EXPECT_THROW(write_bar_chart(test::made_up_bars({{"love", 1.5}}), {folder_.path("a.txt")}), UsageError);
}

TEST_F(Charts, DoNotReadTheUsersOwnSettings) {
  const test::EnvironmentVariable home("HOME", folder_.folder().string());
  test::write_bytes(folder_.path(".gnuplot"), "set label 'my settings' at graph 0.5, graph 0.5\n");
  write_bar_chart(test::made_up_bars({{"love", 1.5}}), {path_});
  EXPECT_THAT(picture(), Not(HasSubstr("my settings")));
}

// What people type, and what they type to break things.
TEST_F(Charts, ShowAnyTextAndInterpretNone) {
  const std::vector<std::string> texts = {"100% sure",
                                          "-0.5 = 1/2",
                                          "%s%n%n%s",
                                          "'quoted'",
                                          "it''s",
                                          "'",
                                          "say \"so\"",
                                          "back\\slash \\n \\",
                                          "`date` $(date) @x",
                                          "]]>",
                                          "<b>&amp;</b>",
                                          "{/Bold a}_1^2",
                                          "naïve √d 世界 🙂",
                                          "",
                                          " ",
                                          "%",
                                          "#no comment",
                                          "EOD",
                                          "a;b, c [d]"};
  BarChart bars{"100% '\"]]> title", "<y> %", texts, {{}, {"]]> %s `x`", {}, texts}}};
  LineChart lines;
  lines.title = "]]> `x` %d";
  lines.x_label = lines.y_label = "'%s'";
  HeatMap map{"%s ]]>", "'", "\"", {}};
  for (const std::string& text : texts) {
    for (BarSeries& series : bars.series) series.values.emplace_back(1);
    lines.series.push_back({text, {1, 2}, {1, 2}, {}});
    map.panels.push_back(
        {text, texts, texts, Matrix::Identity(static_cast<Index>(texts.size()), static_cast<Index>(texts.size()))});
  }
  const auto shows = [](const char* text) { return HasSubstr(std::string("<text>") + text + "</text>"); };
  const auto all = AllOf(shows("100% sure"), shows("%s%n%n%s"), shows("-0.5 = 1/2"), shows("'quoted'"), shows("it''s"),
                         shows("'"), shows("say \"so\""), shows("back\\slash \\n \\"), shows("`date` $(date) @x"),
                         AllOf(shows("]]&gt;"), shows("&lt;b>&amp;amp;&lt;/b>"), shows("{/Bold a}_1^2"),
                               shows("naïve √d 世界 🙂"), shows("%"), shows("#no comment"), shows("EOD")));
  write_bar_chart(bars, {path_});
  EXPECT_THAT(good_picture(), AllOf(all, shows("100% '\"]]&gt; title"), shows("&lt;y> %"), shows("]]&gt; %s `x`")));
  write_chart(lines, {path_});
  EXPECT_THAT(good_picture(), AllOf(all, shows("]]&gt; `x` %d"), shows("'%s'")));
  write_heat_map(map, {path_});
  EXPECT_THAT(good_picture(), AllOf(all, shows("%s ]]&gt;")));
}

TEST_F(Charts, ReplaceWhatNoPictureMayHold) {
  const std::string bad =
      "a\x01"
      "b\x1b[1m\xff\xc3(\xed\xa0\x80\xef\xbf\xbe\xef\xbf\xbf\x7f end";
  write_bar_chart(test::made_up_bars({{bad, 1}, {"two\nlines\tand a tab", 2}}, bad, bad), {path_});
  EXPECT_THAT(good_picture(), AllOf(HasSubstr("a\uFFFDb\uFFFD[1m\uFFFD\uFFFD(\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD end"),
                                    HasSubstr("two lines and a tab")));
}

TEST_F(Charts, CutLongTextsBetweenCharacters) {
  std::string wide, percents;
  for (int k = 0; k < 5000; ++k) {
    wide += "世";
    percents += "世%";
  }
  write_bar_chart(test::made_up_bars({{wide, 1}, {percents, 2}, {std::string(100'000, '%'), 3}}, wide, wide), {path_});
  const std::string drawn = good_picture();
  EXPECT_LT(drawn.size(), 40'000U);
  EXPECT_THAT(drawn, AllOf(HasSubstr("世世…</text>"), HasSubstr("世%…</text>"), HasSubstr("%%%…</text>")));
}

TEST_F(Charts, OfZerosHaveALinearAxis) {
  EXPECT_THAT(draw_line({5, 6, 7}, {0, 0, 0}), AllOf(HasSubstr("curve"), Not(HasSubstr("slope -0.5"))));
  EXPECT_THAT(draw_line({5, 6, 7}, {0, 1, 0}), HasSubstr("slope -0.5")) << "one value is enough for a logarithm";
}

TEST_F(Charts, WithNothingToShowSaySo) {
  const auto empty = AllOf(HasSubstr("nothing to draw"), HasSubstr("A line"));
  EXPECT_THAT(draw_line({}, {}), empty);
  EXPECT_THAT(draw_line({5, 6}, {kNan, kInfinity}), empty);
  EXPECT_THAT(draw_line({kNan, -kInfinity}, {1, 2}, false), empty);
  LineChart without_series;
  without_series.title = "A line";
  write_chart(without_series, {path_});
  EXPECT_THAT(good_picture(), empty);
  write_bar_chart(test::made_up_bars({}), {path_});
  EXPECT_THAT(good_picture(), HasSubstr("nothing to draw"));
  write_heat_map({"Panels", "", "", {}}, {path_});
  EXPECT_THAT(good_picture(), HasSubstr("nothing to draw"));
  write_generalization_chart({}, {path_});
  EXPECT_THAT(good_picture(), HasSubstr("nothing to draw"));
}

TEST_F(Charts, DrawLinesThroughAnyDoubles) {
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
  for (const bool logarithmic : {false, true}) {
    draw_line(places, values, logarithmic, values);
    draw_line(values, values, logarithmic, values);
    for (const double value : values) {
      SCOPED_TRACE(value);
      draw_line({3}, {value}, logarithmic);
      draw_line({3, 4}, {value, value}, logarithmic);
    }
  }
}

TEST_F(Charts, HaveFewTicsOverManyDecades) {
  const std::string decades = draw_line({1, 2}, {1e-280, 1e280});
  size_t labels = 0;
  for (size_t at = decades.find("<text>"); at != std::string::npos; at = decades.find("<text>", at + 1)) ++labels;
  EXPECT_GT(labels, 5U);
  EXPECT_LT(labels, 30U);
  EXPECT_THAT(draw_line({1, 2}, {0.3, 4}), AllOf(HasSubstr(">0.5</tspan>"), HasSubstr(">1</tspan>"),
                                                 HasSubstr(">2</tspan>"), HasSubstr(">5</tspan>")));
}

TEST_F(Charts, DrawBarsOfAnyHeight) {
  for (const double value : {0.0, -1.0, 5e-324, 1e-300, 1e-290, 1e-280, 1e289, 1e290, 1e300, kInfinity, kNan}) {
    SCOPED_TRACE(value);
    BarChart chart = test::made_up_bars({{"one", value}, {"same", value}});
    chart.series.push_back({"marks", {value, value}, {"a note", "another"}});
    write_bar_chart(chart, {path_});
    EXPECT_THAT(good_picture(), HasSubstr("same"));
  }
}

TEST_F(Charts, DrawMatricesOfAnySizeAndContent) {
  const auto cells = [](const std::string& svg) {
    size_t count = 0;
    const std::string first = svg.substr(0, svg.find("gnuplot_plot_2"));
    for (size_t at = first.find("<polygon"); at != std::string::npos; at = first.find("<polygon", at + 1)) ++count;
    return count;
  };
  const size_t scale = cells(draw_matrix(Matrix(0, 0)));  // of colours, beside the matrix
  EXPECT_EQ(cells(draw_matrix(Matrix::Constant(1, 1, 0.5))), scale + 1);
  EXPECT_EQ(cells(draw_matrix(Matrix::Constant(1, 3, 0.5))), scale + 3);
  EXPECT_EQ(cells(draw_matrix(Matrix::Constant(3, 1, 0.5))), scale + 3);
  EXPECT_EQ(cells(draw_matrix(Matrix::Zero(3, 3))), scale + 9);
  EXPECT_EQ(cells(draw_matrix(Matrix::Constant(3, 3, kNan))), scale);
  for (const double value : {-1.0, 5e-324, 1e-300, 1e308, kInfinity}) {
    SCOPED_TRACE(value);
    draw_matrix(Matrix::Constant(3, 3, value));
  }
  const std::vector<HeatPanel> many(101, {"panel", {}, {}, Matrix::Zero(2, 2)});
  EXPECT_THROW(write_heat_map({"Too many", "", "", many}, {path_}), UsageError);
}

TEST_F(Charts, OfLearningLeaveOutRowsThatFailed) {
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
  write_generalization_chart({rows.begin() + 4, rows.end()}, {path_});
  EXPECT_THAT(good_picture(), HasSubstr("nothing to draw"));
  rows.push_back(good);
  write_generalization_chart(rows, {path_});
  EXPECT_THAT(good_picture(), AllOf(HasSubstr("rf, n = 5, re-trained"), HasSubstr("N = 8")));
  rows.back().set("error", 1e200);
  rows.back().set("gamma", 1e200);
  write_generalization_chart(rows, {path_});
  good_picture();
}

}  // namespace
}  // namespace wordsway
