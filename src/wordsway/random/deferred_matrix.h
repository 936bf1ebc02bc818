// A Gaussian matrix G whose entries are decided only as far as queries need (the principle of deferred decisions; Lu,
// "Householder Dice: a matrix-free algorithm for simulating dynamics on Gaussian and random orthogonal ensembles", IEEE
// Trans. Inf. Theory 67(12), 2021). Exact in distribution, even if a query depends on earlier answers: docs/theory.md.
//
// State: an orthonormal basis R of the u asked for with its images Y = G R, and one L of the v asked for with its
// images Z = Gᵀ L. Given these, G = Y Rᵀ + L Zᵀ(I − RRᵀ) + (I − LLᵀ) G' (I − RRᵀ) with G' a fresh Gaussian matrix. So
//
//     G u = Y c + ‖w‖ y,   c = Rᵀu,  w = u − R c,  r = w/‖w‖,   y = (I − LLᵀ) g + L(Zᵀr),   g fresh
//
// and (r, y) joins the state; Gᵀv is the mirror image. T queries cost O((rows + columns)·T) memory and each as much
// time. Fresh numbers are keyed by the number of the query, so the same queries in the same order get the same answers.
// Queries change the state: one thread at a time.
#pragma once

#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/core/parallel.h"
#include "wordsway/random/gaussian_matrix.h"
#include "wordsway/random/stream.h"

namespace wordsway {

// A [size, count] matrix that grows by columns: the bases and images of a deferred matrix.
//
// Its products are bound by memory, so the ones that follow each other are fused: a block of rows is read once for all
// of them. Blocks are fixed and partial sums are added in their order: same bits for any number of threads.

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

  /// Qᵀ v for the columns from `first` on.
  Vector dots(ConstVectorRef v, Index first = 0) const;

 private:
  Index size_;
  std::vector<Vector> columns_;
};

/// Sums of parts[b] in the order of the blocks.
Vector sum_parts(const Matrix& parts);

class DeferredMatrix : public GaussianMatrix {
 public:
  DeferredMatrix(const Stream& stream, Index rows, Index columns, double scale);

  /// Starts from one known pair, `image` = G u, drawn by the owner of the matrix from N(0, scale²‖u‖² I). The matrix
  /// must not have been queried yet (throws UsageError). Ignores u = 0. Throws DataError on other sizes.
  void begin_with(ConstVectorRef u, ConstVectorRef image);

  /// Starts from several known pairs: the rows of `basis` [T, columns] are orthonormal, and those of `images` [T, rows]
  /// are their images, drawn by the owner of the matrix from N(0, scale² I).
  void begin_with_basis(const Matrix& basis, const Matrix& images);

  void apply(ConstVectorRef u, VectorRef result) override;
  void apply_transpose(ConstVectorRef v, VectorRef result) override;
  bool concurrent() const override { return completed_.size() > 0; }
  Matrix complete() override;
  /// Returns nothing after a query from the left or once the matrix is complete.
  std::optional<GaussianRecipe> recipe() const override;
  double memory_bytes() const override;

  /// Directions decided so far: the sizes of R and of L.
  Index right_rank() const { return columns_side_.basis.count(); }
  Index left_rank() const { return rows_side_.basis.count(); }

 protected:
  /// What to add to a fresh g, in coefficients on the output basis: Zᵀr puts the known part in, and Lᵀg takes its
  /// random stand-in out. The tests override this to show that they notice if either is missing.
  virtual Vector known_part(const Vector& known, const Vector& fresh) const { return known - fresh; }

 private:
  // The vectors living in one of G's two spaces: the basis of the queries from there, the images of the queries from
  // the other space, and the fresh vector that the next such query will use. It is drawn ahead because a query from
  // here reads the whole basis anyway, and its overlaps with the basis come along for free.
  struct Space {
    Space(Index size, const Stream& numbers) : basis(size), images(size), stream(numbers) {}
    GrowingColumns basis, images;
    Stream stream;
    std::uint64_t drawn = 0;
    Vector fresh;     // empty or [size]
    Vector overlaps;  // with the first columns of the basis
  };
  struct Split {
    Vector coefficients;  // on the basis
    Vector remainder;     // orthogonal to it, normalised if it is not negligible
    double length = 0;    // of the remainder; 0: negligible
    Vector known;         // images ᵀ remainder
  };

  // The numbers of what is still open when everything is decided at once.
  Stream rest() const { return stream_.derive("rest"); }
  void check_fresh() const;
  void query(Space& in, Space& out, ConstVectorRef u, VectorRef result);
  Split split(Space& in, ConstVectorRef u) const;
  void draw_fresh(Space& space) const;
  Vector dots_with_basis(Space& in, ConstVectorRef u) const;
  static void answer_known(const Space& out, const Vector& coefficients, VectorRef result);

  Stream stream_;
  Space rows_side_, columns_side_;
  Matrix completed_;  // empty until complete()
};

}  // namespace wordsway
