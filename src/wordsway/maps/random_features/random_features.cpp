#include "wordsway/maps/random_features/random_features.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/maps/random_features/features_sample.h"

namespace wordsway {

RandomFeatures::RandomFeatures(std::shared_ptr<TokenBlocks> first, Layers deeper, const Activation& activation)
    : first_(std::move(first)), deeper_(std::move(deeper)), activation_(activation) {
  const bool all_given = std::ranges::all_of(deeper_, [](const auto& layer) { return layer != nullptr; });
  if (first_ == nullptr || !all_given)
    throw UsageError("random features need the weights of every layer; one is missing");
  for (const auto& layer : deeper_)
    if (layer->rows() != first_->k() || layer->columns() != first_->k())
      throw DataError(fmt::format("the weights of a deeper layer must be {0} x {0}; got {1} x {2}", first_->k(),
                                  layer->rows(), layer->columns()));
}

std::unique_ptr<MappedSample> RandomFeatures::at(const Matrix& X) const {
  return std::make_unique<FeaturesSample>(std::make_shared<const FeaturesState>(*this, X));
}

Matrix RandomFeatures::features_reference(const Matrix& X) const {
  check_sample(X, {first_->n(), first_->d()});
  const Matrix V = weights();
  const Index k = V.rows(), D = X.size();
  Vector z = Vector::Zero(k);
  for (Index a = 0; a < k; ++a)
    for (Index b = 0; b < D; ++b) z[a] += V(a, b) * X.data()[b];
  z = z.unaryExpr(activation_.value);
  for (Index column = D; column < V.cols(); column += k)
    z = (V.middleCols(column, k) * z).unaryExpr(activation_.value).eval();
  return z;
}

Matrix RandomFeatures::weights() const {
  const Index k = first_->k(), D = first_->n() * first_->d();
  Matrix result(k, D + k * static_cast<Index>(deeper_.size()));
  result.leftCols(D) = first_->complete();
  for (size_t l = 0; l < deeper_.size(); ++l)
    result.middleCols(D + k * static_cast<Index>(l), k) = deeper_[l]->complete();
  return result;
}

std::optional<double> RandomFeatures::memory_bytes() const {
  double bytes = first_->memory_bytes();
  for (const auto& layer : deeper_) bytes += layer->memory_bytes();
  return bytes;
}

bool RandomFeatures::deeper_concurrent() const {
  return std::all_of(deeper_.begin(), deeper_.end(), [](const auto& layer) { return layer->concurrent(); });
}

UpperBound RandomFeatures::deeper_stretch(double failure_probability) const {
  UpperBound result{activation_.lipschitz, 0};
  for (const auto& layer : deeper_) {
    const UpperBound norm = operator_norm_bound(*layer, failure_probability);
    result.change *= activation_.lipschitz * norm.change;
    result.failure_probability += norm.failure_probability;
  }
  return result;
}

UpperBound operator_norm_bound(const GaussianMatrix& matrix, double failure_probability) {
  if (const auto norm = matrix.norm_bound()) return {*norm, 0};
  return gaussian_norm_bound(matrix.rows(), matrix.columns(), matrix.scale(), failure_probability);
}

UpperBound gaussian_norm_bound(Index rows, Index columns, double scale, double failure_probability) {
  const double t = std::sqrt(-2 * std::log(failure_probability));
  return {scale * (std::sqrt(static_cast<double>(rows)) + std::sqrt(static_cast<double>(columns)) + t),
          failure_probability};
}

}  // namespace wordsway
