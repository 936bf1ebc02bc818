#include "wordsway/figures/bar_chart.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/figures/legend.h"

namespace wordsway {
namespace {

constexpr double kAroundAxes = 100;      // pixels for the axes' own labels
constexpr double kLongestTurned = 90;    // a longer label under the first bar would reach over the left edge
constexpr double kNarrowestBar = 17;     // pixels: labels under narrower bars would lie on top of each other
constexpr double kBarHeight = 22;        // of bars that lie
constexpr double kLeastHeight = 260;     // lower pictures look lost on a page
constexpr double kMostForLabels = 0.55;  // of the width

double widest_label(const BarChart& chart) {
  double widest = 0;
  for (const auto& [label, value] : chart.bars) widest = std::max(widest, text_width(label));
  return widest;
}

double largest_value(const BarChart& chart) {
  double largest = 0;
  for (const auto& [label, value] : chart.bars)
    if (is_shown(value)) largest = std::max(largest, value);
  return largest;
}

std::string data_block(const BarChart& chart) {
  std::string data = "$bars << EOD\n";
  for (size_t k = 0; k < chart.bars.size(); ++k)
    data += fmt::format("{} {}\n", k, is_shown(chart.bars[k].second) ? chart.bars[k].second : 0);
  return data + "EOD\n";
}

std::string tics(const BarChart& chart, double widest) {
  std::string list;
  for (size_t k = 0; k < chart.bars.size(); ++k)
    list += (k == 0 ? "" : ", ") + gnuplot_tic(fitted(chart.bars[k].first, widest), static_cast<double>(k));
  return list;
}

// `value` is the axis of values, x or y; `place` is that of the bars.
std::string style(const BarChart& chart, char value, char place, double widest_title) {
  return fmt::format(
      "set title {} noenhanced\nset {}label {} noenhanced\nset {}range [0:{}]\nset boxwidth 0.75\n"
      "set style fill solid 0.85 noborder\nset border 3 linecolor '#444444'\nset tics nomirror\n"
      "set grid {}tics linecolor '#dddddd' linetype 1\nunset key\nset {}tics noenhanced scale 0\n",
      gnuplot_fitted(chart.title, widest_title), value, gnuplot_quoted(chart.y_label), value,
      largest_value(chart) >= kSmallestShown ? "*" : "1", value, place);
}

double end_of(const BarChart& chart) {
  return static_cast<double>(chart.bars.size()) - 0.3;
}

void draw_standing(const BarChart& chart, const Canvas& canvas) {
  run_gnuplot(canvas, style(chart, 'y', 'x', canvas.width - kAroundAxes) +
                          fmt::format("set xrange [-0.7:{}]\nset xtics rotate by 45 right ({})\n", end_of(chart),
                                      tics(chart, kLongestTurned)) +
                          data_block(chart) +
                          fmt::format("plot $bars using 1:2 with boxes linecolor '{}'", palette_colour(2, 6)));
}

// With as much room for labels as they need; the picture grows with the number of bars.
void draw_lying(const BarChart& chart, Canvas canvas) {
  const double labels = std::min(widest_label(chart), kMostForLabels * canvas.width);
  canvas.height =
      static_cast<int>(std::max(kLeastHeight, kAroundAxes + kBarHeight * static_cast<double>(chart.bars.size())));
  run_gnuplot(canvas, style(chart, 'x', 'y', canvas.width - labels) +
                          fmt::format("set lmargin at screen {}\nset yrange [{}:-0.7]\nset ytics ({})\n",
                                      (labels + 12) / canvas.width, end_of(chart), tics(chart, labels)) +
                          data_block(chart) +
                          fmt::format("plot $bars using 2:1:(0):2:($1-0.375):($1+0.375) with boxxyerror linecolor '{}'",
                                      palette_colour(2, 6)));
}

}  // namespace

void write_bar_chart(const BarChart& chart, const Canvas& canvas) {
  if (chart.bars.empty()) return draw_nothing(canvas, chart.title);
  const bool wide_enough = (canvas.width - kAroundAxes) / static_cast<double>(chart.bars.size()) >= kNarrowestBar;
  if (wide_enough && widest_label(chart) <= kLongestTurned) return draw_standing(chart, canvas);
  draw_lying(chart, canvas);
}

}  // namespace wordsway
