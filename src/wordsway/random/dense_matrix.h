// A Gaussian matrix (or any other) that is stored.
#pragma once

#include "wordsway/random/gaussian_matrix.h"
#include "wordsway/random/row_blocks.h"
#include "wordsway/random/stream.h"

namespace wordsway {

class DenseMatrix final : public GaussianMatrix {
 public:
  /// Entry (a, b) is number a·columns + b of the stream, times `scale`.
  DenseMatrix(const Stream& stream, Index rows, Index columns, double scale);
  /// Takes the entries as they are.
  explicit DenseMatrix(Matrix entries);

  void apply(ConstVectorRef u, VectorRef result) override;
  void apply_transpose(ConstVectorRef v, VectorRef result) override;
  Matrix complete() override { return entries_; }
  std::optional<double> norm_bound() const override;
  double memory_bytes() const override { return 8.0 * static_cast<double>(entries_.size()); }

  const Matrix& entries() const { return entries_; }

 private:
  RowBlocks blocks() const;

  Matrix entries_;
};

}  // namespace wordsway
