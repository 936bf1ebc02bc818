#include "wordsway/sensitivity/power_estimate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/stop.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {

double estimate_token_by_power(const Sample& sample, Index token, double radius, int iterations, const Stream& stream) {
  check_features(sample);
  check_radius(sample, radius);
  const auto view = sample.token(token);
  const auto change = view->change();
  const auto starts = view->starts();
  Vector direction = starts.empty()
                         ? gaussian_vector(stream.derive(static_cast<std::uint64_t>(token)), change->dimension())
                         : starts[0];
  double largest = 0;
  for (int k = 0; k < iterations && direction.norm() > 0; ++k) {
    throw_if_stopped();
    Vector gradient;
    const double value = (*change)(direction * (radius / direction.norm()), &gradient);
    if (!std::isfinite(value) || !gradient.allFinite())
      throw DataError(
          fmt::format("the change of the features when token {} moves, or its slope, is not finite or too large for a "
                      "double; take a radius smaller than {:.4g}",
                      token, radius));
    largest = std::max(largest, value);
    direction = gradient;
  }
  return radius > 0 ? std::sqrt(largest) / sample.feature_norm() : 0;
}

}  // namespace wordsway
