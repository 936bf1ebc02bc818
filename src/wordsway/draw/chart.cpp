#include "wordsway/draw/chart.h"

#include <algorithm>
#include <cmath>

namespace wordsway {
namespace {

std::vector<Tick> linear_ticks(double low, double high, size_t most) {
  const double rough = (high - low) / static_cast<double>(std::max<size_t>(1, most));
  const double decade = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * decade;
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * decade >= rough * (1 - 1e-9)) {
      step = factor * decade;
      break;
    }
  std::vector<Tick> ticks;
  if (!(step > 0) || !std::isfinite(step)) return ticks;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    ticks.push_back({k * step, number_text(k == 0 ? 0 : k * step)});
  return ticks;
}

std::vector<Tick> logarithmic_ticks(double low, double high, size_t most) {
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  const auto is_inside = [&](double value) { return value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9); };
  const auto ticks_with = [&](const std::vector<double>& steps) {
    std::vector<Tick> ticks;
    for (int decade = first; decade <= last; ++decade)
      for (const double step : steps)
        if (const double value = step * std::pow(10, decade); is_inside(value))
          ticks.push_back({value, number_text(value)});
    return ticks;
  };
  for (const auto& steps : {std::vector{1.0, 2.0, 5.0}, std::vector{1.0}})
    if (const auto ticks = ticks_with(steps); ticks.size() <= most) {
      if (ticks.size() >= 2) return ticks;
      return high / low < 10 ? linear_ticks(low, high, most) : ticks;
    }
  int stride = 1;
  for (const int next : {2, 5, 10, 20, 50, 100, 200})
    if ((last - first) / stride >= static_cast<int>(most)) stride = next;
  std::vector<Tick> ticks;
  for (int decade = first - first % stride; decade <= last; decade += stride)
    if (const double value = std::pow(10, decade); is_inside(value))
      ticks.push_back({value, power("10", with_minus_signs(std::to_string(decade)))});
  return ticks;
}

}  // namespace

bool is_shown(double value) {
  return std::abs(value) <= kLargestShown;  // false for NaN
}

Chart sized(Chart chart, const Canvas& canvas) {
  if (canvas.width > 0) chart.width = canvas.width;
  if (canvas.height > 0 && chart.height > 0) chart.height = canvas.height;
  return chart;
}

std::vector<Tick> ticks_of(const Axis& axis, size_t most) {
  if (!axis.ticks.empty()) return axis.ticks;
  return axis.logarithmic ? logarithmic_ticks(axis.low, axis.high, most) : linear_ticks(axis.low, axis.high, most);
}

}  // namespace wordsway
