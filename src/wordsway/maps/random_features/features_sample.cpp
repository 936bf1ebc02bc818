#include "wordsway/maps/random_features/features_sample.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/maps/random_features/features_functions.h"
#include "wordsway/random/gaussian_matrix.h"

namespace wordsway {
namespace {

// Every iteration of a search adds vectors of the width to every deferred matrix. So searches stop earlier the larger
// the token's block is, and wide features get fewer starts. docs/theory_random_features.md says what that costs.
constexpr double kLooseTolerance = 2e-4, kLooserADeeperLayer = 3e-4;
constexpr double kLargeBlock = 1 << 22;  // entries above which the loose tolerance applies
constexpr Index kWide = 16384;
constexpr int kWideStarts = 2;

constexpr double kFailureProbability = 1e-9;  // of all tail bounds together

// ‖V_l‖_F, or what is expected of it where the entries do not exist.
double frobenius_norm(const GaussianMatrix& matrix) {
  if (const auto* dense = dynamic_cast<const DenseMatrix*>(&matrix)) return dense->entries().norm();
  return matrix.scale() * std::sqrt(static_cast<double>(matrix.rows()) * static_cast<double>(matrix.columns()));
}

// The share of a layer's summed terms that is left in its pre-activations z, counting those whose activation is not 0.
// For Gaussian weights it is about 1/√columns.
double surviving_share(const Vector& z, const Vector& activated, double terms) {
  return (activated.array() != 0).select(z.array(), 0.0).matrix().norm() / terms;
}

const Matrix& checked(const RandomFeatures& map, const Matrix& X) {
  check_sample(X, {map.first().n(), map.first().d()});
  return X;
}

}  // namespace

FeaturesState::FeaturesState(RandomFeatures map, const Matrix& X)
    : FeaturesState(map, X, map.first().image(checked(map, X))) {}

FeaturesState::FeaturesState(RandomFeatures map, const Matrix& X, Vector preactivation,
                             const std::vector<Vector>& deeper)
    : map_(std::move(map)), X_(X), z_(std::move(preactivation)) {
  Vector values(z_.size());
  activate(map_.activation(), z_, values, nullptr);
  double least = surviving_share(z_, values, map_.first().norm() * X.norm());
  Vector z(z_.size());
  for (size_t l = 0; l < map_.deeper().size(); ++l) {
    GaussianMatrix& layer = *map_.deeper()[l];
    const double terms = frobenius_norm(layer) * values.norm();
    if (deeper.empty()) {
      layer.apply(values, z);
    } else {
      z = deeper[l];
    }
    activate(map_.activation(), z, values, nullptr);
    least = std::min(least, surviving_share(z, values, terms));
  }
  features_ = values;
  noise_norm_ = kNoiseShare * features_.norm() / least;
}

std::unique_ptr<TokenView> FeaturesSample::token(Index i) const {
  return std::make_unique<FeaturesView>(state_, std::vector{i});
}

std::unique_ptr<TokenView> FeaturesSample::tokens(std::span<const Index> moved) const {
  return std::make_unique<FeaturesView>(state_, std::vector(moved.begin(), moved.end()));
}

FeaturesView::FeaturesView(std::shared_ptr<const FeaturesState> sample, std::vector<Index> tokens)
    : sample_(std::move(sample)), tokens_(std::move(tokens)) {
  check_tokens(tokens_, sample_->map().first().n());
  for (const Index token : tokens_) blocks_.push_back(sample_->map().first().block(token));
}

std::unique_ptr<LiftedFunction> FeaturesView::change() const {
  return std::make_unique<FeaturesChange>(sample_, blocks_);
}

std::unique_ptr<LiftedFunction> FeaturesView::inner(const Matrix& psi) const {
  return std::make_unique<FeaturesInner>(sample_, blocks_, psi);
}

std::unique_ptr<LiftedFunction> FeaturesView::outer(std::vector<Matrix> psis, OuterFunction g) const {
  return std::make_unique<FeaturesOuter>(sample_, blocks_, std::move(psis), std::move(g));
}

// Starts along the tokens themselves: their images are known, so a deferred matrix is asked one question less.
std::vector<Vector> FeaturesView::starts() const {
  const Index d = sample_->X().cols();
  Vector x(static_cast<Index>(tokens_.size()) * d);
  for (size_t t = 0; t < tokens_.size(); ++t)
    x.segment(static_cast<Index>(t) * d, d) = sample_->X().row(tokens_[t]).transpose();
  return {x, -x};
}

bool FeaturesView::concurrent() const {
  return std::ranges::all_of(blocks_, [](const auto& block) { return block->concurrent(); }) &&
         sample_->map().deeper_concurrent();
}

SearchAdvice FeaturesView::advice() const {
  SearchAdvice advice;
  if (concurrent()) return advice;
  const Index width = blocks_.front()->rows();
  const double entries = static_cast<double>(width) * static_cast<double>(blocks_.front()->columns()) *
                         static_cast<double>(blocks_.size());
  const double loose = kLooseTolerance + kLooserADeeperLayer * static_cast<double>(sample_->map().deeper().size());
  advice.tolerance = std::max(advice.tolerance, loose * std::min(1.0, entries / kLargeBlock));
  if (width > kWide) advice.starts = kWideStarts;
  return advice;
}

// ‖[V_t …]‖ of all blocks side by side: ‖Σ_t V_t Δ_t‖ is at most that times ‖(Δ_t …)‖ ≤ √M·ρ. Where the blocks exist,
// as many as are certified in a moment are taken together; squares of the parts' norms add up.
UpperBound FeaturesView::first_norm(double failure_probability) const {
  constexpr Index kMostColumns = 512;
  const GaussianMatrix& one = *blocks_.front();
  const Index count = static_cast<Index>(blocks_.size()), k = one.rows(), d = one.columns();
  if (count == 1) return operator_norm_bound(one, failure_probability);
  if (!one.norm_bound()) return gaussian_norm_bound(k, count * d, one.scale(), failure_probability);
  const Index together = std::max<Index>(1, kMostColumns / d);
  double squared = 0;
  for (Index first = 0; first < count; first += together) {
    const Index length = std::min(together, count - first);
    Matrix part(k, length * d);
    for (Index t = 0; t < length; ++t) part.middleCols(t * d, d) = blocks_[static_cast<size_t>(first + t)]->complete();
    squared += std::pow(*DenseMatrix(std::move(part)).norm_bound(), 2);
  }
  return {std::sqrt(squared), 0};
}

std::optional<UpperBound> FeaturesView::upper_bound(double radius) const {
  const double each = kFailureProbability / static_cast<double>(sample_->map().deeper().size() + 1);
  const UpperBound first = first_norm(each), deeper = sample_->map().deeper_stretch(each);
  const double reach = radius * std::sqrt(static_cast<double>(tokens_.size()));
  return UpperBound{first.change * deeper.change * reach, first.failure_probability + deeper.failure_probability};
}

}  // namespace wordsway
