#include "wordsway/model/next_word_head.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

// log of the sum of exponentials, in double.
double log_sum_exp(ConstRowFRef logits) {
  const double top = logits.maxCoeff();
  return top + std::log((logits.cast<double>().array() - top).exp().sum());
}

void check_same_tokens(ConstRowFRef first, ConstRowFRef second) {
  if (first.size() != second.size() || first.size() == 0)
    throw DataError(fmt::format("distributions to compare must be over the same tokens; got {} and {}", first.size(),
                                second.size()));
}

}  // namespace

double jensen_shannon_divergence(ConstRowFRef first, ConstRowFRef second) {
  check_same_tokens(first, second);
  const double of_first = log_sum_exp(first), of_second = log_sum_exp(second);
  double sum = 0;
  for (Index k = 0; k < first.size(); ++k) {
    const double p = std::exp(first[k] - of_first), q = std::exp(second[k] - of_second);
    if (p > 0) sum += p * std::log2(2 * p / (p + q));
    if (q > 0) sum += q * std::log2(2 * q / (p + q));
  }
  return std::clamp(sum / 2, 0., 1.);
}

// By p it is g = log2(p/m)/2, and by the logits p ∘ (g − ⟨p, g⟩).
RowF jensen_shannon_gradient(ConstRowFRef first, ConstRowFRef second) {
  check_same_tokens(first, second);
  const double of_first = log_sum_exp(first), of_second = log_sum_exp(second);
  Eigen::RowVectorXd p(first.size()), weighted(first.size());  // the second is p ∘ g
  for (Index k = 0; k < first.size(); ++k) {
    p[k] = std::exp(first[k] - of_first);
    weighted[k] = p[k] > 0 ? p[k] / 2 * std::log2(2 * p[k] / (p[k] + std::exp(second[k] - of_second))) : 0;
  }
  return (weighted - weighted.sum() * p).cast<float>();
}

MatrixF NextWordHead::logits(ConstMatrixFRef hidden, const PackedWeights& words) const {
  const PackedWeights& vectors = table.size() > 0 ? table : words;
  MatrixF result(hidden.rows(), vectors.outputs());
  vectors.forward(hidden, {}, result);
  return result;
}

MatrixF NextWordHead::vjp(ConstMatrixFRef cotangent, const PackedWeights& words) const {
  const PackedWeights& vectors = table.size() > 0 ? table : words;
  MatrixF result(cotangent.rows(), vectors.inputs());
  vectors.vjp(cotangent, result);
  return result;
}

std::optional<NextWordHead> build_next_word_head(const ModelConfig& config, const Weights& weights) {
  if (config.tied_decoder) return NextWordHead{};
  if (!weights.contains("lm_head.weight")) return std::nullopt;
  NextWordHead head;
  head.table = weights.table("lm_head.weight", config.vocabulary, config.hidden_size);
  return head;
}

}  // namespace wordsway
