// leaky-relu: σ(z) = max(z, az), a = 0.01 as PyTorch has it; slope a at 0. It is a·z + (1 − a)·relu(z).
#include "wordsway/maps/random_features/arc_cosine.h"

namespace wordsway {
namespace {

constexpr double kLeak = 0.01;

double value(double z) {
  return z > 0 ? z : kLeak * z;
}

double slope(double z) {
  return z > 0 ? 1 : kLeak;
}

void evaluate(const double* z, Index size, double* values, double* slopes) {
  using Values = Eigen::Map<Eigen::ArrayXd>;
  const Eigen::Map<const Eigen::ArrayXd> in(z, size);
  if (slopes != nullptr) Values(slopes, size) = (in > 0).select(Eigen::ArrayXd::Ones(size), kLeak);
  Values(values, size) = in.max(kLeak * in);
}

// For Gaussian u and v, E[u relu(v)] = E[uv]/2, so the linear part adds half of itself to products with relu.
PairMoments dual_kernel(const PairMoments& in) {
  const PairMoments relu = relu_kernel(in);
  constexpr double kRest = 1 - kLeak, kLinear = kLeak * kLeak + kLeak * kRest;
  return {kLinear * in.square + kRest * kRest * relu.square, kLinear * in.cross + kRest * kRest * relu.cross,
          kLinear * in.change + kRest * kRest * relu.change};
}

// Half of the slopes are 1, half a.
double slope_kurtosis(double /*square*/) {
  constexpr double kSquare = kLeak * kLeak;
  return 2 * (1 + kSquare * kSquare) / ((1 + kSquare) * (1 + kSquare));
}

}  // namespace

// E[σ(u)²] = (1 + a²)/2·E[u²].
void register_leaky_relu(ActivationRegistry& registry) {
  registry.add("leaky-relu", {.value = value,
                              .slope = slope,
                              .evaluate = evaluate,
                              .lipschitz = 1,
                              .variance = 2 / (1 + kLeak * kLeak),
                              .dual_kernel = dual_kernel,
                              .slope_kurtosis = slope_kurtosis});
}

}  // namespace wordsway
