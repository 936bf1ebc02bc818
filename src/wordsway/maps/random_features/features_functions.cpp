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

double FeaturesFunction::evaluate(ConstVectorRef lifted, Vector* lifted_gradient) const {
  const bool with_gradient = lifted_gradient != nullptr;
  Vector z = view_.sample().preactivation() + lifted, features;
  std::vector<Vector> slopes;
  for (const auto& layer : map_.deeper()) {
    features.resize(z.size());
    if (with_gradient) slopes.emplace_back(z.size());
    activate(map_.activation(), z, features, with_gradient ? &slopes.back() : nullptr);
    layer->apply(features, z);
  }
  const double value = read_out(z, lifted_gradient);
  if (!with_gradient) return value;
  for (size_t l = slopes.size(); l-- > 0;) {
    map_.deeper()[l]->apply_transpose(*lifted_gradient, z);
    *lifted_gradient = z.cwiseProduct(slopes[l]);
  }
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

double FeaturesChange::read(const double* features, Index begin, Index size, double* derivatives) const {
  const Inputs before(view_.sample().features().data() + begin, size), after(features, size);
  if (derivatives == nullptr) return (after - before).square().sum();
  Values difference(derivatives, size);
  difference = after - before;
  const double value = difference.square().sum();
  difference *= 2;
  return value;
}

FeaturesInner::FeaturesInner(const FeaturesView& view, const Matrix& psi) : FeaturesSum(view) {
  if (psi.rows() != lifted_size() || psi.cols() != 1)
    throw DataError(
        fmt::format("psi must have the features' shape {} x 1; got {} x {}", lifted_size(), psi.rows(), psi.cols()));
  psi_ = psi.col(0);
}

double FeaturesInner::read(const double* features, Index begin, Index size, double* derivatives) const {
  const Inputs weights(psi_.data() + begin, size);
  if (derivatives != nullptr) Values(derivatives, size) = weights;
  return (Inputs(features, size) * weights).sum();
}

}  // namespace wordsway
