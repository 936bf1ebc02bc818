#include "wordsway/model/next_word_head.h"

#include "wordsway/model/products/gemm.h"

namespace wordsway {

MatrixF NextWordHead::logits(ConstMatrixFRef hidden, const MatrixF& words) const {
  const MatrixF& vectors = table.size() > 0 ? table : words;
  MatrixF result(hidden.rows(), vectors.rows());
  multiply_transposed(hidden, vectors, result);
  return result;
}

std::optional<NextWordHead> build_next_word_head(const ModelConfig& config, const Weights& weights) {
  if (config.tied_decoder) return NextWordHead{};
  if (!weights.contains("lm_head.weight")) return std::nullopt;
  NextWordHead head;
  head.table = weights.matrix("lm_head.weight", config.vocabulary, config.hidden_size);
  return head;
}

}  // namespace wordsway
