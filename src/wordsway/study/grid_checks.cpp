#include "wordsway/study/grid_checks.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {

void check_sizes(const std::vector<Index>& sizes, const char* name) {
  for (const Index size : sizes)
    if (size < 1) throw UsageError(fmt::format("{} must be at least 1; got {}", name, size));
}

void check_radius(double radius) {
  if (!(radius >= 0) || !std::isfinite(radius))
    throw UsageError(fmt::format("the radius must be a number not below 0; got {}", radius));
}

void check_token(Index token, const std::vector<Index>& lengths) {
  for (const Index n : lengths)
    if (token < 0 || token >= n)
      throw UsageError(fmt::format("token {} is out of range; with n = {} there are tokens 0 to {}", token, n, n - 1));
}

}  // namespace wordsway
