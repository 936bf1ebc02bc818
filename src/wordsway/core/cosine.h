#pragma once

#include <algorithm>

#include "wordsway/core/matrix.h"

namespace wordsway {

/// The cosine of two vectors, from −1 to 1; 0 if one of them is 0.
template <typename A, typename B>
double cosine_of(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b) {
  const Eigen::RowVectorXd x = a.template cast<double>(), y = b.template cast<double>();
  const double norms = x.norm() * y.norm();
  return norms > 0 ? std::clamp(x.dot(y) / norms, -1.0, 1.0) : 0;
}

}  // namespace wordsway
