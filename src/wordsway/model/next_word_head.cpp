#include "wordsway/model/next_word_head.h"

namespace wordsway {

MatrixF NextWordHead::logits(ConstMatrixFRef hidden, const PackedWeights& words) const {
  const PackedWeights& vectors = table.size() > 0 ? table : words;
  MatrixF result(hidden.rows(), vectors.outputs());
  vectors.forward(hidden, {}, result);
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
