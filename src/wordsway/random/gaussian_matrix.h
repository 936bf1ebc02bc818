// One [rows, columns] matrix G of independent N(0, scale²) entries, held in one of three ways:
//
//   dense     stored                                   dense_matrix.h, the oracle of the others
//   streamed  made block by block, used, dropped       streamed_matrix.h, the same numbers as dense
//   deferred  only what is looked at is decided        deferred_matrix.h, the same law
//
// A query of a deferred matrix decides entries that were open, so queries are not const: whoever holds one decides
// the order in which it is asked, and the answers depend on that order (their law does not).
#pragma once

#include <memory>
#include <optional>

#include "wordsway/core/matrix.h"

namespace wordsway {

class GaussianMatrix {
 public:
  GaussianMatrix(Index rows, Index columns, double scale) : rows_(rows), columns_(columns), scale_(scale) {}
  virtual ~GaussianMatrix() = default;

  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  double scale() const { return scale_; }

  /// result = G u; u: [columns], result: [rows]. Runs in parallel over fixed blocks: same bits for any threads.
  virtual void apply(ConstVectorRef u, VectorRef result) = 0;
  /// result = Gᵀ v; v: [rows], result: [columns].
  virtual void apply_transpose(ConstVectorRef v, VectorRef result) = 0;

  /// True when queries change nothing and may come from several threads at once.
  virtual bool concurrent() const { return true; }

  /// G written down. A deferred matrix decides everything that is still open and answers from it ever after.
  virtual Matrix complete() = 0;

  /// A number not below ‖G‖_op, rounding included; nothing where the matrix does not exist. Costs O(rows·columns²).
  virtual std::optional<double> norm_bound() const { return std::nullopt; }

  /// Bytes held now.
  virtual double memory_bytes() const = 0;

  Vector operator*(const Vector& u) {
    Vector result(rows_);
    apply(u, result);
    return result;
  }
  Vector transpose_times(const Vector& v) {
    Vector result(columns_);
    apply_transpose(v, result);
    return result;
  }

 private:
  Index rows_, columns_;
  double scale_;
};

}  // namespace wordsway
