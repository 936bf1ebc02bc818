#include "wordsway/model/word_head.h"

#include "wordsway/model/products/gemm.h"

namespace wordsway {

MatrixF WordHead::logits(ConstMatrixFRef hidden, const MatrixF& words) const {
  MatrixF h = transform.forward(hidden);
  activate(activation, h);
  h = norm.forward(h);
  const MatrixF& table = decoder.size() > 0 ? decoder : words;
  MatrixF result(hidden.rows(), table.rows());
  multiply_transposed(h, table, result);
  result.rowwise() += bias;
  return result;
}

}  // namespace wordsway
