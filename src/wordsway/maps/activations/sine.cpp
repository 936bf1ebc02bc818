// sine: σ(z) = sin(z). Its mean square falls over layers for every variance up to 1; 1 keeps it the longest.
#include <cmath>

#include "wordsway/maps/random_features/activation.h"

namespace wordsway {
namespace {

double value(double z) {
  return std::sin(z);
}

double slope(double z) {
  return std::cos(z);
}

void evaluate(const double* z, Index size, double* values, double* slopes) {
  for (Index a = 0; a < size; ++a) values[a] = std::sin(z[a]);
  if (slopes == nullptr) return;
  for (Index a = 0; a < size; ++a) slopes[a] = std::cos(z[a]);
}

// E[cos(w)] = exp(−E[w²]/2) for Gaussian w, and products of sines are differences of cosines:
//
//   (sin(u + δ) − sin(u))² = (1 + cos(2u + δ))·(1 − cos δ)
//
// A quadrature would have to follow the oscillations of large u.
PairMoments dual_kernel(const PairMoments& in) {
  const double still = std::exp(-2 * in.square);  // E[cos 2u]
  const double middle = -2 * in.cross - 0.5 * in.change, end = -4 * in.cross - 2 * in.change;
  // Both differences are between numbers near 1 when δ is small.
  const double cosine = std::expm1(-0.5 * in.change);
  return {-0.5 * std::expm1(-2 * in.square), 0.5 * (cosine - still * std::expm1(middle)),
          -cosine + still * (std::expm1(middle) - 0.5 * std::expm1(end))};
}

double slope_kurtosis(double square) {
  const double second = 0.5 * (1 + std::exp(-2 * square));
  return (3 + 4 * std::exp(-2 * square) + std::exp(-8 * square)) / (8 * second * second);
}

}  // namespace

void register_sine(ActivationRegistry& registry) {
  registry.add("sine", {.value = value,
                        .slope = slope,
                        .evaluate = evaluate,
                        .lipschitz = 1,
                        .variance = 1,
                        .dual_kernel = dual_kernel,
                        .slope_kurtosis = slope_kurtosis});
}

}  // namespace wordsway
