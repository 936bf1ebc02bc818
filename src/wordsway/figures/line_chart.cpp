#include "wordsway/figures/line_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

bool drawable(const LineChart& chart, double x, double y) {
  return std::isfinite(x) && std::isfinite(y) && (!chart.log_x || x > 0) && (!chart.log_y || y > 0);
}

std::string data_block(const LineChart& chart, const Series& series, size_t number) {
  std::string block = fmt::format("$series{} << EOD\n", number);
  for (size_t k = 0; k < series.x.size(); ++k) {
    const double x = series.x[k], y = series.y[k], spread = series.deviation.empty() ? 0 : series.deviation[k];
    if (!drawable(chart, x, y)) continue;
    // A band that reaches zero has no logarithm; it is drawn down to a tenth of the value.
    const double low = chart.log_y ? std::max(y - spread, 0.1 * y) : y - spread;
    block += fmt::format("{} {} {} {}\n", x, y, low, y + spread);
  }
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
double top_of(const LineChart& chart) {
  double top = 0;
  for (const Series& series : chart.series)
    for (size_t k = 0; k < series.x.size(); ++k)
      if (drawable(chart, series.x[k], series.y[k]))
        top = std::max(top, series.y[k] + (series.deviation.empty() ? 0 : series.deviation[k]));
  return top;
}

// Guides through the chart's upper left, where falling curves start.
std::string guides(const LineChart& chart) {
  const Range x = range_of(chart, true), y = range_of(chart, false);
  std::string plots;
  for (const double slope : chart.reference_slopes)
    plots += fmt::format(", {}*(x/{})**({}) with lines dashtype 2 linewidth 1 linecolor '#888888' title {}", y.high,
                         x.low, slope, gnuplot_quoted(slope == 0 ? "constant" : fmt::format("slope {:g}", slope)));
  return plots;
}

// 1, 2 and 5 of every decade.
std::string value_tics(double low, double high) {
  std::string tics;
  for (double decade = std::pow(10, std::floor(std::log10(low))); decade <= high; decade *= 10)
    for (const double step : {1.0, 2.0, 5.0})
      if (step * decade >= low && step * decade <= high)
        tics += fmt::format("{}'{:g}' {}", tics.empty() ? "" : ", ", step * decade, step * decade);
  return fmt::format("set ytics ({})\n", tics);
}

std::string axes(const LineChart& chart) {
  std::string script =
      fmt::format("set title {} noenhanced\nset xlabel {} noenhanced\nset ylabel {} noenhanced\n",
                  gnuplot_quoted(chart.title), gnuplot_quoted(chart.x_label), gnuplot_quoted(chart.y_label));
  const Range x = range_of(chart, true), y = range_of(chart, false);
  if (chart.log_x) script += fmt::format("set logscale x\nset xrange [{}:{}]\n", x.low / 1.1, x.high * 1.1);
  // At least a decade, so that a flat curve looks flat and a guide shows what falling would be.
  const double low = std::min(y.low / 1.6, y.high / 8), high = y.high * 1.6;
  if (chart.log_y) script += fmt::format("set logscale y\nset yrange [{}:{}]\n{}", low, high, value_tics(low, high));
  if (!chart.log_y) script += fmt::format("set yrange [0:{}]\n", top_of(chart) * 1.1);
  return script +
         "set border 3 linecolor '#444444'\nset tics nomirror textcolor '#222222'\n"
         "set grid linecolor '#dddddd' linetype 1\nset key outside right top noenhanced samplen 2\n";
}

// Logarithmic axes label decades only, linear ones halves of layers; sizes are better read where they are.
std::string size_tics(const LineChart& chart) {
  std::vector<double> positions;
  for (const Series& series : chart.series) positions.insert(positions.end(), series.x.begin(), series.x.end());
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  const bool whole = std::all_of(positions.begin(), positions.end(), [](double x) { return x == std::floor(x); });
  if (positions.empty() || positions.size() > 12 || !(chart.log_x || whole)) return "";
  std::string tics;
  for (const double x : positions) tics += fmt::format("{}'{:g}' {}", tics.empty() ? "" : ", ", x, x);
  return fmt::format("set xtics ({})\n", tics);
}

}  // namespace

void write_chart(const LineChart& chart, const Canvas& canvas) {
  ensure(!chart.series.empty(), "a chart has at least one series");
  std::string script = axes(chart) + size_tics(chart), bands, lines;
  for (size_t s = 0; s < chart.series.size(); ++s) {
    const Series& series = chart.series[s];
    script += data_block(chart, series, s);
    const std::string colour = palette_colour(s, chart.series.size());
    if (!series.deviation.empty())
      bands += fmt::format(
          "$series{} using 1:3:4 with filledcurves fillcolor '{}' fillstyle transparent solid 0.18 notitle, ", s,
          colour);
    lines += fmt::format(
        "{}$series{} using 1:2 with linespoints linewidth 2 pointtype {} pointsize 0.7 linecolor '{}' title {}",
        s == 0 ? "" : ", ", s, 4 + s % 10, colour, gnuplot_quoted(series.label));
  }
  run_gnuplot(canvas, script + "plot " + bands + lines + guides(chart));
}

}  // namespace wordsway
