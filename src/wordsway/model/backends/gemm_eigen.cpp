// Products by Eigen, where the build found no oneDNN. EIGEN_DONT_PARALLELIZE keeps them on the calling thread.
#include "wordsway/model/gemm.h"

namespace wordsway {
namespace {

template <typename A, typename B>
void accumulate(float alpha, const A& a, const B& b, float beta, MatrixFRef C) {
  if (beta == 0) {
    C.noalias() = alpha * (a * b);
  } else {
    if (beta != 1) C *= beta;
    C.noalias() += alpha * (a * b);
  }
}

}  // namespace

const char* gemm_backend_name() {
  return "Eigen";
}

void gemm_on_this_thread(Op op_a, Op op_b, float alpha, ConstMatrixFRef A, ConstMatrixFRef B, float beta,
                         MatrixFRef C) {
  if (op_a == Op::kPlain && op_b == Op::kPlain) {
    accumulate(alpha, A, B, beta, C);
  } else if (op_a == Op::kPlain) {
    accumulate(alpha, A, B.transpose(), beta, C);
  } else if (op_b == Op::kPlain) {
    accumulate(alpha, A.transpose(), B, beta, C);
  } else {
    accumulate(alpha, A.transpose(), B.transpose(), beta, C);
  }
}

}  // namespace wordsway
