#include "wordsway/maps/attention/attention_map.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/maps/attention/attention_sample.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

constexpr Index kRowsThroughW = 512;  // rows multiplied by W at once: enough to pay for packing W

}  // namespace

AttentionMap::AttentionMap(Matrix W, std::shared_ptr<const Normaliser> normaliser)
    : W_(std::make_shared<const Matrix>(std::move(W))), normaliser_(std::move(normaliser)) {
  if (normaliser_ == nullptr) throw UsageError("attention needs a normaliser; got none");
  if (W_->rows() != W_->cols() || W_->rows() == 0)
    throw DataError(
        fmt::format("attention weights must be a square matrix, d x d; got {} x {}", W_->rows(), W_->cols()));
  if (!W_->allFinite()) throw DataError("attention weights contain a value that is not finite");
}

std::unique_ptr<MappedSample> AttentionMap::at(const Matrix& X) const {
  return std::make_unique<AttentionSample>(std::make_shared<const AttentionState>(*this, X));
}

// The rows of many samples go through W together; then each sample's rows attend to its own tokens.
void AttentionMap::feature_rows(ConstMatrixRef samples, Index n, Index first, Index count, MatrixRef out) const {
  const Index d = W().rows();
  if (samples.cols() != n * d)
    throw DataError(fmt::format("the weights expect samples of {} x {} numbers; got {}", n, d, samples.cols()));
  check_rows({samples.rows(), n, d}, first, count, out);
  if (count == 0) return;
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  const Blocks blocks{samples.rows(), std::max<Index>(1, kRowsThroughW / count)};
  parallel_for(blocks.count(), [&](Index b) {
    const Index length = blocks.length(b);
    Matrix rows(length * count, d), queries(length * count, d), scores(count, n);
    for (Index s = 0; s < length; ++s)
      rows.middleRows(s * count, count) =
          Eigen::Map<const Matrix>(samples.row(blocks.begin(b) + s).data() + first * d, count, d);
    queries.noalias() = scale * rows * W();
    Eigen::ArrayXd weights(n);
    for (Index s = 0; s < length; ++s) {
      const Eigen::Map<const Matrix> X(samples.row(blocks.begin(b) + s).data(), n, d);
      scores.noalias() = queries.middleRows(s * count, count) * X.transpose();
      for (Index r = 0; r < count; ++r) {
        normaliser_->row(scores.row(r).transpose().array(), weights, nullptr);
        scores.row(r) = weights.matrix().transpose();
      }
      Eigen::Map<Matrix>(out.row(blocks.begin(b) + s).data(), count, d).noalias() = scores * X;
    }
  });
}

Matrix AttentionMap::features_reference(const Matrix& X) const {
  check_sample(X, {std::nullopt, W().rows()});
  const Matrix scores = X * W() * X.transpose() / std::sqrt(static_cast<double>(X.cols()));
  Matrix P(X.rows(), X.rows());
  for (Index j = 0; j < X.rows(); ++j) {
    Eigen::ArrayXd weights(X.rows());
    normaliser_->row(scores.row(j).transpose().array(), weights, nullptr);
    P.row(j) = weights.matrix().transpose();
  }
  return P * X;
}

namespace {

constexpr double kMovedVectors = 20;  // of n + d numbers, that a moved token needs in an ascent

// X, φ, the queries (then the token's own matrix in their place), a block of scores a thread (then the pieces of the
// bound), W and the Gram matrices of the queries. Where several tokens move, some matrices of weights and of images a
// token.
double attention_memory(const MapOptions& options) {
  const double n = static_cast<double>(options.n), d = static_cast<double>(options.d);
  const double several = static_cast<double>(options.moved_tokens - 1);
  return 8 * (3 * n * d + 256 * n + d * d + 2 * std::pow(std::min(n, d), 2) + several * (kMovedVectors * (n + d)));
}

// β multiplies scores, whose squares must stay in range with it.
constexpr double kLargestBeta = 1e100;

}  // namespace

const Parameter& beta_parameter() {
  static const Parameter parameter =
      number_parameter("beta", 1, {.least = 0, .most = kLargestBeta}, "Inverse temperature of attention");
  return parameter;
}

MapEntry attention_entry(MethodNumber method, std::string summary, std::string description,
                         std::vector<Parameter> parameters, NormaliserMaker normaliser) {
  MapEntry entry{method};
  entry.summary = std::move(summary);
  entry.description = std::move(description);
  entry.parameters = std::move(parameters);
  entry.memory_bytes = attention_memory;
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
