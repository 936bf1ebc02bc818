// A [size, count] matrix that grows by columns: the bases and images of a deferred matrix.
//
// Its products are bound by memory, so the ones that follow each other are fused: a block of rows is read once for all
// of them. Blocks are fixed and partial sums are added in their order: same bits for any number of threads.
#pragma once

#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/core/parallel.h"

namespace wordsway {

class GrowingColumns {
 public:
  explicit GrowingColumns(Index size) : size_(size) {}

  Index size() const { return size_; }
  Index count() const { return static_cast<Index>(columns_.size()); }
  void append(Vector column) { columns_.push_back(std::move(column)); }
  double memory_bytes() const { return 8.0 * static_cast<double>(size_) * static_cast<double>(count()); }
  Matrix matrix() const;  // [size, count]

  /// The partition all fused passes use.
  Blocks blocks() const;

  // Parts of the passes, for rows [begin, begin + length): out += Qᵀv over these rows, y += Q c on them.
  void add_dots(const double* v, Index begin, Index length, double* out) const;
  void add_two_dots(const double* v, const double* w, Index begin, Index length, double* v_out, double* w_out) const;
  void add_combination(const Vector& c, double* y, Index begin, Index length) const;

  /// Qᵀ v of the columns from `first` on.
  Vector dots(ConstVectorRef v, Index first = 0) const;

 private:
  Index size_;
  std::vector<Vector> columns_;
};

/// Sums of parts[b] in the order of the blocks.
Vector sum_parts(const Matrix& parts);

}  // namespace wordsway
