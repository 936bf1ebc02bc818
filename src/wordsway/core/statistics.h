// Means and deviations, intervals of rates, and tests on counts.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "wordsway/core/matrix.h"

namespace wordsway {

struct Moments {
  Index count = 0;
  double mean = 0;       // NaN of no values
  double deviation = 0;  // over n − 1; NaN of fewer than two values

  /// The standard error of the mean; 0 for a single value.
  double standard_error() const { return count < 2 ? 0 : deviation / std::sqrt(static_cast<double>(count)); }
};

Moments moments(std::span<const double> values);

/// The middle value, or the mean of the two middle ones; NaN of no values.
double median(std::vector<double> values);

struct RateInterval {
  double low = 0, high = 1;
};

/// Wilson's 95% interval of a rate of which `hits` of `trials` were seen; from 0 to 1 where there were none. Throws
/// UsageError when there are more hits than trials.
RateInterval wilson_interval(Index hits, Index trials);

/// McNemar's exact test on two runs of the same cases, of which `only_before` and `only_after` differ in this or that
/// direction: the probability (two-sided) of a difference as large as this by chance; 1 where no case differs.
double mcnemar_probability(Index only_before, Index only_after);

}  // namespace wordsway
