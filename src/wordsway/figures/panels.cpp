#include "wordsway/figures/panels.h"

#include <fmt/format.h>

namespace wordsway {

FigurePanel line_panel(LineChart chart, std::string note) {
  FigurePanel panel{chart.title, std::move(note), {}};
  panel.chart = [chart = std::move(chart)](Bands bands) { return chart_of(chart, bands); };
  return panel;
}

FigurePanel bar_panel(BarChart chart, std::string note) {
  FigurePanel panel{chart.title, std::move(note), {}};
  panel.chart = [chart = std::move(chart)](Bands) { return chart_of(chart); };
  return panel;
}

FigurePanel heat_panel(HeatMap map, int panel_width, int height, std::string note) {
  FigurePanel panel{map.title, std::move(note), {}};
  panel.chart = [map = std::move(map), panel_width, height](Bands) { return chart_of(map, panel_width, height); };
  return panel;
}

Text bracketed_exponent(double exponent) {
  return power(" (n", with_minus_signs(fmt::format("{:.2f}", exponent))) + ")";
}

LineChart sensitivity_chart(std::string title, std::vector<Series> series) {
  LineChart chart;
  chart.title = std::move(title);
  chart.x_label = "context length n";
  chart.y_label = "word sensitivity S";
  chart.series = std::move(series);
  chart.reference_slopes = {-0.5};
  return chart;
}

}  // namespace wordsway
