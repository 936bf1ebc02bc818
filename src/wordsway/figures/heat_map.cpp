#include "wordsway/figures/heat_map.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

constexpr size_t kMostLabels = 40;  // more cannot be read

// Viridis, from dark for nothing to bright for everything.
constexpr const char* kPalette =
    "set palette defined (0 '#440154', 1 '#414487', 2 '#2a788e', 3 '#22a884', 4 '#7ad151', 5 '#fde725')\n";

std::string tics(const char* axis, const std::vector<std::string>& labels, bool turned) {
  if (labels.empty() || labels.size() > kMostLabels) return fmt::format("unset {}tics\n", axis);
  std::string list;
  for (size_t k = 0; k < labels.size(); ++k)
    list += fmt::format("{}{} {}", k == 0 ? "" : ", ", gnuplot_quoted(labels[k]), k);
  return fmt::format("set {}tics ({}) noenhanced scale 0{}\n", axis, list, turned ? " rotate by 60 right" : "");
}

std::string data_block(const Matrix& values, size_t number) {
  std::string block = fmt::format("$panel{} << EOD\n", number);
  for (Index r = 0; r < values.rows(); ++r) {
    for (Index c = 0; c < values.cols(); ++c) block += fmt::format("{:.6g} ", values(r, c));
    block += "\n";
  }
  return block + "EOD\n";
}

}  // namespace

void write_heat_map(const HeatMap& map, Canvas canvas) {
  ensure(!map.panels.empty(), "a heat map has at least one panel");
  double largest = 0;
  for (const HeatPanel& panel : map.panels) largest = std::max(largest, panel.values.maxCoeff());
  canvas.width *= static_cast<int>(map.panels.size());
  std::string script =
      fmt::format("set multiplot layout 1,{} title {} noenhanced\n", map.panels.size(), gnuplot_quoted(map.title));
  script += std::string(kPalette) +
            fmt::format("set cbrange [0:{}]\nunset key\nset border linecolor '#444444'\n", largest > 0 ? largest : 1);
  script += fmt::format("set xlabel {} noenhanced\nset ylabel {} noenhanced\n", gnuplot_quoted(map.column_label),
                        gnuplot_quoted(map.row_label));
  for (size_t p = 0; p < map.panels.size(); ++p) {
    const HeatPanel& panel = map.panels[p];
    script += data_block(panel.values, p);
    script += fmt::format("set title {} noenhanced\n", gnuplot_quoted(panel.title));
    script += tics("x", panel.column_labels, true) + tics("y", panel.row_labels, false);
    script +=
        fmt::format("set xrange [-0.5:{}]\nset yrange [{}:-0.5]\n", static_cast<double>(panel.values.cols()) - 0.5,
                    static_cast<double>(panel.values.rows()) - 0.5);
    script += fmt::format("plot $panel{} matrix with image pixels\n", p);
  }
  run_gnuplot(canvas, script + "unset multiplot");
}

}  // namespace wordsway
