#include "wordsway/figures/heat_map.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/figures/tikz.h"

namespace wordsway {
namespace {

constexpr size_t kMostLabels = 40;   // more cannot be read
constexpr size_t kMostPanels = 100;  // more are wider than a png can be
constexpr int kCharacterWidth = 7;   // pixels, on average: titles are cut to their panel

// Viridis, from dark for nothing to bright for everything.
constexpr const char* kPalette =
    "set palette defined (0 '#440154', 1 '#414487', 2 '#2a788e', 3 '#22a884', 4 '#7ad151', 5 '#fde725')\n";

std::string tics(const char* axis, const std::vector<std::string>& labels, bool turned) {
  if (labels.empty() || labels.size() > kMostLabels) return fmt::format("unset {}tics\n", axis);
  std::string list;
  for (size_t k = 0; k < labels.size(); ++k)
    list += (k == 0 ? "" : ", ") + gnuplot_tic(labels[k], static_cast<double>(k));
  return fmt::format("set {}tics ({}) noenhanced scale 0{}\n", axis, list, turned ? " rotate by 60 right" : "");
}

// gnuplot draws images of 2 × 2 at least: what is smaller gets cells without a value, outside the axes.
std::string data_block(const Matrix& values, size_t number) {
  std::string block = fmt::format("$panel{} << EOD\n", number);
  for (Index r = 0; r < std::max<Index>(2, values.rows()); ++r) {
    for (Index c = 0; c < std::max<Index>(2, values.cols()); ++c) {
      const bool there = r < values.rows() && c < values.cols() && is_shown(values(r, c));
      block += there ? fmt::format("{:.6g} ", values(r, c)) : "NaN ";
    }
    block += "\n";
  }
  return block + "EOD\n";
}

// The end of the colour scale: the largest value, or 1 where all are 0 or none is a number.
double largest_value(const HeatMap& map) {
  double largest = 0;
  for (const HeatPanel& panel : map.panels)
    for (const double value : panel.values.reshaped())
      if (is_shown(value)) largest = std::max(largest, value);
  return largest >= kSmallestShown ? largest : 1;
}

std::string draw_panel(const HeatPanel& panel, size_t number, size_t widest_title) {
  const Index rows = std::max<Index>(1, panel.values.rows()), columns = std::max<Index>(1, panel.values.cols());
  return data_block(panel.values, number) +
         fmt::format("set title {} noenhanced\n", gnuplot_quoted(panel.title, widest_title)) +
         tics("x", panel.column_labels, true) + tics("y", panel.row_labels, false) +
         fmt::format("set xrange [-0.5:{}]\nset yrange [{}:-0.5]\n", static_cast<double>(columns) - 0.5,
                     static_cast<double>(rows) - 0.5) +
         fmt::format("plot $panel{} matrix with image pixels\n", number);
}

}  // namespace

void write_heat_map(const HeatMap& map, Canvas canvas) {
  if (is_tikz(canvas)) return write_tikz(map, canvas);
  canvas = canvas.sized(760, 520);
  if (map.panels.empty()) return draw_nothing(canvas, map.title);
  if (map.panels.size() > kMostPanels)
    throw UsageError(
        fmt::format("a chart shows at most {} panels side by side; there are {}", kMostPanels, map.panels.size()));
  const size_t widest_title = static_cast<size_t>(canvas.width / kCharacterWidth);
  canvas.width *= static_cast<int>(map.panels.size());
  std::string script = fmt::format("set multiplot layout 1,{}", map.panels.size()) +
                       (canvas.title ? fmt::format(" title {} noenhanced\n", gnuplot_quoted(map.title)) : "\n");
  script += std::string(kPalette) +
            fmt::format("set cbrange [0:{}]\nunset key\nset border linecolor '#444444'\n", largest_value(map));
  script += fmt::format("set xlabel {} noenhanced\nset ylabel {} noenhanced\n", gnuplot_quoted(map.column_label),
                        gnuplot_quoted(map.row_label));
  for (size_t p = 0; p < map.panels.size(); ++p) script += draw_panel(map.panels[p], p, widest_title);
  run_gnuplot(canvas, script + "unset multiplot");
}

}  // namespace wordsway
