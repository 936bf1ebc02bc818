// Curves with bands of one standard deviation, or of an interval, on linear or logarithmic axes.
#pragma once

#include <string>
#include <vector>

#include "wordsway/figures/gnuplot.h"

namespace wordsway {

struct Series {
  std::string label;
  std::vector<double> x, y;
  std::vector<double> deviation = {};  // empty: no band
  std::vector<double> low = {},
                      high = {};  // the band itself, where it is not as wide on both sides; empty: by `deviation`
};

struct LineChart {
  std::string title, x_label, y_label;
  bool log_x = true, log_y = true;
  std::vector<Series> series;
  std::vector<double> reference_slopes;  // dashed grey guides y ∝ x^slope, on log-log axes
};

/// Draws the chart; see run_gnuplot for what it throws. Values that an axis cannot show are left out; where a
/// logarithmic axis could show none at all, it is linear. Series of no points are named in the key and not seen.
void write_chart(const LineChart& chart, const Canvas& canvas);

}  // namespace wordsway
