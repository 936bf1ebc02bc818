// tanh: σ(z) = tanh(z). Its mean square falls over layers for every variance; 1 keeps it the longest.
#include <cmath>

#include "wordsway/maps/random_features/activation.h"

namespace wordsway {
namespace {

double value(double z) {
  return std::tanh(z);
}

double slope(double z) {
  const double t = std::tanh(z);
  return 1 - t * t;
}

void evaluate(const double* z, Index size, double* values, double* slopes) {
  using Values = Eigen::Map<Eigen::ArrayXd>;
  Values out(values, size);
  for (Index a = 0; a < size; ++a) out[a] = std::tanh(z[a]);
  if (slopes != nullptr) Values(slopes, size) = 1 - out.square();
}

}  // namespace

void register_tanh(ActivationRegistry& registry) {
  registry.add("tanh", {.value = value, .slope = slope, .evaluate = evaluate, .lipschitz = 1, .variance = 1});
}

}  // namespace wordsway
