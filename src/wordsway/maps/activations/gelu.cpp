// gelu: σ(z) = z·Φ(z), Φ the normal distribution function.
#include <cmath>
#include <numbers>

#include "wordsway/maps/random_features/activation.h"

namespace wordsway {
namespace {

double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

double normal_density(double z) {
  return std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
}

double value(double z) {
  return z * normal_cdf(z);
}

double slope(double z) {
  return normal_cdf(z) + z * normal_density(z);
}

void evaluate(const double* z, Index size, double* values, double* slopes) {
  for (Index a = 0; a < size; ++a) {
    const double cdf = normal_cdf(z[a]), in = z[a];
    values[a] = in * cdf;
    if (slopes != nullptr) slopes[a] = cdf + in * normal_density(in);
  }
}

// The slope is largest at z = √2.
double lipschitz() {
  return slope(std::numbers::sqrt2) * (1 + 1e-15);
}

// E[gelu(√b g)²] in closed form: with u, v two normal numbers of correlation c = b/(1 + b), b·E[g²·1{…}] gives
// b·(1/4 + asin(c)/2π) + b²/(π·√(1 + 2b)·(1 + b)).
double mean_square(double b) {
  const double c = b / (1 + b);
  return b * (0.25 + std::asin(c) / (2 * std::numbers::pi)) +
         b * b / (std::numbers::pi * std::sqrt(1 + 2 * b) * (1 + b));
}

// The variance at which the mean square is 1, by bisection.
double variance() {
  double low = 1, high = 4;
  while (high - low > 1e-15 * high) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (mean_square(middle) < 1 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

void register_gelu(ActivationRegistry& registry) {
  registry.add(
      "gelu", {.value = value, .slope = slope, .evaluate = evaluate, .lipschitz = lipschitz(), .variance = variance()});
}

}  // namespace wordsway
