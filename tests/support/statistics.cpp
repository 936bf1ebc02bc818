#include "support/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wordsway::test {
namespace {

// Q(λ) = 2 Σ (−1)^{j−1} exp(−2j²λ²), at λ = (√m + 0.12 + 0.11/√m)·D.
double kolmogorov_tail(double distance, double effective_size) {
  const double root = std::sqrt(effective_size), lambda = (root + 0.12 + 0.11 / root) * distance;
  if (lambda < 0.2) return 1;
  double sum = 0;
  for (int j = 1; j <= 100; ++j) sum += (j % 2 == 1 ? 2 : -2) * std::exp(-2.0 * j * j * lambda * lambda);
  return std::clamp(sum, 0.0, 1.0);
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double central_moment(const std::vector<double>& values, int order) {
  const double centre = mean(values);
  double sum = 0;
  for (const double value : values) sum += std::pow(value - centre, order);
  return sum / static_cast<double>(values.size());
}

}  // namespace

double ks_two_sample(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const double size_a = static_cast<double>(a.size()), size_b = static_cast<double>(b.size());
  double distance = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double at = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= at) ++i;
    while (j < b.size() && b[j] <= at) ++j;
    distance = std::max(distance, std::abs(static_cast<double>(i) / size_a - static_cast<double>(j) / size_b));
  }
  return kolmogorov_tail(distance, size_a * size_b / (size_a + size_b));
}

double ks_normal(std::vector<double> sample) {
  std::sort(sample.begin(), sample.end());
  const double size = static_cast<double>(sample.size());
  double distance = 0;
  for (size_t i = 0; i < sample.size(); ++i) {
    const double cdf = 0.5 * std::erfc(-sample[i] / std::numbers::sqrt2);
    const double below = static_cast<double>(i) / size, above = static_cast<double>(i + 1) / size;
    distance = std::max({distance, cdf - below, above - cdf});
  }
  return kolmogorov_tail(distance, size);
}

double mean_gap(const std::vector<double>& a, const std::vector<double>& b) {
  const double error = std::sqrt(central_moment(a, 2) / static_cast<double>(a.size()) +
                                 central_moment(b, 2) / static_cast<double>(b.size()));
  return std::abs(mean(a) - mean(b)) / error;
}

double variance_gap(const std::vector<double>& a, const std::vector<double>& b) {
  const auto error = [](const std::vector<double>& x) {
    return (central_moment(x, 4) - std::pow(central_moment(x, 2), 2)) / static_cast<double>(x.size());
  };
  return std::abs(central_moment(a, 2) - central_moment(b, 2)) / std::sqrt(error(a) + error(b));
}

}  // namespace wordsway::test
