#include "wordsway/ascent/quasi_newton.h"

#include <vector>

namespace wordsway {

Vector QuasiNewton::direction(const Vector& gradient) const {
  Vector result = gradient;
  std::vector<double> alphas(pairs_.size());
  for (size_t k = pairs_.size(); k-- > 0;) {
    alphas[k] = pairs_[k].step.dot(result) / pairs_[k].curvature;
    result += alphas[k] * pairs_[k].change;
  }
  if (!pairs_.empty()) result *= pairs_.back().curvature / pairs_.back().change.squaredNorm();
  for (size_t k = 0; k < pairs_.size(); ++k) {
    const double beta = -pairs_[k].change.dot(result) / pairs_[k].curvature;
    result += (alphas[k] - beta) * pairs_[k].step;
  }
  return result;
}

void QuasiNewton::learn(const Vector& step, const Vector& gradient_change) {
  const double curvature = -step.dot(gradient_change);
  if (!(curvature > 1e-12 * step.norm() * gradient_change.norm())) return;
  pairs_.push_back({step, gradient_change, curvature});
  if (pairs_.size() > memory_) pairs_.pop_front();
}

}  // namespace wordsway
