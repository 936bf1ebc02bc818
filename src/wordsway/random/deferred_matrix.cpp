#include "wordsway/random/deferred_matrix.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {

namespace {

// A part of u this small next to u is rounding. Leaving it out moves the answer by less than the rounding of a sum.
constexpr double kNegligible = 1e-13;

// A second orthogonalisation that would turn the remainder by less than this is not carried out.
constexpr double kOrthogonal = 1e-13;

}  // namespace

DeferredMatrix::DeferredMatrix(const Stream& stream, Index rows, Index columns, double scale)
    : GaussianMatrix(rows, columns, scale),
      stream_(stream),
      rows_side_(rows, stream.derive("rows")),
      columns_side_(columns, stream.derive("columns")) {}

void DeferredMatrix::check_fresh() const {
  if (right_rank() > 0 || left_rank() > 0 || completed_.size() > 0)
    throw UsageError("a deferred matrix takes known images only before it is asked anything; this one has answered");
}

void DeferredMatrix::begin_with(ConstVectorRef u, ConstVectorRef image) {
  check_fresh();
  if (u.size() != columns() || image.size() != rows())
    throw DataError(fmt::format("a vector and its image must have {} and {} numbers; got {} and {}", columns(), rows(),
                                u.size(), image.size()));
  const double norm = u.norm();
  if (norm == 0) return;
  columns_side_.basis.append(u / norm);
  rows_side_.images.append(image / norm);
}

void DeferredMatrix::begin_with_basis(const Matrix& basis, const Matrix& images) {
  check_fresh();
  if (basis.cols() != columns() || images.cols() != rows() || basis.rows() != images.rows())
    throw DataError(
        fmt::format("a basis and its images must have as many rows, of {} and {} numbers; got {} x {} and {} x {}",
                    columns(), rows(), basis.rows(), basis.cols(), images.rows(), images.cols()));
  for (Index t = 0; t < basis.rows(); ++t) {
    columns_side_.basis.append(basis.row(t).transpose());
    rows_side_.images.append(images.row(t).transpose());
  }
}

void DeferredMatrix::apply(ConstVectorRef u, VectorRef result) {
  check_sizes(columns(), rows(), u, result);
  if (completed_.size() > 0) {
    result.noalias() = completed_ * u;
  } else {
    query(columns_side_, rows_side_, u, result);
  }
}

void DeferredMatrix::apply_transpose(ConstVectorRef v, VectorRef result) {
  check_sizes(rows(), columns(), v, result);
  if (completed_.size() > 0) {
    result.noalias() = completed_.transpose() * v;
  } else {
    query(rows_side_, columns_side_, v, result);
  }
}

void DeferredMatrix::draw_fresh(Space& space) const {
  if (space.fresh.size() > 0) return;
  space.fresh.resize(space.basis.size());
  space.overlaps.resize(0);
  const Stream numbers = space.stream.derive(space.drawn++);
  const Blocks rows = space.basis.blocks();
  parallel_for(rows.count(), [&](Index b) {
    fill_gaussian(numbers, static_cast<std::uint64_t>(rows.begin(b)),
                  {space.fresh.data() + rows.begin(b), static_cast<size_t>(rows.length(b))}, scale());
  });
}

Vector DeferredMatrix::dots_with_basis(Space& in, ConstVectorRef u) const {
  draw_fresh(in);
  if (in.overlaps.size() > 0) return in.basis.dots(u);
  const Blocks rows = in.basis.blocks();
  Matrix parts = Matrix::Zero(rows.count(), in.basis.count()), fresh_parts = parts;
  parallel_for(rows.count(), [&](Index b) {
    in.basis.add_two_dots(u.data(), in.fresh.data(), rows.begin(b), rows.length(b), parts.row(b).data(),
                          fresh_parts.row(b).data());
  });
  in.overlaps = sum_parts(fresh_parts);
  return sum_parts(parts);
}

// Gram–Schmidt twice: once leaves a remainder that is orthogonal only up to rounding relative to u, not to itself. The
// second correction is always computed, in the pass that subtracts the first, and applied unless it is rounding.
DeferredMatrix::Split DeferredMatrix::split(Space& in, ConstVectorRef u) const {
  const Blocks rows = in.basis.blocks();
  const Index count = in.basis.count(), images = in.images.count();
  Split result{dots_with_basis(in, u), u, 0, {}};
  double* const w = result.remainder.data();
  Matrix parts(rows.count(), count + images + 1);
  const auto subtract_and_look = [&](const Vector& coefficients) {
    parts.setZero();
    const Vector minus = -coefficients;
    parallel_for(rows.count(), [&](Index b) {
      const Index begin = rows.begin(b), length = rows.length(b);
      double* const sums = parts.row(b).data();
      in.basis.add_combination(minus, w, begin, length);
      in.basis.add_dots(w, begin, length, sums);
      in.images.add_dots(w, begin, length, sums + count);
      sums[count + images] = result.remainder.segment(begin, length).squaredNorm();
    });
    return sum_parts(parts);
  };
  Vector sums = subtract_and_look(result.coefficients);
  if (sums.head(count).norm() > kOrthogonal * std::sqrt(sums[count + images])) {
    const Vector second = sums.head(count);
    result.coefficients += second;
    sums = subtract_and_look(second);
  }
  const double length = std::sqrt(sums[count + images]);
  if (count >= in.basis.size() || !(length > kNegligible * u.norm())) return result;
  result.length = length;
  result.remainder /= length;
  result.known = sums.segment(count, images) / length;
  return result;
}

