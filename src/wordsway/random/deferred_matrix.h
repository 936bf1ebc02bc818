// A Gaussian matrix G of which only what is looked at is decided (the principle of deferred decisions; Lu, "Householder
// Dice: a matrix-free algorithm for simulating dynamics on Gaussian and random orthogonal ensembles", IEEE Trans. Inf.
// Theory 67(12), 2021). Exact in distribution, also when a query depends on earlier answers: docs/theory.md.
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

#include "wordsway/random/gaussian_matrix.h"
#include "wordsway/random/growing_columns.h"
#include "wordsway/random/stream.h"

namespace wordsway {

class DeferredMatrix : public GaussianMatrix {
 public:
  DeferredMatrix(const Stream& stream, Index rows, Index columns, double scale);

  /// Starts from one known pair, `image` = G u, drawn by whoever owns the matrix from N(0, scale²‖u‖² I). Only for a
  /// matrix that was not asked anything yet; ignores u = 0.
  void begin_with(ConstVectorRef u, ConstVectorRef image);

  /// The same with several pairs at once: the rows of `basis` [T, columns] are orthonormal, those of `images` [T, rows]
  /// are their images, drawn by whoever owns the matrix from N(0, scale² I).
  void begin_with_basis(const Matrix& basis, const Matrix& images);

  void apply(ConstVectorRef u, VectorRef result) override;
  void apply_transpose(ConstVectorRef v, VectorRef result) override;
  bool concurrent() const override { return completed_.size() > 0; }
  Matrix complete() override;
  double memory_bytes() const override;

  /// Directions decided so far: the sizes of R and of L.
  Index right_rank() const { return columns_side_.basis.count(); }
  Index left_rank() const { return rows_side_.basis.count(); }

 protected:
  /// The coefficients on the out-side basis of what a fresh g gets added: Zᵀr puts the known part in, Lᵀg takes its
  /// random stand-in out. The tests override this to show that they notice either one missing.
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
