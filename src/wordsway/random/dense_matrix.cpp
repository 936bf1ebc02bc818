#include "wordsway/random/dense_matrix.h"

#include "wordsway/core/error.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {

DenseMatrix::DenseMatrix(const Stream& stream, Index rows, Index columns, double scale)
    : GaussianMatrix(rows, columns, scale), entries_(gaussian_matrix(stream, rows, columns, scale)) {}

DenseMatrix::DenseMatrix(Matrix entries)
    : GaussianMatrix(entries.rows(), entries.cols(), 1), entries_(std::move(entries)) {}

RowBlocks DenseMatrix::blocks() const {
  return {rows(), columns(),
          [this](Index first, Index count, const RowBlockUser& use) { use(first, entries_.middleRows(first, count)); }};
}

void DenseMatrix::apply(ConstVectorRef u, VectorRef result) {
  ensure(u.size() == columns() && result.size() == rows(), "shapes");
  blocks().multiply(u, result);
}

void DenseMatrix::apply_transpose(ConstVectorRef v, VectorRef result) {
  ensure(v.size() == rows() && result.size() == columns(), "shapes");
  blocks().multiply_transposed(v, result);
}

std::optional<double> DenseMatrix::norm_bound() const {
  return blocks().norm_bound();
}

}  // namespace wordsway
