// Curves with bands of a deviation, an error or an interval, on linear or logarithmic axes.
#pragma once

#include <string>
#include <vector>

#include "wordsway/figures/gnuplot.h"

namespace wordsway {

struct Series {
  std::string label;
  std::vector<double> x, y;
  std::vector<double> deviation = {};  // of the values whose mean y is; empty: no band
  std::vector<double> count = {};      // how many these are; empty: not known, and the band is the deviation
  std::vector<double> low = {},
                      high = {};  // the band itself, where it is not as wide on both sides; empty: by `deviation`
};

struct LineChart {
  std::string title, x_label, y_label;
  bool log_x = true, log_y = true;
  std::vector<Series> series;
  std::vector<double> reference_slopes;  // dashed grey guides y ∝ x^slope, on log-log axes
};

/// A point of a curve with the band around it.
struct CurvePoint {
  double x, y, low, high;
};

/// The points that the chart's axes can show. A band that reaches zero has no logarithm; on a logarithmic axis it goes
/// down to a tenth of the value.
std::vector<CurvePoint> shown_points(const LineChart& chart, const Series& series, Bands bands);

/// Draws the chart, as .tex with write_tikz; see run_gnuplot for what it throws. Values that an axis cannot show are
/// left out; where a logarithmic axis could show none at all, it is linear. Series of no points are named in the key
/// and not seen.
void write_chart(const LineChart& chart, const Canvas& canvas);

}  // namespace wordsway
