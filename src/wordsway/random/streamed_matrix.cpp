#include "wordsway/random/streamed_matrix.h"

#include "wordsway/core/error.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {

RowBlocks StreamedMatrix::blocks() const {
  return {rows(), columns(), [this](Index first, Index count, const RowBlockUser& use) {
            Matrix block(count, columns());
            fill_gaussian(stream_, static_cast<std::uint64_t>(first * columns()),
                          {block.data(), static_cast<size_t>(block.size())}, scale());
            use(first, block);
          }};
}

void StreamedMatrix::apply(ConstVectorRef u, VectorRef result) {
  ensure(u.size() == columns() && result.size() == rows(), "shapes");
  blocks().multiply(u, result);
}

void StreamedMatrix::apply_transpose(ConstVectorRef v, VectorRef result) {
  ensure(v.size() == rows() && result.size() == columns(), "shapes");
  blocks().multiply_transposed(v, result);
}

Matrix StreamedMatrix::complete() {
  return gaussian_matrix(stream_, rows(), columns(), scale());
}

std::optional<double> StreamedMatrix::norm_bound() const {
  return blocks().norm_bound();
}

}  // namespace wordsway
