#include "wordsway/learning/interpolator.h"

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "wordsway/core/error.h"
#include "wordsway/learning/condition.h"
#include "wordsway/random/gaussian.h"

namespace wordsway::test {
namespace {

// A kernel with these eigenvalues.
Matrix kernel_with(const Vector& eigenvalues) {
  const Index N = eigenvalues.size();
  const Matrix G = gaussian_matrix(Stream(3), N, N);
  const Eigen::MatrixXd Q = Eigen::HouseholderQR<Eigen::MatrixXd>(G).householderQ();
  return Q * eigenvalues.asDiagonal() * Q.transpose();
}

Vector geometric(Index N, double condition) {
  Vector values(N);
  for (Index k = 0; k < N; ++k)
    values[k] = 5 * std::pow(condition, -static_cast<double>(k) / static_cast<double>(N - 1));
  return values;
}

std::string message_of(const Matrix& K, Index p) {
  try {
    const Interpolator interpolator(K, p);
  } catch (const DataError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Interpolator, SolvesWithTheKernel) {
  const Matrix K = kernel_with(geometric(50, 1e6));
  const Vector b = gaussian_vector(Stream(4), 50);
  const Vector x = Interpolator(K, 1000).solve(b);
  EXPECT_LE((K * x - b).norm(), 1e-12 * K.norm() * x.norm());
}

TEST(Interpolator, ReportsTheConditionNumberUpToWhereRoundingHidesIt) {
  for (const double condition : {1.0, 1e3, 1e8, 1e10}) {
    const Interpolator interpolator(kernel_with(geometric(400, condition)), 1000);
    EXPECT_NEAR(interpolator.condition() / condition, 1, 1e-4 + 1e-15 * condition) << condition;
    EXPECT_TRUE(interpolator.warning().empty());
    EXPECT_EQ(interpolator.jitter(), 0);
  }
}

TEST(Interpolator, SaysSoWhenItAddsAJitter) {
  const Interpolator interpolator(kernel_with(geometric(30, 3e12)), 1000);
  EXPECT_GT(interpolator.jitter(), 0);
  EXPECT_NE(interpolator.warning().find("nearly singular"), std::string::npos);
  EXPECT_NEAR(interpolator.condition() / 3e12, 1, 0.1);
}

TEST(Interpolator, RefusesAnExactlySingularKernelWithAReason) {
  Matrix Phi = gaussian_matrix(Stream(5), 6, 20);
  Phi.row(4) = Phi.row(2);
  EXPECT_NE(message_of(Phi * Phi.transpose(), 20).find("samples 2 and 4 have the same features"), std::string::npos);
  Phi.row(4).setZero();
  EXPECT_NE(message_of(Phi * Phi.transpose(), 20).find("all features of sample 4 are 0"), std::string::npos);
  Phi.row(4) = Phi.row(1) + Phi.row(2);
  EXPECT_NE(message_of(Phi * Phi.transpose(), 20).find("linearly dependent"), std::string::npos);
  const Matrix tall = gaussian_matrix(Stream(6), 9, 4);
  EXPECT_NE(message_of(tall * tall.transpose(), 4).find("9 samples and only 4 features"), std::string::npos);
}

TEST(Interpolator, RefusesAKernelBeyondTheRangeOfADouble) {
  EXPECT_NE(message_of(1e-310 * Matrix::Identity(3, 3), 20).find("all features of sample 0 are 0"), std::string::npos);
  Matrix uneven = Matrix::Identity(3, 3);
  uneven(1, 1) = 1e-309;
  EXPECT_NE(message_of(uneven, 20).find("all features of sample 1 are 0"), std::string::npos);
  uneven(1, 1) = HUGE_VAL;
  EXPECT_NE(message_of(uneven, 20).find("not finite"), std::string::npos);
}

TEST(LargestEigenvalue, AgreesWithASmallDenseSolver) {
  for (const Index N : {1, 2, 17, 350}) {
    Vector values = Vector::LinSpaced(N, 0.1, 3);
    const Matrix K = kernel_with(values);
    EXPECT_NEAR(largest_eigenvalue(N, [&](const Vector& x) -> Vector { return K * x; }), values[N - 1], 1e-6) << N;
  }
}

}  // namespace
}  // namespace wordsway::test
