#include "wordsway/figures/heat_map.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

constexpr size_t kMostPanels = 100;  // more are wider than a png can be

// The end of the colour scale: the largest value, or 1 if all values are 0 or none is a number.
double largest_value(const HeatMap& map) {
  double largest = 0;
  for (const HeatPanel& panel : map.panels)
    for (const double value : panel.values.reshaped())
      if (is_shown(value)) largest = std::max(largest, value);
  return largest >= kSmallestShown ? largest : 1;
}

}  // namespace

Chart chart_of(const HeatMap& map, int panel_width, int height) {
  Chart chart{.title = map.title, .height = height};
  chart.width = panel_width * static_cast<int>(std::max<size_t>(1, map.panels.size()));
  if (map.panels.empty()) return chart;
  if (map.panels.size() > kMostPanels)
    throw UsageError(
        fmt::format("a chart shows at most {} panels side by side; there are {}", kMostPanels, map.panels.size()));
  chart.columns = map.panels.size();
  chart.largest_cell = largest_value(map);
  for (const HeatPanel& panel : map.panels)
    chart.panels.push_back({.title = panel.title,
                            .x = {.label = map.column_label, .names = panel.column_labels},
                            .y = {.label = map.row_label, .names = panel.row_labels},
                            .cells = panel.values});
  return chart;
}

}  // namespace wordsway
