// Products by oneDNN's sgemm. Debian builds it with OpenMP, whose number of threads is a setting of the calling
// thread: it is 1 during the call and put back afterwards, so neither side notices the other.
#include <algorithm>

#include <oneapi/dnnl/dnnl.h>

#include "wordsway/core/error.h"
#include "wordsway/model/gemm.h"

#if DNNL_CPU_THREADING_RUNTIME == DNNL_RUNTIME_OMP
#include <omp.h>
#endif

namespace wordsway {
namespace {

#if DNNL_CPU_THREADING_RUNTIME == DNNL_RUNTIME_OMP
class SingleThread {
 public:
  SingleThread() : before_(omp_get_max_threads()) {
    if (before_ != 1) omp_set_num_threads(1);
  }
  ~SingleThread() {
    if (before_ != 1) omp_set_num_threads(before_);
  }
  SingleThread(const SingleThread&) = delete;
  SingleThread& operator=(const SingleThread&) = delete;

 private:
  int before_;
};
#else
#error "wordsway expects oneDNN built with OpenMP; configure with -DWORDSWAY_ONEDNN=OFF to use Eigen instead"
#endif

// A matrix of one row may carry any stride; oneDNN wants one that could hold a row.
dnnl_dim_t stride(Index outer, Index columns) {
  return std::max(outer, columns);
}

}  // namespace

const char* gemm_backend_name() {
  return "oneDNN";
}

void gemm_on_this_thread(Op op_a, Op op_b, float alpha, ConstMatrixFRef A, ConstMatrixFRef B, float beta,
                         MatrixFRef C) {
  if (C.size() == 0) return;
  const SingleThread single;
  const Index depth = op_a == Op::kPlain ? A.cols() : A.rows();
  const dnnl_status_t status =
      dnnl_sgemm(op_a == Op::kPlain ? 'N' : 'T', op_b == Op::kPlain ? 'N' : 'T', C.rows(), C.cols(), depth, alpha,
                 A.data(), stride(A.outerStride(), A.cols()), B.data(), stride(B.outerStride(), B.cols()), beta,
                 C.data(), stride(C.outerStride(), C.cols()));
  ensure(status == dnnl_success, "oneDNN computes the product");
}

}  // namespace wordsway
