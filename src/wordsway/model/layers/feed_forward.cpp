#include "wordsway/model/layers/feed_forward.h"

namespace wordsway {

void FeedForward::forward(ConstMatrixFRef x, MatrixF& before, MatrixFRef y) const {
  before.resize(x.rows(), up.weight.rows());
  MatrixF after(before.rows(), before.cols());
  up.forward(x, before, [&](MatrixFRef block, Index row, Index column) {
    activate(activation, block, after.block(row, column, block.rows(), block.cols()));
  });
  down.forward(after, y, [&](MatrixFRef block, Index row, Index column) {
    block += x.block(row, column, block.rows(), block.cols());
  });
}

void FeedForward::vjp(ConstMatrixFRef before, ConstMatrixFRef y_cotangent, MatrixFRef x_cotangent) const {
  MatrixF inside(before.rows(), before.cols());
  down.vjp(y_cotangent, inside, [&](MatrixFRef block, Index row, Index column) {
    activate_vjp(activation, before.block(row, column, block.rows(), block.cols()), block);
  });
  up.vjp(inside, x_cotangent, [&](MatrixFRef block, Index row, Index column) {
    block += y_cotangent.block(row, column, block.rows(), block.cols());
  });
}

}  // namespace wordsway
