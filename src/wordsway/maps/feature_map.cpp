#include "wordsway/maps/feature_map.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway {
namespace {

// g of several lifted functions side by side: in every block, their images one after the other.
class OuterOfInners final : public LiftedFunction {
 public:
  OuterOfInners(std::vector<std::unique_ptr<LiftedFunction>> inners, OuterFunction g)
      : inners_(std::move(inners)), g_(std::move(g)) {
    for (const auto& inner : inners_) size_ += inner->lifted_size();
  }

  Index dimension() const override { return inners_.front()->dimension(); }
  Index lifted_size() const override { return size_; }
  Index blocks() const override { return inners_.front()->blocks(); }

  void lift(ConstVectorRef delta, VectorRef lifted) const override {
    Index at = 0;
    for (const auto& inner : inners_) {
      Vector image(inner->lifted_size());
      inner->lift(delta, image);
      put(image, at, lifted);
    }
  }

  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override {
    gradient.setZero();
    Vector part(dimension());
    Index at = 0;
    for (const auto& inner : inners_) {
      inner->pull_back(take(lifted_gradient, at, inner->lifted_size()), part);
      gradient += part;
    }
  }

  double evaluate(ConstVectorRef lifted, Vector* lifted_gradient) const override {
    const size_t count = inners_.size();
    std::vector<double> values(count), by_value(lifted_gradient != nullptr ? count : 0);
    std::vector<Vector> gradients(by_value.size());
    Index at = 0;
    for (size_t k = 0; k < count; ++k) {
      const Vector image = take(lifted, at, inners_[k]->lifted_size());
      values[k] = inners_[k]->evaluate(image, by_value.empty() ? nullptr : &gradients[k]);
    }
    const double value = g_(values, by_value);
    if (lifted_gradient == nullptr) return value;
    lifted_gradient->resize(size_);
    at = 0;
    for (size_t k = 0; k < count; ++k) put(by_value[k] * gradients[k], at, *lifted_gradient);
    return value;
  }

 private:
  // Puts the image of one function among those of all, starting at column `at` of the blocks, and advances `at`.
  void put(const Vector& image, Index& at, VectorRef all) const {
    const Index width = image.size() / blocks(), stride = size_ / blocks();
    for (Index t = 0; t < blocks(); ++t) all.segment(t * stride + at, width) = image.segment(t * width, width);
    at += width;
  }
  Vector take(ConstVectorRef all, Index& at, Index size) const {
    const Index width = size / blocks(), stride = size_ / blocks();
    Vector image(size);
    for (Index t = 0; t < blocks(); ++t) image.segment(t * width, width) = all.segment(t * stride + at, width);
    at += width;
    return image;
  }

  std::vector<std::unique_ptr<LiftedFunction>> inners_;
  OuterFunction g_;
  Index size_ = 0;
};

}  // namespace

OuterFunction identity_outer() {
  return [](std::span<const double> values, std::span<double> gradient) {
    if (!gradient.empty()) gradient[0] = 1;
    return values[0];
  };
}

std::unique_ptr<LiftedFunction> TokenView::outer(std::vector<Matrix> psis, OuterFunction g) const {
  check_outer(psis, g);
  std::vector<std::unique_ptr<LiftedFunction>> inners;
  inners.reserve(psis.size());
  for (const Matrix& psi : psis) inners.push_back(inner(psi));
  return std::make_unique<OuterOfInners>(std::move(inners), std::move(g));
}

std::unique_ptr<TokenView> MappedSample::tokens(std::span<const Index> moved) const {
  if (moved.size() == 1) return token(moved.front());
  check_tokens(moved, X().rows());
  throw UsageError("this map can move one token at a time only");
}

void check_tokens(std::span<const Index> moved, Index n) {
  if (moved.empty()) throw UsageError("there is no token to move");
  std::vector<bool> seen(static_cast<size_t>(n), false);
  for (const Index token : moved) {
    if (token < 0 || token >= n)
      throw UsageError(fmt::format("token {} is out of range; the sample has tokens 0 to {}", token, n - 1));
    if (seen[static_cast<size_t>(token)]) throw UsageError(fmt::format("token {} cannot move twice", token));
    seen[static_cast<size_t>(token)] = true;
  }
}

