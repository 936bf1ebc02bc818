#include "wordsway/figures/panels.h"

namespace wordsway {

FigurePanel line_panel(LineChart chart, std::string note) {
  FigurePanel panel{chart.title, std::move(note), {}};
  panel.draw = [chart = std::move(chart)](const Canvas& canvas) { write_chart(chart, canvas); };
  return panel;
}

FigurePanel bar_panel(BarChart chart, std::string note) {
  FigurePanel panel{chart.title, std::move(note), {}};
  panel.draw = [chart = std::move(chart)](const Canvas& canvas) { write_bar_chart(chart, canvas); };
  return panel;
}

FigurePanel heat_panel(HeatMap map, int panel_width, int height, std::string note) {
  FigurePanel panel{map.title, std::move(note), {}};
  panel.draw = [map = std::move(map), panel_width, height](const Canvas& canvas) {
    write_heat_map(map, canvas.sized(panel_width, height));
  };
  return panel;
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
