#include "wordsway/figures/bar_chart.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace wordsway {
namespace {

constexpr size_t kMostRows = 1000;  // a png can be 32767 pixels high

struct Mark {
  const char* colour;
  Shape shape;
};
// Bars are pale, so that marks can be seen on them. Colour-blind people can tell the colours apart, and the shapes
// besides.
constexpr const char *kBarColour = "#a6cbd6", *kBarText = "#2a788e";
constexpr std::array<Mark, 5> kMarks = {{{"#c04a00", Shape::kDisc},
                                         {"#440154", Shape::kOpenDiamond},
                                         {"#222222", Shape::kCross},
                                         {"#0a7d5c", Shape::kTriangle},
                                         {"#99004d", Shape::kOpenSquare}}};

std::optional<double> shown(std::optional<double> value) {
  if (!value || !is_shown(*value) || *value < 0) return std::nullopt;
  return *value < kSmallestShown ? 0 : *value;
}

RowMarks marks_of(const BarSeries& series, size_t number, size_t rows) {
  RowMarks marks{.colour = kBarColour, .text_colour = kBarText};
  if (number > 0) {
    const Mark& mark = kMarks[(number - 1) % kMarks.size()];
    marks = {.colour = mark.colour, .text_colour = mark.colour, .shape = mark.shape};
  }
  for (size_t row = 0; row < std::min(rows, series.values.size()); ++row)
    marks.values.push_back(shown(series.values[row]));
  marks.notes = {series.notes.begin(),
                 series.notes.begin() + static_cast<std::ptrdiff_t>(std::min(rows, series.notes.size()))};
  return marks;
}

double largest_value(const Panel& panel) {
  double largest = 0;
  for (const RowMarks& marks : panel.marks)
    for (const auto& value : marks.values) largest = std::max(largest, value.value_or(0));
  return largest;
}

}  // namespace

Chart chart_of(const BarChart& chart) {
  const size_t rows = std::min(chart.labels.size(), kMostRows);
  Chart result{.title = chart.title, .legend_place = LegendPlace::kAbove, .width = 760, .height = 0};
  if (rows == 0) return result;
  Panel panel;
  panel.y.names.assign(chart.labels.begin(), chart.labels.begin() + static_cast<std::ptrdiff_t>(rows));
  for (size_t s = 0; s < chart.series.size(); ++s) {
    panel.marks.push_back(marks_of(chart.series[s], s, rows));
    if (chart.series.size() > 1)
      result.legend.push_back({chart.series[s].name, panel.marks.back().colour, Line::kNone, panel.marks.back().shape});
  }
  if (panel.marks.empty()) panel.marks.push_back({.colour = kBarColour, .text_colour = kBarText});
  const double largest = largest_value(panel);
  panel.x = {.label = chart.value_label, .high = largest >= kSmallestShown ? largest * 1.02 : 1};
  if (rows < chart.labels.size()) result.remark = fmt::format("{} more rows are not drawn", chart.labels.size() - rows);
  result.panels.push_back(std::move(panel));
  return result;
}

}  // namespace wordsway