// Below this norm, squares of differences are no longer normal numbers.
constexpr double kSmallestNorm = 1e-150;

void check_features(const MappedSample& sample) {
  const double norm = sample.feature_norm();
  if (!std::isfinite(norm))
    throw DataError(
        "the features of this sample are not finite or too large for a double, so a relative change has no meaning; "
        "scale the tokens or the weights down");
  if (!(norm > kSmallestNorm))
    throw DataError(fmt::format(
        "the features of this sample vanish (their norm is {:.2g}), so a relative change has no meaning", norm));
  if (!(norm > sample.noise_norm()))
    throw DataError(
        fmt::format("the features of this sample cancel to rounding noise (their norm is {:.2g}; below {:.2g} rounding "
                    "decides it), so a relative change has no meaning",
                    norm, sample.noise_norm()));
}

void check_radius(const MappedSample& sample, double radius) {
  if (!(radius >= 0) || !std::isfinite(radius))
    throw UsageError(fmt::format("the radius must be a number not below 0; got {}", radius));
  const MoveRange range = sample.move_range();
  if (radius > range.longest)
    throw UsageError(
        fmt::format("the radius must be at most {:.4g} for this sample; got {:.4g}", range.longest, radius));
  if (radius > 0 && radius < range.shortest)
    throw UsageError(
        fmt::format("the radius must be 0 or at least {:.4g} for this sample, below which a move is lost in rounding; "
                    "got {:.4g}",
                    range.shortest, radius));
}

void check_entries(ConstMatrixRef X, const char* what, double limit) {
  // x·0 is 0 unless x is not finite. Eigen's allFinite looks at one number after the other: 20 times slower.
  if (!((X.array() * 0.0).sum() == 0)) throw DataError(fmt::format("{} contains a value that is not finite", what));
  if (X.size() == 0) return;
  const double largest = X.cwiseAbs().maxCoeff();
  if (largest > limit)
    throw DataError(fmt::format("the entries of {} must lie between -{:.0e} and {:.0e}; got one of size {:.4g}", what,
                                limit, limit, largest));
}

void check_sample(const Matrix& X, SampleShape expected) {
  if (X.rows() == 0) throw DataError("a sample needs at least one token; got none");
  if (X.cols() != expected.d)
    throw DataError(fmt::format("the weights expect tokens of {} coordinates; got {}", expected.d, X.cols()));
  if (expected.n && X.rows() != *expected.n)
    throw DataError(fmt::format("the weights expect a sample of {} tokens; got {}", *expected.n, X.rows()));
  check_entries(X, "the sample");
}

void check_outer(const std::vector<Matrix>& psis, const OuterFunction& g) {
  if (psis.empty()) throw UsageError("a function of inner products needs at least one psi; got none");
  if (!g) throw UsageError("a function of inner products needs g; got none");
}

void check_rows(FeatureTable features, Index first, Index count, const MatrixRef& out) {
  if (first < 0 || count < 0 || first > features.rows - count)
    throw UsageError(fmt::format("rows {} to {} of the features do not exist; there are rows 0 to {}", first,
                                 first + count - 1, features.rows - 1));
  if (out.rows() != features.samples || out.cols() != count * features.columns)
    throw DataError(fmt::format("the features asked for are {} x {}; got room for {} x {}", features.samples,
                                count * features.columns, out.rows(), out.cols()));
}

void FeatureMap::feature_rows(ConstMatrixRef samples, Index n, Index first, Index count, MatrixRef out) const {
  if (n < 1 || samples.cols() % n != 0)
    throw DataError(
        fmt::format("samples of {} tokens must have a multiple of as many numbers; got {}", n, samples.cols()));
  const Index d = samples.cols() / n;
  parallel_for(samples.rows(), [&](Index s) {
    const Matrix X = Eigen::Map<const Matrix>(samples.row(s).data(), n, d);
    const auto sample = at(X);
    const Matrix& features = sample->features();
    check_rows({samples.rows(), features.rows(), features.cols()}, first, count, out);
    const auto rows = features.middleRows(first, count);
    Eigen::Map<Matrix>(out.row(s).data(), count, rows.cols()) = rows;
  });
}

}  // namespace wordsway
