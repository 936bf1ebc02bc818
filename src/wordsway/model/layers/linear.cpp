#include "wordsway/model/layers/linear.h"

namespace wordsway {

void Linear::forward(ConstMatrixFRef x, MatrixFRef y, const Epilogue& then) const {
  multiply_transposed(x, weight, y, [&](MatrixFRef block, Index row, Index column) {
    block.rowwise() += bias.segment(column, block.cols());
    if (then) then(block, row, column);
  });
}

MatrixF Linear::forward(ConstMatrixFRef x) const {
  MatrixF y(x.rows(), weight.rows());
  forward(x, y);
  return y;
}

void Linear::vjp(ConstMatrixFRef y_cotangent, MatrixFRef x_cotangent, const Epilogue& then) const {
  multiply(y_cotangent, weight, x_cotangent, then);
}

}  // namespace wordsway
