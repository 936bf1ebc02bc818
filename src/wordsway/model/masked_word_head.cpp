#include "wordsway/model/masked_word_head.h"

namespace wordsway {

MatrixF MaskedWordHead::logits(ConstMatrixFRef hidden, const PackedWeights& words) const {
  MatrixF h = transform.forward(hidden);
  activate(activation, h);
  h = norm.forward(h);
  const PackedWeights& table = decoder.size() > 0 ? decoder : words;
  MatrixF result(hidden.rows(), table.outputs());
  table.forward(h, bias, result);
  return result;
}

}  // namespace wordsway
