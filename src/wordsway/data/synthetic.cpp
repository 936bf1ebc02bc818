#include "wordsway/data/synthetic.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {

std::string normalisation_name(bool normalise) {
  return normalise ? "rows of norm sqrt(d)" : "none";
}

void normalise_rows(Matrix& X) {
  const double target = std::sqrt(static_cast<double>(X.cols()));
  for (Index j = 0; j < X.rows(); ++j) {
    const double norm = X.row(j).stableNorm();
    if (!std::isfinite(norm)) throw DataError(fmt::format("row {} of the sample is not finite", j));
    if (norm == 0)
      throw DataError(fmt::format("row {} of the sample is zero, so it cannot be scaled to norm sqrt(d)", j));
    X.row(j) *= target / norm;
  }
}

Matrix sphere_sample(const Stream& stream, Index n, Index d) {
  Matrix X = gaussian_matrix(stream, n, d);
  normalise_rows(X);
  return X;
}

Matrix spiked_sample(const Stream& stream, const Stream& shared, Index n, Index d, double spike) {
  if (!(spike >= 0 && spike <= 1)) throw UsageError(fmt::format("the spike A must lie in [0, 1]; got {}", spike));
  const Vector mu = gaussian_vector(shared, d).normalized();
  const double scale = std::sqrt((1 - spike) / static_cast<double>(d));
  Matrix X = sphere_sample(stream, n, d) * scale;
  X.rowwise() += std::sqrt(spike) * mu.transpose();
  normalise_rows(X);
  return X;
}

}  // namespace wordsway
