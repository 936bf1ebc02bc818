#include "wordsway/maps/attention/normaliser.h"

#include <algorithm>
#include <cmath>

namespace wordsway {
namespace {

// Whether the squares of all nonzero sums are normal numbers.
bool squares_fit(const Eigen::ArrayXd& sums) {
  return !((sums > 1e150) || (sums > 0 && sums < 1e-150)).any();
}

}  // namespace

double WeightNormaliser::row(ConstArrayRef scores, ArrayRef weights, ArrayRef* slopes) const {
  apply(scores, weights, slopes);
  const double mass = weights.sum();
  const double scale = mass > 0 ? 1 / mass : 0;
  weights *= scale;
  if (slopes != nullptr) *slopes *= scale;
  return mass;
}

void WeightNormaliser::against(ConstArrayRef scores, ConstArrayRef masses, ArrayRef weights, ArrayRef* slopes) const {
  apply(scores, weights, slopes);
  if (slopes != nullptr) {
    // d/ds f/(E + f) = f' E/(E + f)², or 0 if there is no mass.
    const Eigen::ArrayXd total = masses + weights;
    if (squares_fit(total)) {
      *slopes = (total > 0).select(*slopes * masses / total.square(), 0.0);
    } else {
      *slopes = (total > 0).select((*slopes / total) * (masses / total), 0.0);
    }
  }
  weights = (weights > 0).select(weights / (masses + weights), 0.0);
}

double WeightNormaliser::weight_in(double mass, double score) const {
  return mass > 0 ? apply_one(score) / mass : 0;
}

double WeightNormaliser::mass_without(double mass, double score, double /*weight*/) const {
  return std::max(0.0, mass - apply_one(score));
}

std::pair<double, double> WeightNormaliser::range(double low, double high) const {
  return std::minmax({apply_one(low), apply_one(high)});
}

// Returns 1 if the part alone exceeds the range of a double.
double WeightNormaliser::share(double part, double rest) const {
  if (std::isinf(part)) return 1;
  return part > 0 ? part / (rest + part) : 0;
}

std::pair<double, double> WeightNormaliser::weight_range(double low, double high, double mass) const {
  const auto [smallest, largest] = range(low, high);
  return {share(smallest, mass), share(largest, mass)};
}

double WeightNormaliser::apply_one(double score) const {
  Eigen::Array<double, 1, 1> in(score), out;
  apply(in, out, nullptr);
  return out[0];
}

}  // namespace wordsway
