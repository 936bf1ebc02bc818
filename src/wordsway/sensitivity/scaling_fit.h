// The scaling of a quantity with n: the exponent of S ∝ n^exponent, fitted on logarithms.
#pragma once

#include <optional>
#include <span>

namespace wordsway {

struct ScalingFit {
  double exponent;
  double low, high;  // 95% interval, Student's t on the residuals of the single trials
  double constant;   // S ≈ constant·n^exponent
};

/// Least squares of log S on log n over all trials. Nothing when there are fewer than three different n, or when a
/// value is not positive and finite. Throws DataError unless there are as many n as S.
std::optional<ScalingFit> fit_scaling(std::span<const double> n, std::span<const double> S);

/// The 97.5% point of Student's t distribution; freedom ≥ 1. Right to 1e-6 relative (tested against tables).
/// Throws UsageError on less freedom.
double student_t_975(double freedom);

}  // namespace wordsway
