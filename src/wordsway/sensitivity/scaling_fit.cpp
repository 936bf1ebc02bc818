#include "wordsway/sensitivity/scaling_fit.h"

#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

// P(T > t) for Student's t by Simpson's rule on the angle: with t = √ν tan θ the density is proportional to
// cos^{ν−1} θ on (−π/2, π/2).
double upper_tail(double t, double freedom) {
  const double theta = std::atan(t / std::sqrt(freedom)), end = std::numbers::pi / 2;
  const auto integral = [&](double from, double to) {
    constexpr int kSteps = 2000;
    const double h = (to - from) / kSteps;
    const auto density = [&](double angle) { return std::pow(std::max(0.0, std::cos(angle)), freedom - 1); };
    double sum = density(from) + density(to);
    for (int k = 1; k < kSteps; ++k) sum += (k % 2 == 1 ? 4 : 2) * density(from + k * h);
    return sum * h / 3;
  };
  return 0.5 * integral(theta, end) / integral(0, end);
}

}  // namespace

double student_t_975(double freedom) {
  if (!(freedom >= 1)) throw UsageError(fmt::format("Student's t needs at least 1 degree of freedom; got {}", freedom));
  double low = 1.9, high = 13;
  while (high - low > 1e-9) {
    const double middle = 0.5 * (low + high);
    (upper_tail(middle, freedom) > 0.025 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

std::optional<ScalingFit> fit_scaling(std::span<const double> n, std::span<const double> S) {
  if (n.size() != S.size())
    throw DataError(fmt::format("a fit needs as many sizes as values; got {} and {}", n.size(), S.size()));
  const double count = static_cast<double>(n.size());
  if (std::set<double>(n.begin(), n.end()).size() < 3) return std::nullopt;
  double mean_x = 0, mean_y = 0;
  for (size_t k = 0; k < n.size(); ++k) {
    if (!(S[k] > 0) || !std::isfinite(S[k])) return std::nullopt;
    mean_x += std::log(n[k]) / count;
    mean_y += std::log(S[k]) / count;
  }
  double xx = 0, xy = 0, yy = 0;
  for (size_t k = 0; k < n.size(); ++k) {
    const double x = std::log(n[k]) - mean_x, y = std::log(S[k]) - mean_y;
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  const double exponent = xy / xx, freedom = count - 2;
  const double residual = std::max(0.0, yy - exponent * xy) / freedom;
  const double margin = student_t_975(freedom) * std::sqrt(residual / xx);
  return ScalingFit{exponent, exponent - margin, exponent + margin, std::exp(mean_y - exponent * mean_x)};
}

}  // namespace wordsway
