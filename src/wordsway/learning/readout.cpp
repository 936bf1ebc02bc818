#include "wordsway/learning/readout.h"

#include <limits>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/tall_products.h"
#include "wordsway/learning/feature_store.h"
#include "wordsway/learning/interpolator.h"

namespace wordsway {
namespace {

void check_others(Index samples, Index training) {
  if (training < 1 || training >= samples)
    throw DataError(fmt::format(
        "a readout needs samples to train on and others to ask about; got {} of {} for training", training, samples));
}

// Ridge regression for every penalty at once: the eigenvectors of the training kernel are shared.
class RidgeFits {
 public:
  // Trained on the first samples of K, as many as y has.
  RidgeFits(const Matrix& K, ConstVectorRef y) : mean_(y.mean()) {
    const Index N = y.size();
    const Vector to_training = K.leftCols(N).rowwise().mean();
    const double among_training = to_training.head(N).mean();
    // Centred with the mean of the training features.
    centred_ = K.leftCols(N);
    centred_.colwise() -= to_training;
    centred_.rowwise() -= to_training.head(N).transpose();
    centred_.array() += among_training;
    solver_.compute(centred_.topRows(N));
    along_ = solver_.eigenvectors().transpose() * Vector(y.array() - mean_);
    scale_ = solver_.eigenvalues().sum() / static_cast<double>(N);
  }

  // Predicts samples first, first + 1, …; the penalty is in units of the mean eigenvalue.
  Vector predict(Index first, Index count, double penalty) const {
    if (!(scale_ > 0)) return Vector::Constant(count, mean_);  // all features are the same
    const Vector shrunk = solver_.eigenvalues().cwiseMax(0.0).array() + penalty * scale_;
    const Vector alpha = solver_.eigenvectors() * along_.cwiseQuotient(shrunk);
    return (centred_.middleRows(first, count) * alpha).array() + mean_;
  }

 private:
  double mean_, scale_ = 0;
  Matrix centred_;  // [T, N]
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver_;
  Vector along_;
};

}  // namespace

Matrix kernel_of(const LearnerView& view) {
  check_features(view.sample());
  const Matrix phi = view.sample().features();
  const Eigen::Map<const Vector> flat(phi.data(), phi.size());
  const Index others = view.training_size();
  // One pass: nothing is worth keeping.
  const KernelParts parts = training_features(view, {.bytes = 0})->make_kernel(flat);
  Matrix K(others + 1, others + 1);
  K.topLeftCorner(others, others) = parts.K;
  K.col(others).head(others) = parts.Phi_phi;
  K.row(others).head(others) = parts.Phi_phi.transpose();
  K(others, others) = flat.squaredNorm();
  return K;
}

Matrix kernel_of(ConstMatrixRef Phi) {
  Matrix K = Matrix::Zero(Phi.rows(), Phi.rows());
  add_gram_lower(Phi, K);
  mirror_lower(K);
  return K;
}

Vector interpolate(const Matrix& K, ConstVectorRef y, Index features) {
  const Index N = y.size(), others = K.rows() - N;
  check_others(K.rows(), N);
  const Interpolator interpolator(K.topLeftCorner(N, N), features);
  return K.bottomLeftCorner(others, N) * interpolator.solve(y);
}

Vector ridge(const Matrix& K, ConstVectorRef y, Index group) {
  constexpr double kPenalties[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100};
  constexpr Index kParts = 5;
  const Index N = y.size();
  check_others(K.rows(), N);
  if (group < 1 || N % group != 0 || N < kParts * group)
    throw UsageError(
        fmt::format("ridge regression takes at least {} groups of {} samples; got {} samples", kParts, group, N));
  if (!K.allFinite()) throw DataError("the features of a linear readout are not finite");
  const Index kept = N / group / kParts * group, before = N - kept;
  const RidgeFits trial(K, y.head(before));
  double best = kPenalties[0], least = std::numeric_limits<double>::infinity();
  for (const double penalty : kPenalties) {
    const double error = (trial.predict(before, kept, penalty) - y.tail(kept)).squaredNorm();
    if (error < least) {
      least = error;
      best = penalty;
    }
  }
  return RidgeFits(K, y).predict(N, K.rows() - N, best);
}

}  // namespace wordsway
