#include "wordsway/maps/random_features/features_outer.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway {
namespace {

constexpr Index kBlock = 4096;

}  // namespace

FeaturesOuter::FeaturesOuter(const FeaturesView& view, std::vector<Matrix> psis, OuterFunction g)
    : FeaturesFunction(view), psis_(std::move(psis)), g_(std::move(g)) {
  for (const Matrix& psi : psis_)
    if (psi.rows() != lifted_size() || psi.cols() != 1)
      throw DataError(
          fmt::format("psi must have the features' shape {} x 1; got {} x {}", lifted_size(), psi.rows(), psi.cols()));
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
