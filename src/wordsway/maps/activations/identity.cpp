// identity: σ(z) = z, which makes random features a random projection.
#include <algorithm>

#include "wordsway/maps/random_features/activation.h"

namespace wordsway {
namespace {

double value(double z) {
  return z;
}

double slope(double /*z*/) {
  return 1;
}

void evaluate(const double* z, Index size, double* values, double* slopes) {
  std::copy_n(z, size, values);
  if (slopes != nullptr) std::fill_n(slopes, size, 1.0);
}

}  // namespace

void register_identity(ActivationRegistry& registry) {
  registry.add("identity", {.value = value, .slope = slope, .evaluate = evaluate, .lipschitz = 1, .variance = 1});
}

}  // namespace wordsway
