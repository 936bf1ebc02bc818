// Do two samples come from the same law?
#pragma once

#include <vector>

namespace wordsway::test {

/// The p-value of the two-sample Kolmogorov–Smirnov test (asymptotic; good from some tens of values on).
double kolmogorov_smirnov_p(std::vector<double> a, std::vector<double> b);

}  // namespace wordsway::test
