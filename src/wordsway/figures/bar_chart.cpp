#include "wordsway/figures/bar_chart.h"

#include <algorithm>

#include <fmt/format.h>

namespace wordsway {

void write_bar_chart(const BarChart& chart, const Canvas& canvas) {
  if (chart.bars.empty()) return draw_nothing(canvas, chart.title);
  std::string data = "$bars << EOD\n", tics;
  double top = 0;
  for (size_t k = 0; k < chart.bars.size(); ++k) {
    const auto& [label, value] = chart.bars[k];
    data += fmt::format("{} {}\n", k, is_shown(value) ? value : 0);
    if (is_shown(value)) top = std::max(top, value);
    tics += (k == 0 ? "" : ", ") + gnuplot_tic(label, static_cast<double>(k));
  }
  const std::string style = fmt::format(
      "set title {} noenhanced\nset ylabel {} noenhanced\nset yrange [0:{}]\nset xrange [-0.7:{}]\n"
      "set boxwidth 0.75\nset style fill solid 0.85 noborder\nset border 3 linecolor '#444444'\nset tics nomirror\n"
      "set grid ytics linecolor '#dddddd' linetype 1\nunset key\nset xtics ({}) noenhanced scale 0 rotate by 45 "
      "right\n",
      gnuplot_quoted(chart.title), gnuplot_quoted(chart.y_label), top >= kSmallestShown ? "*" : "1",
      static_cast<double>(chart.bars.size()) - 0.3, tics);
  run_gnuplot(canvas, style + data + "EOD\n" +
                          fmt::format("plot $bars using 1:2 with boxes linecolor '{}'", palette_colour(2, 6)));
}

}  // namespace wordsway
