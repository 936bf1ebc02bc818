#include "wordsway/core/statistics.h"

#include <cmath>
#include <limits>

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

}  // namespace wordsway
