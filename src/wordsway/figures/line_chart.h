// Curves with bands of a deviation, an error or an interval, on linear or logarithmic axes.
#pragma once

#include <string>
#include <vector>

#include "wordsway/draw/chart.h"
#include "wordsway/figures/bands.h"

namespace wordsway {

struct Series {
  Text label;
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

/// The points that the chart's axes can show. A band that reaches zero has no logarithm; on a logarithmic axis it goes
/// down to a tenth of the value.
std::vector<CurvePoint> shown_points(const LineChart& chart, const Series& series, Bands bands);

/// Values that an axis cannot show are left out; a logarithmic axis that could show none at all becomes linear. Series
/// without points are only named in the legend.
Chart chart_of(const LineChart& chart, Bands bands = Bands::kDeviation);

}  // namespace wordsway
