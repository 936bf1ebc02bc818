#include "wordsway/random/deferred_matrix.h"

#include <cmath>

#include "wordsway/core/error.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

// A part of u this small next to u is rounding. Leaving it out moves the answer by less than the rounding of a sum.
constexpr double kNegligible = 1e-13;

}  // namespace

DeferredMatrix::DeferredMatrix(const Stream& stream, Index rows, Index columns, double scale)
    : GaussianMatrix(rows, columns, scale), stream_(stream), rows_side_(rows), columns_side_(columns) {}

void DeferredMatrix::begin_with(ConstVectorRef u, ConstVectorRef image) {
  ensure(right_rank() == 0 && left_rank() == 0 && completed_.size() == 0, "a fresh deferred matrix");
  ensure(u.size() == columns() && image.size() == rows(), "shapes");
  const double norm = u.norm();
  if (norm == 0) return;
  columns_side_.basis.append(u / norm);
  rows_side_.images.append(image / norm);
}

void DeferredMatrix::begin_with_basis(const Matrix& basis, const Matrix& images) {
  ensure(right_rank() == 0 && left_rank() == 0 && completed_.size() == 0, "a fresh deferred matrix");
  ensure(basis.cols() == columns() && images.cols() == rows() && basis.rows() == images.rows(), "shapes");
  for (Index t = 0; t < basis.rows(); ++t) {
    columns_side_.basis.append(basis.row(t).transpose());
    rows_side_.images.append(images.row(t).transpose());
  }
}

void DeferredMatrix::apply(ConstVectorRef u, VectorRef result) {
  ensure(u.size() == columns() && result.size() == rows(), "shapes");
  if (completed_.size() > 0) {
    result.noalias() = completed_ * u;
  } else {
    query(columns_side_, rows_side_, u, result);
  }
}

void DeferredMatrix::apply_transpose(ConstVectorRef v, VectorRef result) {
  ensure(v.size() == rows() && result.size() == columns(), "shapes");
  if (completed_.size() > 0) {
    result.noalias() = completed_.transpose() * v;
  } else {
    query(rows_side_, columns_side_, v, result);
  }
}

// Gram–Schmidt twice: once leaves a remainder that is orthogonal only up to rounding relative to u, not to itself.
// Three passes over the basis: dots; subtract and dots again; subtract and the dots with the images.
DeferredMatrix::Split DeferredMatrix::split(const Space& in, ConstVectorRef u) {
  const Blocks rows = in.basis.blocks();
  const Index count = in.basis.count(), images = in.images.count();
  Split result{in.basis.dots(u), u, 0, {}};
  double* const w = result.remainder.data();
  Matrix again = Matrix::Zero(rows.count(), count);
  const Vector minus_first = -result.coefficients;
  parallel_for(rows.count(), [&](Index b) {
    in.basis.add_combination(minus_first, w, rows.begin(b), rows.length(b));
    in.basis.add_dots(w, rows.begin(b), rows.length(b), again.row(b).data());
  });
  const Vector second = sum_parts(again);
  result.coefficients += second;
  Matrix parts = Matrix::Zero(rows.count(), images + 1);
  parallel_for(rows.count(), [&](Index b) {
    const Index begin = rows.begin(b), length = rows.length(b);
    in.basis.add_combination(-second, w, begin, length);
    in.images.add_dots(w, begin, length, parts.row(b).data());
    parts(b, images) = result.remainder.segment(begin, length).squaredNorm();
  });
  const Vector sums = sum_parts(parts);
  const double length = std::sqrt(sums[images]);
  if (count >= in.basis.size() || !(length > kNegligible * u.norm())) return result;
  result.length = length;
  result.remainder /= length;
  result.known = sums.head(images) / length;
  return result;
}

void DeferredMatrix::answer_known(const Space& out, const Vector& coefficients, VectorRef result) const {
  const Blocks rows = out.images.blocks();
  result.setZero();
  parallel_for(rows.count(), [&](Index b) {
    out.images.add_combination(coefficients, result.data(), rows.begin(b), rows.length(b));
  });
}

void DeferredMatrix::query(Space& in, Space& out, ConstVectorRef u, VectorRef result) {
  Split parts = split(in, u);
  if (parts.length == 0) {
    answer_known(out, parts.coefficients, result);
    return;
  }
  const Stream fresh = stream_.derive(queries_++);
  const Blocks rows = out.basis.blocks();
  Vector y(out.basis.size());
  Matrix overlaps = Matrix::Zero(rows.count(), out.basis.count());
  parallel_for(rows.count(), [&](Index b) {
    const Index begin = rows.begin(b), length = rows.length(b);
    fill_gaussian(fresh, static_cast<std::uint64_t>(begin), {y.data() + begin, static_cast<size_t>(length)}, scale());
    out.basis.add_dots(y.data(), begin, length, overlaps.row(b).data());
  });
  const Vector correction = known_part(parts.known, sum_parts(overlaps));
  parallel_for(rows.count(), [&](Index b) {
    const Index begin = rows.begin(b), length = rows.length(b);
    out.basis.add_combination(correction, y.data(), begin, length);
    result.segment(begin, length) = parts.length * y.segment(begin, length);
    out.images.add_combination(parts.coefficients, result.data(), begin, length);
  });
  in.basis.append(std::move(parts.remainder));
  out.images.append(std::move(y));
}

Matrix DeferredMatrix::complete() {
  if (completed_.size() > 0) return completed_;
  const Matrix R = columns_side_.basis.matrix(), Y = rows_side_.images.matrix();
  const Matrix L = rows_side_.basis.matrix(), Z = columns_side_.images.matrix();
  // (I − LLᵀ) G' + L Zᵀ, then (I − RRᵀ) from the right, then + Y Rᵀ.
  Matrix G = gaussian_matrix(stream_.derive("rest"), rows(), columns(), scale());
  const Matrix overlap = L.transpose() * G;
  G.noalias() += L * (Z.transpose() - overlap);
  const Matrix seen = Y - G * R;
  G.noalias() += seen * R.transpose();
  completed_ = G;
  columns_side_ = Space(columns());
  rows_side_ = Space(rows());
  return G;
}

double DeferredMatrix::memory_bytes() const {
  return rows_side_.basis.memory_bytes() + rows_side_.images.memory_bytes() + columns_side_.basis.memory_bytes() +
         columns_side_.images.memory_bytes() + 8.0 * static_cast<double>(completed_.size());
}

}  // namespace wordsway
