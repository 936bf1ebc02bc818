#include "wordsway/figures/line_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "wordsway/core/matrix.h"
#include "wordsway/figures/legend.h"
#include "wordsway/figures/tikz.h"
#include "wordsway/sensitivity/scaling_fit.h"

namespace wordsway {
namespace {

constexpr size_t kFewBands = 5;  // more of them lie on top of each other, and are drawn fainter

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  bool is_empty() const { return low > high; }
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

bool drawable(const LineChart& chart, double x, double y) {
  return is_shown(x) && is_shown(y) && (!chart.log_x || x >= kSmallestShown) && (!chart.log_y || y >= kSmallestShown);
}

// The band around a point; a deviation that is no number has no band.
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

std::string data_block(const LineChart& chart, const Series& series, size_t number, Bands bands) {
  std::string block = fmt::format("$series{} << EOD\n", number);
  for (const CurvePoint& point : shown_points(chart, series, bands))
    block += fmt::format("{} {} {} {}\n", point.x, point.y, point.low, point.high);
  return block + "EOD\n";
}

Range range_of(const LineChart& chart, bool of_x) {
  Range range;
  for (const Series& series : chart.series)
    for (size_t k = 0; k < series.x.size(); ++k)
      if (drawable(chart, series.x[k], series.y[k])) range.include(of_x ? series.x[k] : series.y[k]);
  return range;
}

// The highest point of a curve or its band.
double top_of(const LineChart& chart, Bands bands) {
  double top = 0;
  for (const Series& series : chart.series)
    for (size_t k = 0; k < series.x.size(); ++k)
      if (drawable(chart, series.x[k], series.y[k])) top = std::max(top, band_at(series, k, bands).high);
  return top;
}

// What is 0 everywhere has no logarithm: such an axis becomes a linear one.
LineChart with_possible_axes(LineChart chart) {
  if (range_of(chart, true).is_empty()) chart.log_y = false;
  if (range_of(chart, true).is_empty()) chart.log_x = false;
  return chart;
}

// Guides are straight on logarithmic axes only.
bool has_guides(const LineChart& chart) {
  return chart.log_x && chart.log_y;
}

std::string guide_label(double slope) {
  return slope == 0 ? "constant" : fmt::format("slope {:g}", slope);
}

// Guides through the chart's upper left, where falling curves start. `titles` are their names.
std::string guides(const LineChart& chart, std::span<const std::string> titles) {
  if (!has_guides(chart)) return "";
  const Range x = range_of(chart, true), y = range_of(chart, false);
  std::string plots;
  for (size_t k = 0; k < chart.reference_slopes.size(); ++k)
    plots += fmt::format(", {}*(x/{})**({}) with lines dashtype (8,6) linewidth 1.5 linecolor '#666666' title {}",
                         y.high, x.low, chart.reference_slopes[k], titles[k]);
  return plots;
}

// Of the curves, then of the guides.
std::vector<std::string> labels_of(const LineChart& chart) {
  std::vector<std::string> labels;
  for (const Series& series : chart.series) labels.push_back(series.label);
  if (has_guides(chart))
    for (const double slope : chart.reference_slopes) labels.push_back(guide_label(slope));
  return labels;
}

// 1, 2 and 5 of every decade; over many decades some of the ones.
std::string value_tics(double low, double high) {
  constexpr int kDecadesWithSteps = 6;
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  const int stride = 1 + (last - first) / (2 * kDecadesWithSteps);
  const auto steps = last - first <= kDecadesWithSteps ? std::vector{1.0, 2.0, 5.0} : std::vector{1.0};
  std::string tics;
  for (int decade = first; decade <= last; decade += stride)
    for (const double step : steps) {
      const double value = step * std::pow(10, decade);
      if (value >= low && value <= high)
        tics += (tics.empty() ? "" : ", ") + gnuplot_tic(fmt::format("{:g}", value), value);
    }
  return fmt::format("set ytics ({})\n", tics);
}

std::string value_axis(const LineChart& chart, Bands bands) {
  if (!chart.log_y) {
    const double top = top_of(chart, bands);
    return fmt::format("set yrange [0:{}]\n", top >= kSmallestShown ? top * 1.1 : 1);
  }
  const Range y = range_of(chart, false);
  // At least a decade, so that a flat curve looks flat and a guide shows what falling would be.
  const double low = std::min(y.low / 1.6, y.high / 8), high = y.high * 1.6;
  return fmt::format("set logscale y\nset yrange [{}:{}]\n{}", low, high, value_tics(low, high));
}

std::string size_axis(const LineChart& chart) {
  const Range x = range_of(chart, true);
  return chart.log_x ? fmt::format("set logscale x\nset xrange [{}:{}]\n", x.low / 1.1, x.high * 1.1) : "";
}

std::string axes(const LineChart& chart, const Legend& legend) {
  const std::string title =
      legend.canvas.title ? fmt::format("set title {} noenhanced\n", gnuplot_fitted(chart.title, legend.widest_title))
                          : "";
  return title +
         fmt::format("set xlabel {} noenhanced\nset ylabel {} noenhanced\n", gnuplot_quoted(chart.x_label),
                     gnuplot_quoted(chart.y_label)) +
         size_axis(chart) + value_axis(chart, legend.canvas.bands) +
         "set border 3 linecolor '#444444'\nset tics nomirror textcolor '#222222'\n"
         "set grid linecolor '#dddddd' linetype 1\n" +
         legend.settings;
}

// Logarithmic axes label decades only, linear ones halves of layers; sizes are better read where they are.
std::string size_tics(const LineChart& chart) {
  std::vector<double> positions;
  for (const Series& series : chart.series)
    for (size_t k = 0; k < series.x.size(); ++k)
      if (drawable(chart, series.x[k], series.y[k])) positions.push_back(series.x[k]);
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  const bool whole = std::all_of(positions.begin(), positions.end(), [](double x) { return x == std::floor(x); });
  if (positions.empty() || positions.size() > 12 || !(chart.log_x || whole)) return "";
  std::string tics;
  for (const double x : positions) tics += (tics.empty() ? "" : ", ") + gnuplot_tic(fmt::format("{:g}", x), x);
  return fmt::format("set xtics ({})\n", tics);
}

}  // namespace

std::vector<CurvePoint> shown_points(const LineChart& chart, const Series& series, Bands bands) {
  std::vector<CurvePoint> points;
  for (size_t k = 0; k < series.x.size(); ++k) {
    const double x = series.x[k], y = series.y[k];
    if (!drawable(chart, x, y)) continue;
    const Band band = band_at(series, k, bands);
    points.push_back({x, y, chart.log_y ? std::max(band.low, 0.1 * y) : band.low, band.high});
  }
  return points;
}

void write_chart(const LineChart& given, const Canvas& canvas) {
  const LineChart chart = with_possible_axes(given);
  if (is_tikz(canvas)) return write_tikz(chart, canvas);
  if (range_of(chart, true).is_empty()) return draw_nothing(canvas, chart.title);
  const std::vector<std::string> labels = labels_of(chart);
  const Legend legend = lay_out_legend(labels, canvas.sized(560, 400));
  const auto colours = curve_colours({labels.begin(), labels.begin() + static_cast<Index>(chart.series.size())});
  std::string script = axes(chart, legend) + size_tics(chart), bands, lines;
  for (size_t s = 0; s < chart.series.size(); ++s) {
    const Series& series = chart.series[s];
    script += data_block(chart, series, s, canvas.bands);
    const std::string& colour = colours[s];
    if (!series.deviation.empty() || !series.low.empty())
      bands +=
          fmt::format("$series{} using 1:3:4 with filledcurves fillcolor '{}' fillstyle transparent solid {} notitle, ",
                      s, colour, chart.series.size() <= kFewBands ? 0.18 : 0.07);
    lines += fmt::format(
        "{}$series{} using 1:2 with linespoints linewidth 2 pointtype {} pointsize 0.7 linecolor '{}' title {}",
        s == 0 ? "" : ", ", s, 4 + s % 10, colour, legend.titles[s]);
  }
  const std::span<const std::string> guide_titles = std::span(legend.titles).subspan(chart.series.size());
  run_gnuplot(legend.canvas, script + "plot " + bands + lines + guides(chart, guide_titles));
}

}  // namespace wordsway
