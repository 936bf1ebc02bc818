#include "wordsway/model/next_word_head.h"

#include "wordsway/model/products/gemm.h"

namespace wordsway {

MatrixF NextWordHead::logits(ConstMatrixFRef hidden, const MatrixF& words) const {
  const MatrixF& vectors = table.size() > 0 ? table : words;
  MatrixF result(hidden.rows(), vectors.rows());
  multiply_transposed(hidden, vectors, result);
  return result;
}

}  // namespace wordsway
