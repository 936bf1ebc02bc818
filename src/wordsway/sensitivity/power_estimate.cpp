#include "wordsway/sensitivity/power_estimate.h"

#include <algorithm>
#include <cmath>

#include "wordsway/random/gaussian.h"

namespace wordsway {

double estimate_token_by_power(const Sample& sample, Index token, double radius, int iterations, const Stream& stream) {
  const double norm = sample.feature_norm();
  if (!(norm > 0)) return std::nan("");
  const auto view = sample.token(token);
  const auto change = view->change();
  const auto starts = view->starts();
  Vector direction = starts.empty()
                         ? gaussian_vector(stream.derive(static_cast<std::uint64_t>(token)), change->dimension())
                         : starts[0];
  double largest = 0;
  for (int k = 0; k < iterations && direction.norm() > 0; ++k) {
    Vector gradient;
    largest = std::max(largest, (*change)(direction * (radius / direction.norm()), &gradient));
    direction = gradient;
  }
  return std::sqrt(largest) / norm;
}

}  // namespace wordsway
