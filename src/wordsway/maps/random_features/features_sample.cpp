#include "wordsway/maps/random_features/features_sample.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/maps/random_features/features_functions.h"
#include "wordsway/random/gaussian_matrix.h"

namespace wordsway {
namespace {

// Every iteration of a search leaves vectors of the width behind in every deferred matrix, so the larger the token's
// block the earlier it stops, and wide features get fewer starts. What that costs: docs/theory_random_features.md.
constexpr double kLooseTolerance = 2e-4, kLooserADeeperLayer = 3e-4;
constexpr double kLargeBlock = 1 << 22;  // entries from which on the tolerance is the loose one
constexpr Index kWide = 16384;
constexpr int kWideStarts = 2;

constexpr double kFailureProbability = 1e-9;  // of all tail bounds together

// ‖V_l‖_F, or what is expected of it where the entries do not exist.
double frobenius_norm(const GaussianMatrix& matrix) {
  if (const auto* dense = dynamic_cast<const DenseMatrix*>(&matrix)) return dense->entries().norm();
  return matrix.scale() * std::sqrt(static_cast<double>(matrix.rows()) * static_cast<double>(matrix.columns()));
}

// How much of the terms that a layer sums is left in its pre-activations z, of which only those count whose activation
// is not 0. For Gaussian weights that is about 1/√columns.
double surviving_share(const Vector& z, const Vector& activated, double terms) {
  return (activated.array() != 0).select(z.array(), 0.0).matrix().norm() / terms;
}

}  // namespace

FeaturesState::FeaturesState(RandomFeatures map, const Matrix& X) : map_(std::move(map)), X_(X) {
  check_sample(X, {map_.first().n(), map_.first().d()});
  z_ = map_.first().image(X);
  Vector values(z_.size());
  activate(map_.activation(), z_, values, nullptr);
  double least = surviving_share(z_, values, map_.first().norm() * X.norm());
  Vector z(z_.size());
  for (const auto& layer : map_.deeper()) {
    const double terms = frobenius_norm(*layer) * values.norm();
    layer->apply(values, z);
    activate(map_.activation(), z, values, nullptr);
    least = std::min(least, surviving_share(z, values, terms));
  }
  features_ = values;
  noise_norm_ = kNoiseShare * features_.norm() / least;
}

std::unique_ptr<TokenView> FeaturesSample::token(Index i) const {
  return std::make_unique<FeaturesView>(state_, i);
}

FeaturesView::FeaturesView(std::shared_ptr<const FeaturesState> sample, Index i) : sample_(std::move(sample)), i_(i) {
  const Index n = sample_->map().first().n();
  if (i < 0 || i >= n)
    throw UsageError(fmt::format("token {} is out of range; the sample has tokens 0 to {}", i, n - 1));
  block_ = sample_->map().first().block(i);
}

std::unique_ptr<LiftedFunction> FeaturesView::change() const {
  return std::make_unique<FeaturesChange>(sample_, block_);
}

std::unique_ptr<LiftedFunction> FeaturesView::inner(const Matrix& psi) const {
  return std::make_unique<FeaturesInner>(sample_, block_, psi);
}

std::unique_ptr<LiftedFunction> FeaturesView::outer(std::vector<Matrix> psis, OuterFunction g) const {
  return std::make_unique<FeaturesOuter>(sample_, block_, std::move(psis), std::move(g));
}

// Along the token itself: its image is known, so a deferred matrix is asked one question less.
std::vector<Vector> FeaturesView::starts() const {
  const Vector x = sample_->X().row(i_).transpose();
  return {x, -x};
}

SearchAdvice FeaturesView::advice() const {
  SearchAdvice advice;
  if (concurrent()) return advice;
  const double entries = static_cast<double>(block_->rows()) * static_cast<double>(block_->columns());
  const double loose = kLooseTolerance + kLooserADeeperLayer * static_cast<double>(sample_->map().deeper().size());
  advice.tolerance = std::max(advice.tolerance, loose * std::min(1.0, entries / kLargeBlock));
  if (block_->rows() > kWide) advice.starts = kWideStarts;
  return advice;
}

std::optional<UpperBound> FeaturesView::upper_bound(double radius) const {
  const double each = kFailureProbability / static_cast<double>(sample_->map().deeper().size() + 1);
  const UpperBound first = operator_norm_bound(*block_, each), deeper = sample_->map().deeper_stretch(each);
  return UpperBound{first.change * deeper.change * radius, first.failure_probability + deeper.failure_probability};
}

}  // namespace wordsway
