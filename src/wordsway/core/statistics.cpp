#include "wordsway/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "wordsway/core/error.h"

namespace wordsway {

Moments moments(std::span<const double> values) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) return {0, kNothing, kNothing};
  const double count = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {static_cast<Index>(values.size()), mean, values.size() < 2 ? kNothing : std::sqrt(squares / (count - 1))};
}

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

RateInterval wilson_interval(Index hits, Index trials) {
  if (hits < 0 || hits > trials) throw UsageError("a rate needs at most as many hits as there were trials");
  if (trials == 0) return {};
  constexpr double kZ = 1.959963984540054;  // 97.5% of a normal distribution lie below
  const double n = static_cast<double>(trials), rate = static_cast<double>(hits) / n;
  const double middle = rate + kZ * kZ / (2 * n), scale = 1 + kZ * kZ / n;
  const double half = kZ * std::sqrt(rate * (1 - rate) / n + kZ * kZ / (4 * n * n));
  // Rounding must not leave a rate outside of its interval.
  return {hits == 0 ? 0 : (middle - half) / scale, hits == trials ? 1 : (middle + half) / scale};
}

double mcnemar_probability(Index only_before, Index only_after) {
  const auto n = static_cast<double>(only_before + only_after);
  double tail = 0;
  for (Index k = std::max(only_before, only_after); k <= only_before + only_after; ++k) {
    const auto hits = static_cast<double>(k);
    tail += std::exp(std::lgamma(n + 1) - std::lgamma(hits + 1) - std::lgamma(n - hits + 1) - n * std::log(2.0));
  }
  return std::min(1.0, 2 * tail);
}

}  // namespace wordsway
