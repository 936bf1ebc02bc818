#include "wordsway/maps/random_features/features_functions.h"

#include <array>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway {

namespace {

constexpr Index kBlock = 4096;

using Values = Eigen::Map<Eigen::ArrayXd>;
using Inputs = Eigen::Map<const Eigen::ArrayXd>;

}  // namespace

void FeaturesFunction::lift(ConstVectorRef delta, VectorRef lifted) const {
  const Index d = blocks_.front()->columns();
  for (Index t = 0; t < blocks(); ++t)
    blocks_[static_cast<size_t>(t)]->apply(delta.segment(t * d, d), lifted.segment(t * width(), width()));
}

void FeaturesFunction::pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const {
  const Index d = blocks_.front()->columns();
  for (Index t = 0; t < blocks(); ++t)
    blocks_[static_cast<size_t>(t)]->apply_transpose(lifted_gradient.segment(t * width(), width()),
                                                     gradient.segment(t * d, d));
}

double FeaturesFunction::evaluate(ConstVectorRef lifted, Vector* lifted_gradient) const {
  const bool with_gradient = lifted_gradient != nullptr;
  Vector z = sample_->preactivation() + lifted.head(width()), features;
  for (Index t = 1; t < blocks(); ++t) z += lifted.segment(t * width(), width());
  std::vector<Vector> slopes;
  for (const auto& layer : sample_->map().deeper()) {
    features.resize(z.size());
    if (with_gradient) slopes.emplace_back(z.size());
    activate(activation(), z, features, with_gradient ? &slopes.back() : nullptr);
    layer->apply(features, z);
  }
  const double value = read_out(z, lifted_gradient);
  if (!with_gradient) return value;
  for (size_t l = slopes.size(); l-- > 0;) {
    sample_->map().deeper()[l]->apply_transpose(*lifted_gradient, z);
    *lifted_gradient = z.cwiseProduct(slopes[l]);
  }
  if (blocks() > 1) *lifted_gradient = Vector(lifted_gradient->replicate(blocks(), 1));
  return value;
}

// The last layer and what is read off it, block by block, so that features and slopes never leave the cache.
double FeaturesSum::read_out(const Vector& z, Vector* gradient) const {
  const Blocks blocks{z.size(), kBlock};
  if (gradient != nullptr) gradient->resize(z.size());
  Vector parts(blocks.count());
  parallel_for(blocks.count(), [&](Index b) {
    const Index begin = blocks.begin(b), size = blocks.length(b);
    std::array<double, kBlock> features, slopes;
    activation().evaluate(z.data() + begin, size, features.data(), gradient ? slopes.data() : nullptr);
    double* const derivatives = gradient ? gradient->data() + begin : nullptr;
    parts[b] = read(features.data(), begin, size, derivatives);
    if (derivatives != nullptr) Values(derivatives, size) *= Inputs(slopes.data(), size);
  });
  double value = 0;
  for (Index b = 0; b < parts.size(); ++b) value += parts[b];
  return value;
}

// One loop for both cases, with and without derivatives: two loops might round differently.
double FeaturesChange::read(const double* features, Index begin, Index size, double* derivatives) const {
  std::array<double, kBlock> room;
  Values difference(derivatives != nullptr ? derivatives : room.data(), size);
  difference = Inputs(features, size) - Inputs(sample_->features().data() + begin, size);
  const double value = difference.square().sum();
  if (derivatives != nullptr) difference *= 2;
  return value;
}

FeaturesInner::FeaturesInner(std::shared_ptr<const FeaturesState> sample, MovedBlocks blocks, const Matrix& psi)
    : FeaturesSum(std::move(sample), std::move(blocks)) {
  if (psi.rows() != width() || psi.cols() != 1)
    throw DataError(
        fmt::format("psi must have the features' shape {} x 1; got {} x {}", width(), psi.rows(), psi.cols()));
  psi_ = psi.col(0);
}

double FeaturesInner::read(const double* features, Index begin, Index size, double* derivatives) const {
  const Inputs weights(psi_.data() + begin, size);
  if (derivatives != nullptr) Values(derivatives, size) = weights;
  return (Inputs(features, size) * weights).sum();
}

FeaturesOuter::FeaturesOuter(std::shared_ptr<const FeaturesState> sample, MovedBlocks blocks, std::vector<Matrix> psis,
                             OuterFunction g)
    : FeaturesFunction(std::move(sample), std::move(blocks)), psis_(std::move(psis)), g_(std::move(g)) {
  check_outer(psis_, g_);
  for (const Matrix& psi : psis_)
    if (psi.rows() != width() || psi.cols() != 1)
      throw DataError(
          fmt::format("psi must have the features' shape {} x 1; got {} x {}", width(), psi.rows(), psi.cols()));
}

// The gradient holds the slopes until g's own gradient is known.
double FeaturesOuter::read_out(const Vector& z, Vector* gradient) const {
  const Index count = static_cast<Index>(psis_.size());
  const Blocks blocks{z.size(), kBlock};
  if (gradient != nullptr) gradient->resize(z.size());
  Matrix parts(blocks.count(), count);
  parallel_for(blocks.count(), [&](Index b) {
    const Index begin = blocks.begin(b), size = blocks.length(b);
    Vector features(size);
    activation().evaluate(z.data() + begin, size, features.data(), gradient ? gradient->data() + begin : nullptr);
    for (Index k = 0; k < count; ++k)
      parts(b, k) = psis_[static_cast<size_t>(k)].col(0).segment(begin, size).dot(features);
  });
  std::vector<double> values(psis_.size(), 0), by_value(gradient != nullptr ? psis_.size() : 0);
  for (Index b = 0; b < blocks.count(); ++b)
    for (Index k = 0; k < count; ++k) values[static_cast<size_t>(k)] += parts(b, k);
  const double value = g_(values, by_value);
  if (gradient == nullptr) return value;
  parallel_for(blocks.count(), [&](Index b) {
    const Index begin = blocks.begin(b), size = blocks.length(b);
    Vector weights = Vector::Zero(size);
    for (size_t k = 0; k < psis_.size(); ++k) weights += by_value[k] * psis_[k].col(0).segment(begin, size);
    gradient->segment(begin, size).array() *= weights.array();
  });
  return value;
}

}  // namespace wordsway
