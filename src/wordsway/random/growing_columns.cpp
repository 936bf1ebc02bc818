#include "wordsway/random/growing_columns.h"

namespace wordsway {
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
