#include "wordsway/model/word_head.h"

namespace wordsway {

MatrixF WordHead::logits(ConstMatrixFRef hidden, const MatrixF& words) const {
  MatrixF h = transform.forward(hidden);
  activate(activation, h, h);
  h = norm.forward(h);
  const MatrixF& table = decoder.size() > 0 ? decoder : words;
  MatrixF result(hidden.rows(), table.rows());
  multiply_transposed(h, table, result, [&](MatrixFRef block, Index, Index column) {
    block.rowwise() += bias.segment(column, block.cols());
  });
  return result;
}

}  // namespace wordsway
