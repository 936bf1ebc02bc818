#include "wordsway/sensitivity/linear_estimate.h"

#include <cmath>

#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

// Small enough to be linear, large enough to stand above the rounding of a float32 model (1e-6 relative).
constexpr double kStep = 0.02;

}  // namespace

double estimate_token_linearly(const Sample& sample, Index token, double radius, int iterations, const Stream& stream) {
  const auto view = sample.token(token);
  const auto change = view->change();
  const auto starts = view->starts();
  Vector direction = starts.empty()
                         ? gaussian_vector(stream.derive(static_cast<std::uint64_t>(token)), change->dimension())
                         : starts[0];
  const double step = kStep * radius, norm = sample.feature_norm();
  double stretch = 0;
  for (int k = 0; k < iterations && direction.norm() > 0 && step > 0 && norm > 0; ++k) {
    Vector gradient;
    const double value = (*change)(direction * (step / direction.norm()), &gradient);
    stretch = std::max(stretch, std::sqrt(value) / step);
    direction = gradient;
  }
  return norm > 0 ? stretch * radius / norm : std::nan("");
}

}  // namespace wordsway
