// erf: σ(z) = erf(z). Its mean square falls over layers for every variance up to π/4; π/4 keeps it the longest.
#include <cmath>
#include <numbers>

#include "wordsway/maps/random_features/activation.h"

namespace wordsway {
namespace {

double value(double z) {
  return std::erf(z);
}

double slope(double z) {
  return 2 * std::numbers::inv_sqrtpi * std::exp(-z * z);
}

void evaluate(const double* z, Index size, double* values, double* slopes) {
  for (Index a = 0; a < size; ++a) {
    values[a] = value(z[a]);
    if (slopes != nullptr) slopes[a] = slope(z[a]);
  }
}

}  // namespace

// The slope is largest at 0, and there it is 2/√π.
void register_erf(ActivationRegistry& registry) {
  registry.add("erf", {.value = value,
                       .slope = slope,
                       .evaluate = evaluate,
                       .lipschitz = 2 * std::numbers::inv_sqrtpi,
                       .variance = std::numbers::pi / 4});
}

}  // namespace wordsway
