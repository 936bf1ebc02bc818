// A Gaussian matrix whose entries are a pure function of (seed, stream, row, column): blocks of rows are made, used and
// dropped. The numbers of DenseMatrix with the same stream, bit for bit, and no memory but a block a thread.
#pragma once

#include "wordsway/random/gaussian_matrix.h"
#include "wordsway/random/row_blocks.h"
#include "wordsway/random/stream.h"

namespace wordsway {

class StreamedMatrix final : public GaussianMatrix {
 public:
  StreamedMatrix(const Stream& stream, Index rows, Index columns, double scale)
      : GaussianMatrix(rows, columns, scale), stream_(stream) {}

  void apply(ConstVectorRef u, VectorRef result) override;
  void apply_transpose(ConstVectorRef v, VectorRef result) override;
  Matrix complete() override;
  std::optional<double> norm_bound() const override;
  double memory_bytes() const override { return sizeof(*this); }

 private:
  RowBlocks blocks() const;

  Stream stream_;
};

}  // namespace wordsway
