#include "wordsway/figures/judge.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "wordsway/core/statistics.h"
#include "wordsway/sensitivity/scaling_fit.h"

namespace wordsway {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

Interval around(double value, double error, Index freedom) {
  const double reach = freedom >= 1 ? student_t_975(static_cast<double>(freedom)) * error : 0;
  return {value, value - reach, value + reach};
}

// Three significant digits.
std::string digits(double value) {
  const double size = std::abs(value);
  if (size < 1e-6) return "0";
  return size >= 0.01 && size < 1000 ? fmt::format("{:.{}f}", value,
                                                   size < 10    ? 2
                                                   : size < 100 ? 1
                                                                : 0)
                                     : fmt::format("{:.2g}", value);
}

}  // namespace

Interval mean_of(const std::vector<double>& values) {
  if (values.empty()) return {kNothing, kNothing, kNothing};
  const Moments found = moments(values);
  return around(found.mean, found.standard_error(), found.count - 1);
}

Interval exponent_of(const Rows& rows, const std::string& x, const std::string& y) {
  std::vector<double> sizes, values;
  for (const Record& row : rows)
    if (holds_number(row, x) && holds_number(row, y)) {
      sizes.push_back(row.number(x));
      values.push_back(row.number(y));
    }
  const auto fit = fit_scaling(sizes, values);
  return fit ? Interval{fit->exponent, fit->low, fit->high} : Interval{kNothing, kNothing, kNothing};
}

Interval ratio_of(const std::vector<double>& above, const std::vector<double>& below) {
  if (above.empty() || below.empty()) return {kNothing, kNothing, kNothing};
  const Moments a = moments(above), b = moments(below);
  const double ratio = a.mean / b.mean,
               error = std::hypot(a.standard_error(), ratio * b.standard_error()) / std::abs(b.mean);
  return around(ratio, error, std::min(a.count, b.count) - 1);
}

Interval rate_of(Index hits, Index trials) {
  if (trials == 0) return {kNothing, kNothing, kNothing};
  const RateInterval found = wilson_interval(hits, trials);
  return {static_cast<double>(hits) / static_cast<double>(trials), found.low, found.high};
}

Interval difference_of_rates(const Interval& left, const Interval& right) {
  const double difference = left.value - right.value;
  return {difference, difference - std::hypot(left.value - left.low, right.high - right.value),
          difference + std::hypot(left.high - left.value, right.value - right.low)};
}

Interval difference_of(const std::vector<double>& left, const std::vector<double>& right) {
  if (left.empty() || right.empty()) return {kNothing, kNothing, kNothing};
  const Moments a = moments(left), b = moments(right);
  return around(a.mean - b.mean, std::hypot(a.standard_error(), b.standard_error()), std::min(a.count, b.count) - 1);
}

std::string describe(const std::string& what, const Interval& found, const std::string& where) {
  if (!std::isfinite(found.value)) return "nothing was measured";
  std::string text = fmt::format("{} {}", what, digits(found.value));
  if (found.low != found.high) text += fmt::format(" ({} to {})", digits(found.low), digits(found.high));
  return where.empty() ? text : text + " " + where;
}

std::string at_size(const Rows& rows, const std::string& field) {
  const auto values = distinct_numbers(rows, field);
  return values.empty() ? "" : fmt::format("at {} = {:g}", field, values.front());
}

Verdict judge_between(const Claim& claim, const std::string& what, const Interval& found, double low, double high,
                      const std::string& where) {
  return {claim.statement, claim.place, describe(what, found, where), fmt::format("between {:g} and {:g}", low, high),
          found.low >= low && found.high <= high};
}

Verdict judge_above(const Claim& claim, const std::string& what, const Interval& found, double threshold,
                    const std::string& where) {
  return {claim.statement, claim.place, describe(what, found, where), fmt::format("above {:g}", threshold),
          found.low > threshold};
}

Verdict judge_below(const Claim& claim, const std::string& what, const Interval& found, double threshold,
                    const std::string& where) {
  return {claim.statement, claim.place, describe(what, found, where), fmt::format("below {:g}", threshold),
          found.high < threshold};
}

Verdict judge_control(const Claim& claim, const Verdict& rule, const Interval& found) {
  const bool measured = std::isfinite(found.low) && std::isfinite(found.high);
  return {claim.statement, claim.place, rule.measured, "not " + rule.threshold, measured && !rule.holds};
}

}  // namespace wordsway
