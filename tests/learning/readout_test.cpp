// Linear readouts against their formulas, on features that are there and through a map.
#include "wordsway/learning/readout.h"

#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <gtest/gtest.h>

#include "support/matrices.h"
#include "wordsway/core/error.h"
#include "wordsway/maps/map_registry.h"

namespace wordsway {
namespace {

Matrix random_features(Index rows, Index columns, unsigned seed) {
  return test::random_matrix(rows, columns, seed).cast<double>();
}

TEST(Readout, TheInterpolatorMeetsItsLabelsWithTheLeastNorm) {
  const Matrix Phi = random_features(12, 40, 1);
  const Vector y = random_features(9, 1, 2).col(0).array().sign();
  const Eigen::MatrixXd training = Phi.topRows(9);
  const Vector theta = training.completeOrthogonalDecomposition().solve(y);  // the least-norm solution
  EXPECT_LT((interpolate(kernel_of(Phi), y, 40) - Phi.bottomRows(3) * theta).norm(), 1e-10);
}

TEST(Readout, TheKernelOfAMapIsThatOfItsFeatures) {
  const Index n = 5, d = 8;
  const Matrix training = random_features(6, n * d, 3), X = random_features(n, d, 4);
  for (const char* name : {"raf", "raf-relu", "rf"}) {
    const MapEntry& entry = map_registry().get(name);
    MapOptions options;
    options.n = n;
    options.d = d;
    const auto view = draw_learner_view(entry, options, Stream(7), {training, X, 0});
    const Matrix phi = view->sample().features();
    Matrix all(7, phi.size());
    view->training_rows(0, phi.rows(), all.topRows(6));
    all.row(6) = Eigen::Map<const Eigen::RowVectorXd>(phi.data(), phi.size());
    EXPECT_LT((kernel_of(*view) - all * all.transpose()).norm(), 1e-10 * all.squaredNorm()) << name;
    EXPECT_LT((kernel_of(all) - all * all.transpose()).norm(), 1e-10 * all.squaredNorm()) << name;
  }
}

TEST(Readout, RidgeFindsALinearRuleThroughNoiseAndAnOffset) {
  const Index N = 200, others = 100, p = 20;
  Matrix Phi = random_features(N + others, p, 5);
  Phi.array() += 3;
  Vector y = ((Phi.col(2) - Phi.col(7)).array()).sign();
  const Vector outputs = ridge(kernel_of(Phi), y.head(N), 2);
  Index right = 0;
  for (Index k = 0; k < others; ++k) right += outputs[k] * y[N + k] > 0 ? 1 : 0;
  EXPECT_GT(right, 85);
}

// θ = (Φ̄ᵀΦ̄ + λ)⁻¹ Φ̄ᵀȳ with the penalty that the readout takes from its list, whichever it is.
TEST(Readout, RidgeIsItsFormulaForOneOfThePenalties) {
  const Index N = 60, p = 8;
  const Matrix Phi = random_features(N + 5, p, 9);
  const Vector y = (Phi.col(0).head(N) + 0.7 * random_features(N, 1, 10).col(0)).array().sign();
  const Matrix centred = Phi.rowwise() - Phi.topRows(N).colwise().mean();
  const Eigen::MatrixXd covariance = centred.topRows(N).transpose() * centred.topRows(N);
  const Vector along = centred.topRows(N).transpose() * Vector(y.array() - y.mean());
  const Vector found = ridge(kernel_of(Phi), y, 2);
  double least = HUGE_VAL;
  for (const double penalty : {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1., 10., 100.}) {
    Eigen::MatrixXd shifted = covariance;
    shifted.diagonal().array() += penalty * covariance.trace() / static_cast<double>(N);
    const Vector outputs = (centred.bottomRows(5) * shifted.ldlt().solve(along)).array() + y.mean();
    least = std::min(least, (outputs - found).norm());
  }
  EXPECT_LT(least, 1e-8);
}

TEST(Readout, RidgeSaysTheMeanWhereAllFeaturesAreTheSame) {
  EXPECT_EQ(ridge(Matrix::Constant(12, 12, 4), Vector::Ones(10)), Vector::Ones(2));
}

TEST(Readout, RefusesWhatItCannotLearnFrom) {
  const Matrix Phi = random_features(12, 40, 1);
  EXPECT_THROW(interpolate(kernel_of(Phi), Vector::Ones(12), 40), DataError) << "nobody to ask about";
  EXPECT_THROW(ridge(kernel_of(Phi), Vector::Ones(4)), UsageError) << "fewer than five";
  EXPECT_THROW(ridge(kernel_of(Phi), Vector::Ones(11), 2), UsageError) << "half a group";
  Matrix broken = Phi;
  broken(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(ridge(kernel_of(broken), Vector::Ones(10), 2), DataError);
}

}  // namespace
}  // namespace wordsway
