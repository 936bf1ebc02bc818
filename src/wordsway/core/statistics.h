// Means and deviations.
#pragma once

#include <cmath>
#include <span>

#include "wordsway/core/matrix.h"

namespace wordsway {

struct Moments {
  Index count = 0;
  double mean = 0;       // NaN of no values
  double deviation = 0;  // over n − 1; NaN of fewer than two values

  /// Of the mean; 0 where one value says nothing about it.
  double standard_error() const { return count < 2 ? 0 : deviation / std::sqrt(static_cast<double>(count)); }
};

Moments moments(std::span<const double> values);

}  // namespace wordsway
