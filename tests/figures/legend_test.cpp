// No name of a curve is cut, whatever it is: measured in the pictures.
#include "wordsway/figures/legend.h"

#include <regex>

#include <gmock/gmock.h>

#include "figures/made_up_bars.h"
#include "support/bytes.h"
#include "support/temporary_folder.h"
#include "wordsway/figures/generalization_chart.h"
#include "wordsway/figures/line_chart.h"

namespace wordsway {
namespace {

struct Text {
  double x, size;
  std::string anchor, content;
  bool turned;

  double width() const { return text_width(content) * size / 14; }
  double left() const { return x - (anchor == "end" ? width() : anchor == "middle" ? width() / 2 : 0); }
};

std::vector<Text> texts_of(const std::string& svg) {
  static const std::regex place(
      "translate\\(([-0-9.]+),[-0-9.]+\\)( "
      "rotate[^\"]*)?\"[^>]*font-size=\"([0-9.]+)\"[^>]*text-anchor=\"([a-z]+)\"[^>]*>"
      "\\s*<text>([^\\n]*)</text>");
  static const std::regex tag("<[^>]*>");
  std::vector<Text> texts;
  for (std::sregex_iterator found(svg.begin(), svg.end(), place), end; found != end; ++found)
    texts.push_back({std::stod((*found)[1]), std::stod((*found)[3]), (*found)[4],
                     std::regex_replace((*found)[5].str(), tag, ""), (*found)[2].length() > 0});
  return texts;
}

double width_of(const std::string& svg) {
  std::smatch found;
  EXPECT_TRUE(std::regex_search(svg, found, std::regex("viewBox=\"0 0 ([0-9]+) ([0-9]+)\"")));
  return std::stod(found[1]);
}

class Legends : public testing::Test {
 protected:
  std::string picture() const { return test::read_bytes(path_); }
  void expect_all_inside() const {
    const std::string svg = picture();
    const auto texts = texts_of(svg);
    EXPECT_GT(texts.size(), 4U);
    for (const Text& text : texts) {
      if (text.turned) {  // upright, or by 45 degrees under bars: its end is where it is placed
        EXPECT_GE(text.x - (text.anchor == "end" ? 0.71 * text.width() : 0), 0) << text.content;
        continue;
      }
      EXPECT_GE(text.left(), 0) << text.content;
      EXPECT_LE(text.left() + text.width(), width_of(svg)) << text.content;
    }
  }
  void draw(const std::vector<std::string>& labels, int width) const {
    LineChart chart;
    chart.title = "A chart whose title is as long as those of the report are, or longer";
    chart.x_label = "context length n";
    chart.y_label = "word sensitivity S";
    for (const std::string& label : labels) chart.series.push_back({label, {10, 20, 40}, {1, 0.5, 0.3}, {}});
    chart.reference_slopes = {-0.5};
    write_chart(chart, {path_, width, 400});
  }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path("chart.svg");
};

TEST_F(Legends, OfLinesAreWhole) {
  const std::vector<std::vector<std::string>> names = {
      {"raf"},
      {"raf (n^-0.06)", "raf-softplus (n^-0.68)", "rf"},
      {"raf-softplus, depth = 3, activation = gelu, beta = 0.125"},
      {std::string(60, 'M'), "rf"},
      {"世界世界世界世界世界世界世界世界世界世界世界世界世界世界", "rf"},
      std::vector<std::string>(12, "raf-sigmoid, d = 1024")};
  for (const int width : {480, 560, 760})
    for (const auto& labels : names) {
      SCOPED_TRACE(labels.front());
      draw(labels, width);
      expect_all_inside();
      const std::string svg = picture();
      EXPECT_NE(svg.find("slope -0.5"), std::string::npos);
    }
}

TEST_F(Legends, ThatAreLongStandBelowInFull) {
  const std::string label = "raf-softplus, depth = 3, activation = gelu, beta = 0.125";
  draw({label, "rf"}, 560);
  EXPECT_THAT(picture(), testing::HasSubstr(label));
  EXPECT_THAT(picture(), testing::HasSubstr("viewBox=\"0 0 560 4")) << "the picture grows by the lines of the legend";
  const std::string tall = picture();
  draw({"raf", "rf"}, 560);  // beside each other, in one line
  EXPECT_THAT(picture(), testing::HasSubstr("viewBox=\"0 0 560 433\""));
  EXPECT_THAT(tall, testing::Not(testing::HasSubstr("viewBox=\"0 0 560 433\"")));
}

TEST_F(Legends, OfLearningAreWhole) {
  for (const char* field : {"train_size", "penalty"})
    for (const std::vector<double>& values : {std::vector<double>{50}, {0.00001234567, 100}, {1234567890, 123456}}) {
      std::vector<Record> rows;
      for (const double value : values)
        for (const char* objective : {"align", "error"})
          rows.push_back({{"map", "raf-softplus"},
                          {"n", std::int64_t{120}},
                          {field, value},
                          {"training", "retrain"},
                          {"objective", objective},
                          {"gamma", 0.5},
                          {"error", 0.3}});
      write_generalization_chart(rows, {path_}, field);
      expect_all_inside();
    }
}

TEST_F(Legends, OfBarsAreWhole) {
  for (const size_t count : {1U, 3U, 24U, 60U})
    for (const std::string label :
         {"love", "rf, d = 16, width = 80, activation = tanh", "MMMMMMMMMMMMMMMMMMMMMMMMMMMMMM"})
      for (const int width : {560, 760}) {
        BarChart chart{"Word sensitivity of a model that has a long name, layer last",
                       "word sensitivity",
                       std::vector<std::string>(count, label),
                       {{"typical word", {}, {}}, {"worst real word", {}, {}}, {"worst move in the ball", {}, {}}}};
        for (size_t k = 0; k < count; ++k)
          for (BarSeries& series : chart.series) {
            series.values.emplace_back(1.0 / static_cast<double>(k + 1));
            series.notes.push_back("→ " + label);
          }
        write_bar_chart(chart, {path_, width, 400});
        SCOPED_TRACE(label);
        expect_all_inside();
      }
}

TEST(TextWidth, IsThatOfAWideFont) {
  EXPECT_EQ(text_width(""), 0);
  // As DejaVu Sans sets them at 14 pixels.
  EXPECT_NEAR(text_width("objective error"), 102.8, 0.1);
  EXPECT_NEAR(text_width("raf-softplus"), 79.5, 0.1);
  EXPECT_LT(text_width("illi"), text_width("mwmw"));
  EXPECT_GE(text_width("世界"), 28);
}

TEST(FittedText, IsCutBetweenCharacters) {
  EXPECT_EQ(gnuplot_fitted("abc", 100), gnuplot_quoted("abc"));
  EXPECT_EQ(gnuplot_fitted("世界世界", 50), gnuplot_quoted("世界…"));
  EXPECT_EQ(gnuplot_fitted("abc", 1), gnuplot_quoted("…"));
}

}  // namespace
}  // namespace wordsway
