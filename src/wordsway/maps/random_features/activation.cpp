#include "wordsway/maps/random_features/activation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway {
namespace {

constexpr Index kBlock = 16384;
using Values = Eigen::Map<Eigen::ArrayXd>;
using Inputs = Eigen::Map<const Eigen::ArrayXd>;

double relu(double z) {
  return std::max(z, 0.0);
}
double relu_slope(double z) {
  return z > 0 ? 1 : 0;
}
void relu_all(const double* z, Index size, double* values, double* slopes) {
  const Inputs in(z, size);
  if (slopes != nullptr) Values(slopes, size) = (in > 0).cast<double>();
  Values(values, size) = in.max(0.0);
}

double tanh_value(double z) {
  return std::tanh(z);
}
double tanh_slope(double z) {
  const double t = std::tanh(z);
  return 1 - t * t;
}
void tanh_all(const double* z, Index size, double* values, double* slopes) {
  Values out(values, size);
  for (Index a = 0; a < size; ++a) out[a] = std::tanh(z[a]);
  if (slopes != nullptr) Values(slopes, size) = 1 - out.square();
}

double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}
double normal_density(double z) {
  return std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
}
double gelu(double z) {
  return z * normal_cdf(z);
}
double gelu_slope(double z) {
  return normal_cdf(z) + z * normal_density(z);
}
void gelu_all(const double* z, Index size, double* values, double* slopes) {
  for (Index a = 0; a < size; ++a) {
    const double cdf = normal_cdf(z[a]), in = z[a];
    values[a] = in * cdf;
    if (slopes != nullptr) slopes[a] = cdf + in * normal_density(in);
  }
}

double identity(double z) {
  return z;
}
double one(double) {
  return 1;
}
void identity_all(const double* z, Index size, double* values, double* slopes) {
  std::copy_n(z, size, values);
  if (slopes != nullptr) std::fill_n(slopes, size, 1.0);
}

// E[gelu(√b g)²] in closed form: with u, v two normal numbers of correlation c = b/(1 + b), b·E[g²·1{…}] gives
// b·(1/4 + asin(c)/2π) + b²/(π·√(1 + 2b)·(1 + b)).
double gelu_mean_square(double b) {
  const double c = b / (1 + b);
  return b * (0.25 + std::asin(c) / (2 * std::numbers::pi)) +
         b * b / (std::numbers::pi * std::sqrt(1 + 2 * b) * (1 + b));
}

double gelu_variance() {
  double low = 1, high = 4;
  while (high - low > 1e-15 * high) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (gelu_mean_square(middle) < 1 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

const std::vector<Activation>& activations() {
  // gelu' = Φ(z) + zφ(z) is largest at z = √2.
  static const std::vector<Activation> table = {
      {"relu", relu, relu_slope, relu_all, 1, 2},
      {"tanh", tanh_value, tanh_slope, tanh_all, 1, 1},
      {"gelu", gelu, gelu_slope, gelu_all, gelu_slope(std::numbers::sqrt2) * (1 + 1e-15), gelu_variance()},
      {"identity", identity, one, identity_all, 1, 1}};
  return table;
}

}  // namespace

const Activation& find_activation(const std::string& name) {
  for (const Activation& activation : activations())
    if (activation.name == name) return activation;
  throw UsageError(fmt::format("unknown activation '{}'; there are: {}", name, fmt::join(activation_names(), ", ")));
}

std::vector<std::string> activation_names() {
  std::vector<std::string> names;
  for (const Activation& activation : activations()) names.push_back(activation.name);
  return names;
}

void activate(const Activation& activation, ConstVectorRef z, VectorRef values, Vector* slopes) {
  ensure(values.size() == z.size() && (slopes == nullptr || slopes->size() == z.size()), "shapes");
  const Blocks blocks{z.size(), kBlock};
  parallel_for(blocks.count(), [&](Index b) {
    const Index begin = blocks.begin(b);
    activation.evaluate(z.data() + begin, blocks.length(b), values.data() + begin,
                        slopes == nullptr ? nullptr : slopes->data() + begin);
  });
}

}  // namespace wordsway
