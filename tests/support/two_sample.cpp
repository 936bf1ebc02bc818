#include "support/two_sample.h"

#include <algorithm>
#include <cmath>

namespace wordsway::test {

double kolmogorov_smirnov_p(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const double na = static_cast<double>(a.size()), nb = static_cast<double>(b.size());
  double distance = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double value = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= value) ++i;
    while (j < b.size() && b[j] <= value) ++j;
    distance = std::max(distance, std::abs(static_cast<double>(i) / na - static_cast<double>(j) / nb));
  }
  const double root = std::sqrt(na * nb / (na + nb)), t = (root + 0.12 + 0.11 / root) * distance;
  if (t < 0.2) return 1;
  double p = 0;
  for (int k = 1; k <= 100; ++k) p += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * t * t);
  return std::clamp(p, 0.0, 1.0);
}

}  // namespace wordsway::test
