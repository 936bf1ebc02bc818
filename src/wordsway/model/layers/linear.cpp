#include "wordsway/model/layers/linear.h"

namespace wordsway {

Epilogue plus(ConstMatrixFRef other) {
  return [other](MatrixFRef block, Index row, Index column) {
    block += other.block(row, column, block.rows(), block.cols());
  };
}

void Linear::forward(ConstMatrixFRef x, MatrixFRef y, const Epilogue& then) const {
  weight.forward(x, bias, y, then);
}

MatrixF Linear::forward(ConstMatrixFRef x) const {
  MatrixF y(x.rows(), weight.outputs());
  forward(x, y);
  return y;
}

void Linear::vjp(ConstMatrixFRef y_cotangent, MatrixFRef x_cotangent, const Epilogue& then) const {
  weight.vjp(y_cotangent, x_cotangent, then);
}

}  // namespace wordsway