void DeferredMatrix::answer_known(const Space& out, const Vector& coefficients, VectorRef result) {
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
  draw_fresh(out);
  const Index seen = out.overlaps.size(), missing = out.basis.count() - seen;
  Vector overlaps(seen + missing);
  overlaps.head(seen) = out.overlaps;
  overlaps.tail(missing) = out.basis.dots(out.fresh, seen);
  const Vector correction = known_part(parts.known, overlaps);
  Vector y = std::move(out.fresh);
  out.fresh.resize(0);
  const Blocks rows = out.basis.blocks();
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
  Matrix G = gaussian_matrix(rest(), rows(), columns(), scale());
  const Matrix overlap = L.transpose() * G;
  G.noalias() += L * (Z.transpose() - overlap);
  const Matrix seen = Y - G * R;
  G.noalias() += seen * R.transpose();
  completed_ = G;
  columns_side_ = Space(columns(), stream_);
  rows_side_ = Space(rows(), stream_);
  return G;
}

std::optional<GaussianRecipe> DeferredMatrix::recipe() const {
  if (completed_.size() > 0 || left_rank() > 0) return std::nullopt;
  return GaussianRecipe{rest(), columns_side_.basis.matrix(), rows_side_.images.matrix()};
}

double DeferredMatrix::memory_bytes() const {
  return rows_side_.basis.memory_bytes() + rows_side_.images.memory_bytes() + columns_side_.basis.memory_bytes() +
         columns_side_.images.memory_bytes() +
         8.0 * static_cast<double>(completed_.size() + rows_side_.fresh.size() + columns_side_.fresh.size());
}

namespace {

constexpr Index kBlockRows = 2048;  // 16 KB a column: a block of some fifty columns stays in the second-level cache

using Segment = Eigen::Map<const Eigen::ArrayXd>;

}  // namespace

Matrix GrowingColumns::matrix() const {
  Matrix result(size_, count());
  for (Index c = 0; c < count(); ++c) result.col(c) = columns_[static_cast<size_t>(c)];
  return result;
}

Blocks GrowingColumns::blocks() const {
  return {size_, kBlockRows};
}

void GrowingColumns::add_dots(const double* v, Index begin, Index length, double* out) const {
  const Eigen::Map<const Vector> segment(v + begin, length);
  for (size_t c = 0; c < columns_.size(); ++c) out[c] += columns_[c].segment(begin, length).dot(segment);
}

void GrowingColumns::add_two_dots(const double* v, const double* w, Index begin, Index length, double* v_out,
                                  double* w_out) const {
  const Eigen::Map<const Vector> v_segment(v + begin, length), w_segment(w + begin, length);
  for (size_t c = 0; c < columns_.size(); ++c) {
    const auto column = columns_[c].segment(begin, length);
    v_out[c] += column.dot(v_segment);
    w_out[c] += column.dot(w_segment);
  }
}

// Four columns at a time, so that y is loaded and stored a quarter as often.
void GrowingColumns::add_combination(const Vector& c, double* y, Index begin, Index length) const {
  Eigen::Map<Eigen::ArrayXd> out(y + begin, length);
  const auto column = [&](Index k) { return Segment(columns_[static_cast<size_t>(k)].data() + begin, length); };
  Index k = 0;
  for (; k + 4 <= count(); k += 4)
    out += c[k] * column(k) + c[k + 1] * column(k + 1) + c[k + 2] * column(k + 2) + c[k + 3] * column(k + 3);
  for (; k < count(); ++k) out += c[k] * column(k);
}

Vector GrowingColumns::dots(ConstVectorRef v, Index first) const {
  const Blocks rows = blocks();
  Matrix parts = Matrix::Zero(rows.count(), count() - first);
  parallel_for(rows.count(), [&](Index b) {
    const auto segment = v.segment(rows.begin(b), rows.length(b));
    for (Index c = first; c < count(); ++c)
      parts(b, c - first) = columns_[static_cast<size_t>(c)].segment(rows.begin(b), rows.length(b)).dot(segment);
  });
  return sum_parts(parts);
}

Vector sum_parts(const Matrix& parts) {
  return parts.colwise().sum().transpose();
}

}  // namespace wordsway
