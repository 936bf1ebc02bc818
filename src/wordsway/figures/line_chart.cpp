#include "wordsway/figures/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "wordsway/figures/curve_colours.h"
#include "wordsway/sensitivity/scaling_fit.h"

namespace wordsway {
namespace {

constexpr size_t kFewBands = 5;    // more of them lie on top of each other, and are drawn fainter
constexpr size_t kMostSizes = 12;  // more ticks at the points themselves would be crowded
constexpr const char* kGuideColour = "#666666";
constexpr std::array kShapes = {Shape::kDisc,    Shape::kSquare,       Shape::kTriangle,
                                Shape::kDiamond, Shape::kDownTriangle, Shape::kOpenSquare,
                                Shape::kRing,    Shape::kOpenDiamond,  Shape::kCross};

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  bool is_empty() const { return low > high; }
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

bool drawable(const LineChart& chart, double x, double y) {
  return is_shown(x) && is_shown(y) && (!chart.log_x || x >= kSmallestShown) && (!chart.log_y || y >= kSmallestShown);
}

// The band around a point; a deviation that is not a number has none.
struct Band {
  double low, high;
};
Band band_at(const Series& series, size_t k, Bands bands) {
  const auto known = [k](const std::vector<double>& values) { return k < values.size() && is_shown(values[k]); };
  const double y = series.y[k];
  if (known(series.low) && known(series.high)) return {series.low[k], series.high[k]};
  double spread = known(series.deviation) ? series.deviation[k] : 0;
  if (bands != Bands::kDeviation && known(series.count) && series.count[k] > 1) {
    spread /= std::sqrt(series.count[k]);
    if (bands == Bands::kInterval) spread *= student_t_975(series.count[k] - 1);
  }
  return {y - spread, y + spread};
}

// Calls `see` for every point that the axes can show.
template <typename See>
void for_each_drawable(const LineChart& chart, const See& see) {
  for (const Series& series : chart.series)
    for (size_t k = 0; k < std::min(series.x.size(), series.y.size()); ++k)
      if (drawable(chart, series.x[k], series.y[k])) see(series, k);
}

Range x_range(const LineChart& chart) {
  Range range;
  for_each_drawable(chart, [&](const Series& series, size_t k) { range.include(series.x[k]); });
  return range;
}

Range y_range(const LineChart& chart) {
  Range range;
  for_each_drawable(chart, [&](const Series& series, size_t k) { range.include(series.y[k]); });
  return range;
}

// Values that are all 0 have no logarithm, so their axis becomes linear.
LineChart with_possible_axes(LineChart chart) {
  if (x_range(chart).is_empty()) chart.log_y = false;
  if (x_range(chart).is_empty()) chart.log_x = false;
  return chart;
}

// At the points themselves, where sizes are best read, unless that would be crowded or broken.
std::vector<Tick> size_ticks(const LineChart& chart) {
  std::vector<double> sizes;
  for_each_drawable(chart, [&](const Series& series, size_t k) { sizes.push_back(series.x[k]); });
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  const bool whole = std::all_of(sizes.begin(), sizes.end(), [](double x) { return x == std::floor(x); });
  std::vector<Tick> ticks;
  if (sizes.size() <= kMostSizes && (chart.log_x || whole))
    for (const double size : sizes) ticks.push_back({size, number_text(size)});
  return ticks;
}

Axis x_axis(const LineChart& chart) {
  const Range x = x_range(chart);
  Axis axis{.label = chart.x_label, .logarithmic = chart.log_x, .ticks = size_ticks(chart)};
  if (chart.log_x) {
    const double margin = x.low < x.high ? 1.1 : 2;
    axis.low = x.low / margin;
    axis.high = x.high * margin;
  } else {
    const double margin = x.low < x.high ? 0.03 * (x.high - x.low) : std::max(0.5, 0.1 * std::abs(x.low));
    axis.low = x.low - margin;
    axis.high = x.high + margin;
  }
  return axis;
}

Axis y_axis(const LineChart& chart, Bands bands) {
  Axis axis{.label = chart.y_label, .logarithmic = chart.log_y};
  const Range y = y_range(chart);
  if (chart.log_y) {
    // At least a decade, so that a flat curve looks flat and a guide shows what falling would be.
    axis.low = std::min(y.low / 1.6, y.high / 8);
    axis.high = y.high * 1.6;
    return axis;
  }
  double top = 0;
  for_each_drawable(chart,
                    [&](const Series& series, size_t k) { top = std::max(top, band_at(series, k, bands).high); });
  axis.high = top >= kSmallestShown ? std::min(top * 1.1, kLargestShown) : 1;
  axis.low = y.low <= -kSmallestShown ? y.low - 0.1 * (axis.high - y.low) : 0;
  return axis;
}

// Through the chart's upper left, where falling curves start, down to the axis.
Curve guide(const LineChart& chart, const Panel& panel, double slope) {
  const Range x = x_range(chart), y = y_range(chart);
  const double left = std::log10(x.low), top = std::log10(y.high), bottom = std::log10(panel.y.low);
  double right = std::log10(x.high);
  if (slope < 0) right = std::min(right, left + (bottom - top) / slope);
  if (slope > 0) right = std::min(right, left + (std::log10(panel.y.high) - top) / slope);
  Curve guide{.colour = kGuideColour, .line = Line::kDashed};
  for (const double at : {left, right}) {
    const double value = std::pow(10, top + slope * (at - left));
    guide.points.push_back({std::pow(10, at), value, value, value});
  }
  return guide;
}

Text guide_label(double slope) {
  return slope == 0 ? Text("constant") : "slope " + number_text(slope);
}

std::vector<std::string> colours_of(const LineChart& chart) {
  std::vector<std::string> labels;
  for (const Series& series : chart.series) labels.push_back(series.label.plain());
  return curve_colours(labels);
}

}  // namespace

std::vector<CurvePoint> shown_points(const LineChart& chart, const Series& series, Bands bands) {
  std::vector<CurvePoint> points;
  for (size_t k = 0; k < std::min(series.x.size(), series.y.size()); ++k) {
    const double x = series.x[k], y = series.y[k];
    if (!drawable(chart, x, y)) continue;
    const Band band = band_at(series, k, bands);
    points.push_back({x, y, chart.log_y ? std::max(band.low, 0.1 * y) : band.low, band.high});
  }
  return points;
}

Chart chart_of(const LineChart& given, Bands bands) {
  const LineChart chart = with_possible_axes(given);
  Chart result{.title = chart.title};
  if (x_range(chart).is_empty()) return result;
  Panel panel{.x = x_axis(chart), .y = y_axis(chart, bands)};
  const auto colours = colours_of(chart);
  for (size_t s = 0; s < chart.series.size(); ++s) {
    const Series& series = chart.series[s];
    Curve curve{.label = series.label, .colour = colours[s], .shape = kShapes[s % kShapes.size()]};
    curve.points = shown_points(chart, series, bands);
    if (!series.deviation.empty() || !series.low.empty())
      curve.band_opacity = chart.series.size() <= kFewBands ? 0.18 : 0.07;
    result.legend.push_back({curve.label, curve.colour, curve.line, curve.shape});
    panel.curves.push_back(std::move(curve));
  }
  if (chart.log_x && chart.log_y)
    for (const double slope : chart.reference_slopes) {
      panel.curves.push_back(guide(chart, panel, slope));
      result.legend.push_back({guide_label(slope), kGuideColour, Line::kDashed, Shape::kNone});
    }
  result.panels.push_back(std::move(panel));
  return result;
}

}  // namespace wordsway
