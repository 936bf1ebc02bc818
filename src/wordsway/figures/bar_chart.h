// One bar for each of a list of named values.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wordsway/figures/gnuplot.h"

namespace wordsway {

struct BarChart {
  std::string title, y_label;
  std::vector<std::pair<std::string, double>> bars;
};

/// Draws the chart; see run_gnuplot for what it throws. A value that is no number has a label and no bar. Bars stand
/// next to each other; where labels are long or bars are many, they lie below each other, and the picture is as high as
/// that takes.
void write_bar_chart(const BarChart& chart, const Canvas& canvas);

}  // namespace wordsway
