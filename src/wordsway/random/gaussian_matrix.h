// One [rows, columns] matrix G of independent N(0, scale²) entries, held in one of three ways:
//
//   dense     stored                                   dense_matrix.h, the oracle of the others
//   streamed  made block by block, used, dropped       streamed_matrix.h, the same numbers as dense
// deferred  decided only as far as queries need      deferred_matrix.h, the same law
//
// A query of a deferred matrix decides entries that were open, so queries are not const: the caller chooses the order
// of queries, and the answers depend on that order (their law does not).
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "wordsway/core/matrix.h"
#include "wordsway/random/stream.h"

namespace wordsway {

/// How to make a matrix elsewhere (cuda/): G = N + (Y − N R)Rᵀ. N has the entries of a DenseMatrix of this stream; R:
/// [columns, T] are orthonormal directions and Y: [rows, T] their images, which were decided before.
struct GaussianRecipe {
  Stream stream;
  Matrix directions = {}, images = {};
};

class GaussianMatrix {
 public:
  GaussianMatrix(Index rows, Index columns, double scale) : rows_(rows), columns_(columns), scale_(scale) {}
  virtual ~GaussianMatrix() = default;

  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  double scale() const { return scale_; }

  /// result = G u; u: [columns], result: [rows]. Runs in parallel over fixed blocks: same bits for any threads.
  /// Throws DataError on other sizes, as the transpose does.
  virtual void apply(ConstVectorRef u, VectorRef result) = 0;
  /// result = Gᵀ v; v: [rows], result: [columns].
  virtual void apply_transpose(ConstVectorRef v, VectorRef result) = 0;

  /// True when queries change nothing and may come from several threads at once.
  virtual bool concurrent() const { return true; }

  /// G written down. A deferred matrix decides everything that is still open and answers from it ever after.
  virtual Matrix complete() = 0;

  /// The recipe of what complete() would write, for another device; nothing if only complete() can make it.
  virtual std::optional<GaussianRecipe> recipe() const { return std::nullopt; }

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

 protected:
  /// Throws DataError unless a vector of `columns` numbers goes in and one of `rows` comes out.
  static void check_sizes(Index columns, Index rows, ConstVectorRef in, const VectorRef& out);

 private:
  Index rows_, columns_;
  double scale_;
};

// Products with a matrix given as a sequence of row blocks, whoever makes them. Dense and streamed matrices share this
// code and its partition, which is why their answers agree to the last bit.

/// Calls use(rows first … first + M.rows() of the matrix) with the block, which lives until the call returns.
using RowBlockUser = std::function<void(Index first, ConstMatrixRef M)>;
/// Makes the block of `count` rows from `first` on and passes it to `use`. Called from several threads at once.
using RowBlockMaker = std::function<void(Index first, Index count, const RowBlockUser& use)>;

/// A [rows, columns] matrix in blocks of a fixed number of rows.
struct RowBlocks {
  Index rows, columns;
  RowBlockMaker make;

  void multiply(ConstVectorRef u, VectorRef result) const;
  void multiply_transposed(ConstVectorRef v, VectorRef result) const;
  /// A number not below the operator norm: from the largest eigenvalue of GᵀG plus a bound of all rounding.
  double norm_bound() const;
};

// A Gaussian matrix (or any other) that is stored.

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

// A Gaussian matrix whose entries are a pure function of (seed, stream, row, column): blocks of rows are made, used and
// dropped. The numbers of DenseMatrix with the same stream, bit for bit, and no memory but a block a thread.

class StreamedMatrix final : public GaussianMatrix {
 public:
  StreamedMatrix(const Stream& stream, Index rows, Index columns, double scale)
      : GaussianMatrix(rows, columns, scale), stream_(stream) {}

  void apply(ConstVectorRef u, VectorRef result) override;
  void apply_transpose(ConstVectorRef v, VectorRef result) override;
  Matrix complete() override;
  std::optional<GaussianRecipe> recipe() const override { return GaussianRecipe{stream_}; }
  std::optional<double> norm_bound() const override;
  double memory_bytes() const override { return sizeof(*this); }

 private:
  RowBlocks blocks() const;

  Stream stream_;
};

}  // namespace wordsway
