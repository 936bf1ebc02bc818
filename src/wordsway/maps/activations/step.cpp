// step3, step5: a step from −1 to 1 by the polynomial of that degree, flat from |z| = 1 on:
//
// step3   σ(z) = (3z − z³)/2             its slope is continuous
// step5   σ(z) = (15z − 10z³ + 3z⁵)/8    its second derivative is continuous too
//
// Saturated neurons do not move at all, unlike those of tanh. The mean square falls over the layers for every variance
// up to 1/σ'(0)², and this variance decays most slowly.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "wordsway/maps/random_features/activation.h"

namespace wordsway {
namespace {

double step3(double z) {
  const double t = std::clamp(z, -1.0, 1.0);
  return 0.5 * t * (3 - t * t);
}

double slope3(double z) {
  const double t = std::clamp(z, -1.0, 1.0);
  return 1.5 * (1 - t * t);
}

double step5(double z) {
  const double t = std::clamp(z, -1.0, 1.0), square = t * t;
  return 0.125 * t * (15 + square * (3 * square - 10));
}

double slope5(double z) {
  const double t = std::clamp(z, -1.0, 1.0), rest = 1 - t * t;
  return 1.875 * rest * rest;
}

// The moments of σ(u) and σ(u + δ) − σ(u) by the trapezoidal rule: the usual quadrature has nodes too far apart for
// where a step becomes flat. Pre-activations are g·√E[u²], moves what follows from u and h·(what does not).
template <double (*value)(double)>
PairMoments dual_kernel(const PairMoments& in) {
  constexpr int kEnd = 224, kEndOfMove = 96;  // 7 and 6 standard deviations
  constexpr double kSpacing = 1.0 / 32, kSpacingOfMove = 1.0 / 16;
  const auto weight = [](double z, double spacing) {
    return spacing * std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
  };
  const double deviation = std::sqrt(in.square), along = in.square > 0 ? in.cross / in.square : 0;
  const double across = std::sqrt(std::max(0.0, in.change - along * in.cross));
  std::array<double, 2 * kEndOfMove + 1> moves{};
  for (int k = -kEndOfMove; k <= kEndOfMove; ++k)
    moves[static_cast<size_t>(k + kEndOfMove)] = weight(kSpacingOfMove * k, kSpacingOfMove);
  PairMoments out{0, 0, 0};
  for (int j = -kEnd; j <= kEnd; ++j) {
    const double g = kSpacing * j, u = deviation * g, before = value(u);
    double mean = 0, square = 0;
    for (int k = -kEndOfMove; k <= kEndOfMove; ++k) {
      const double change = value(u + along * u + across * kSpacingOfMove * k) - before;
      mean += moves[static_cast<size_t>(k + kEndOfMove)] * change;
      square += moves[static_cast<size_t>(k + kEndOfMove)] * change * change;
    }
    const double here = weight(g, kSpacing);
    out = {out.square + here * before * before, out.cross + here * before * mean, out.change + here * square};
  }
  return out;
}

template <double (*value)(double), double (*slope)(double)>
void evaluate(const double* z, Index size, double* values, double* slopes) {
  for (Index a = 0; a < size; ++a) values[a] = value(z[a]);
  if (slopes == nullptr) return;
  for (Index a = 0; a < size; ++a) slopes[a] = slope(z[a]);
}

}  // namespace

void register_step(ActivationRegistry& registry) {
  registry.add("step3", {.value = step3,
                         .slope = slope3,
                         .evaluate = evaluate<step3, slope3>,
                         .lipschitz = 1.5,
                         .variance = 1 / (1.5 * 1.5),
                         .dual_kernel = dual_kernel<step3>});
  registry.add("step5", {.value = step5,
                         .slope = slope5,
                         .evaluate = evaluate<step5, slope5>,
                         .lipschitz = 1.875,
                         .variance = 1 / (1.875 * 1.875),
                         .dual_kernel = dual_kernel<step5>});
}

}  // namespace wordsway
