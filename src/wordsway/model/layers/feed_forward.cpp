#include "wordsway/model/layers/feed_forward.h"

namespace wordsway {

void FeedForward::forward(ConstMatrixFRef x, MatrixF& slope, MatrixFRef y) const {
  slope.resize(x.rows(), up.weight.outputs());
  MatrixF after(slope.rows(), slope.cols());
  up.forward(x, after, [&](MatrixFRef block, Index row, Index column) {
    activate(activation, block, slope.block(row, column, block.rows(), block.cols()));
  });
  down.forward(after, y, [&](MatrixFRef block, Index row, Index column) {
    block += x.block(row, column, block.rows(), block.cols());
  });
}

void FeedForward::vjp(ConstMatrixFRef slope, ConstMatrixFRef y_cotangent, MatrixFRef x_cotangent) const {
  MatrixF inside(slope.rows(), slope.cols());
  down.vjp(y_cotangent, inside, [&](MatrixFRef block, Index row, Index column) {
    block.array() *= slope.block(row, column, block.rows(), block.cols()).array();
  });
  up.vjp(inside, x_cotangent, [&](MatrixFRef block, Index row, Index column) {
    block += y_cotangent.block(row, column, block.rows(), block.cols());
  });
}

}  // namespace wordsway
