#include "wordsway/model/model_map.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/model/model_sample.h"

namespace wordsway {

ModelMap::ModelMap(std::shared_ptr<const Transformer> transformer, ModelOutput output, AttentionMask mask)
    : transformer_(std::move(transformer)), output_(std::move(output)), mask_(std::move(mask)) {
  if (transformer_ == nullptr) throw UsageError("a model as a map needs a model; got none");
  const Index layers = transformer_->config().layers;
  if (output_.layer < 0 || output_.layer > layers) {
    throw UsageError(fmt::format("layer {} does not exist; the model has layers 0 to {}", output_.layer, layers));
  }
  if (const std::string why = readout().why_missing(*transformer_, output_.layer); !why.empty())
    throw UsageError(fmt::format("{} {}", transformer_->name(), why));
}

std::unique_ptr<MappedSample> ModelMap::at(const Matrix& X) const {
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
  // A trace keeps Q, K, V, two normalised states and the feed-forward's hidden layer; there is one for X and one for
  // the changed X.
  const double trace = static_cast<double>(output_.layer) * static_cast<double>(n) *
                       static_cast<double>(5 * d + config.feed_forward_size);
  const double scratch = static_cast<double>(n) * static_cast<double>(8 * d + 2 * config.feed_forward_size);
  return transformer_->weight_bytes() + 4 * (2 * trace + scratch);
}

Matrix ModelMap::features_of(const MatrixF& hidden) const {
  return readout().features(readout().forward(text(), hidden));
}

MatrixF ModelMap::features_vjp(const MatrixF& hidden, const Matrix& cotangent) const {
  return readout().vjp(text(), hidden, readout().features_vjp(cotangent));
}

}  // namespace wordsway
