// relu: σ(z) = max(z, 0), slope 0 at 0.
#include <algorithm>

#include "wordsway/maps/random_features/arc_cosine.h"

namespace wordsway {
namespace {

double value(double z) {
  return std::max(z, 0.0);
}

double slope(double z) {
  return z > 0 ? 1 : 0;
}

void evaluate(const double* z, Index size, double* values, double* slopes) {
  using Values = Eigen::Map<Eigen::ArrayXd>;
  const Eigen::Map<const Eigen::ArrayXd> in(z, size);
  if (slopes != nullptr) Values(slopes, size) = (in > 0).cast<double>();
  Values(values, size) = in.max(0.0);
}

// Half of the slopes are 1, half 0.
double slope_kurtosis(double /*square*/) {
  return 2;
}

}  // namespace

void register_relu(ActivationRegistry& registry) {
  registry.add("relu", {.value = value,
                        .slope = slope,
                        .evaluate = evaluate,
                        .lipschitz = 1,
                        .variance = 2,
                        .dual_kernel = relu_kernel,
                        .slope_kurtosis = slope_kurtosis});
}

}  // namespace wordsway
