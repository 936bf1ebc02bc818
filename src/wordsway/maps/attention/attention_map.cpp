#include "wordsway/maps/attention/attention_map.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/maps/attention/attention_sample.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {

AttentionMap::AttentionMap(Matrix W, std::shared_ptr<const Normaliser> normaliser)
    : W_(std::move(W)), normaliser_(std::move(normaliser)) {
  if (W_.rows() != W_.cols() || W_.rows() == 0)
    throw DataError(fmt::format("attention weights must be a square matrix, d x d; got {} x {}", W_.rows(), W_.cols()));
  if (!W_.allFinite()) throw DataError("attention weights contain a value that is not finite");
}

std::unique_ptr<Sample> AttentionMap::at(const Matrix& X) const {
  return std::make_unique<AttentionSample>(*this, X);
}

Matrix AttentionMap::features_reference(const Matrix& X) const {
  const Matrix scores = X * W_ * X.transpose() / std::sqrt(static_cast<double>(X.cols()));
  Matrix P(X.rows(), X.rows());
  for (Index j = 0; j < X.rows(); ++j) {
    Eigen::ArrayXd weights(X.rows());
    normaliser_->row(scores.row(j).transpose().array(), weights, nullptr);
    P.row(j) = weights.matrix().transpose();
  }
  return P * X;
}

double AttentionMap::memory_bytes(Index n, Index d) const {
  // X, φ, the queries (then the token's own matrix in their place), one block of scores; W.
  const double tokens = static_cast<double>(n), size = static_cast<double>(d);
  return 8 * (3 * tokens * size + 128 * tokens + size * size);
}

MapEntry attention_entry(std::string summary, std::string description,
                         std::function<std::shared_ptr<const Normaliser>(const MapOptions&)> normaliser) {
  MapEntry entry;
  entry.summary = std::move(summary);
  entry.description = std::move(description);
  entry.draw = [normaliser](const MapOptions& options, const Stream& weights) {
    const double scale = 1 / std::sqrt(static_cast<double>(options.d));
    return std::make_unique<AttentionMap>(gaussian_matrix(weights, options.d, options.d, scale), normaliser(options));
  };
  entry.with_weights = [normaliser](const MapOptions& options, const Matrix& W) {
    if (W.rows() != options.d || W.cols() != options.d)
      throw DataError(
          fmt::format("the weights must be d x d = {0} x {0}; got {1} x {2}", options.d, W.rows(), W.cols()));
    return std::make_unique<AttentionMap>(W, normaliser(options));
  };
  return entry;
}

}  // namespace wordsway
