// Statistics for tests with fixed seeds: are two samples from one distribution, is one normal?
#pragma once

#include <vector>

namespace wordsway::test {

/// The p-value of the two-sample Kolmogorov–Smirnov test (asymptotic, with Stephens' correction): small when the
/// samples come from different distributions.
double ks_two_sample(std::vector<double> a, std::vector<double> b);

/// The p-value of the one-sample test against N(0, 1).
double ks_normal(std::vector<double> sample);

/// |mean(a) − mean(b)| in units of its standard error.
double mean_gap(const std::vector<double>& a, const std::vector<double>& b);

/// |var(a) − var(b)| in units of its standard error (fourth moments included).
double variance_gap(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace wordsway::test
