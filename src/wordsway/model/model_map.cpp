#include "wordsway/model/model_map.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/model/model_sample.h"

namespace wordsway {

namespace {

// That is no padding.
Index last_row(Index rows, const AttentionMask& mask) {
  Index last = rows - 1;
  while (last > 0 && !mask.visible(last)) --last;
  return last;
}

}  // namespace

MatrixF output_of_hidden(const Transformer& transformer, const ModelOutput& output, ConstMatrixFRef hidden,
                         const AttentionMask& mask) {
  const auto last = [&] { return hidden.middleRows(last_row(hidden.rows(), mask), 1); };
  switch (output.kind) {
    case OutputKind::kLast:
      return last();
    case OutputKind::kPooled:
      return transformer.sentence_chain().forward(hidden, mask, output.first_pooled);
    case OutputKind::kLogits:
      return transformer.logits(last());
    case OutputKind::kRows:
      break;
  }
  return hidden;
}

Matrix features_of_output(const ModelOutput& output, ConstMatrixFRef found) {
  Matrix features = found.cast<double>();
  if (output.kind == OutputKind::kLogits) features.array() -= features.mean();
  return features;
}

ModelMap::ModelMap(std::shared_ptr<const Transformer> transformer, ModelOutput output, AttentionMask mask)
    : transformer_(std::move(transformer)), output_(output), mask_(std::move(mask)) {
  if (transformer_ == nullptr) throw UsageError("a model as a map needs a model; got none");
  const Index layers = transformer_->config().layers;
  if (output_.layer < 0 || output_.layer > layers) {
    throw UsageError(fmt::format("layer {} does not exist; the model has layers 0 to {}", output_.layer, layers));
  }
  if (output_.kind == OutputKind::kLogits && (!transformer_->predicts_next_word() || output_.layer != layers))
    throw UsageError(
        fmt::format("{} predicts no next word after layer {}: it has no logits", transformer_->name(), output_.layer));
}

std::unique_ptr<Sample> ModelMap::at(const Matrix& X) const {
  check_entries(X, "the embedded text", kLongestModelMove);
  return std::make_unique<ModelSample>(std::make_shared<const ModelState>(*this, X));
}

Matrix ModelMap::features_reference(const Matrix& X) const {
  return features_of(transformer_->forward(X.cast<float>(), output_.layer, mask_));
}

Matrix ModelMap::weights() const {
  throw UsageError("the weights of a model are many matrices; they are in the model's own folder");
}

double ModelMap::sample_bytes(Index n, Index d) const {
  const auto& config = transformer_->config();
  // A trace keeps Q, K, V, two normalised states and the feed-forward's inside; one of X and one of the changed X.
  const double trace = static_cast<double>(output_.layer) * static_cast<double>(n) *
                       static_cast<double>(5 * d + config.feed_forward_size);
  const double scratch = static_cast<double>(n) * static_cast<double>(8 * d + 2 * config.feed_forward_size);
  return transformer_->weight_bytes() + 4 * (2 * trace + scratch);
}

Matrix ModelMap::features_of(const MatrixF& hidden) const {
  return features_of_output(output_, output_of_hidden(*transformer_, output_, hidden, mask_));
}

MatrixF ModelMap::features_vjp(const MatrixF& hidden, const Matrix& cotangent) const {
  MatrixF rounded = features_of_output(output_, cotangent.cast<float>()).cast<float>();  // centring is its own vjp
  if (output_.kind == OutputKind::kRows) return rounded;
  if (output_.is_pooled())
    return transformer_->sentence_chain().vjp(hidden, mask_, rounded.row(0), output_.first_pooled);
  MatrixF result = MatrixF::Zero(hidden.rows(), hidden.cols());
  result.row(last_row(hidden.rows(), mask_)) =
      output_.kind == OutputKind::kLogits ? transformer_->logits_vjp(rounded) : rounded;
  return result;
}

}  // namespace wordsway
