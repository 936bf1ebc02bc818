// Charts as panels of a figure.
#pragma once

#include "wordsway/figures/bar_chart.h"
#include "wordsway/figures/figure_registry.h"
#include "wordsway/figures/heat_map.h"
#include "wordsway/figures/line_chart.h"

namespace wordsway {

/// The panel's title is that of the chart.
FigurePanel line_panel(LineChart chart, std::string note = {});
FigurePanel bar_panel(BarChart chart, std::string note = {});
FigurePanel heat_panel(HeatMap map, int panel_width, int height, std::string note = {});

/// The end of a label: n to the power of this exponent, in brackets.
Text bracketed_exponent(double exponent);

/// A chart of S against n, with the slope of a decay as 1/√n.
LineChart sensitivity_chart(std::string title, std::vector<Series> series);

}  // namespace wordsway
