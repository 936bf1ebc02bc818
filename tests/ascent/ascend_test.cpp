#include "wordsway/ascent/ascend.h"

#include <cmath>

#include <gtest/gtest.h>

#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

// f(Δ) = Δᵀ Q Δ + b·Δ, lifted by the identity.
class Quadratic final : public LiftedFunction {
 public:
  Quadratic(Matrix Q, Vector b) : Q_(std::move(Q)), b_(std::move(b)) {}
  Index dimension() const override { return b_.size(); }
  Index lifted_size() const override { return b_.size(); }
  void lift(ConstVectorRef delta, VectorRef lifted) const override { lifted = delta; }
  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override { gradient = lifted_gradient; }
  double evaluate(ConstVectorRef x, Vector* gradient) const override {
    if (gradient != nullptr) *gradient = 2 * Q_ * x + b_;
    return x.dot(Q_ * x) + b_.dot(x);
  }

 private:
  Matrix Q_;
  Vector b_;
};

TEST(Ascend, FindsTheTopEigenvectorOfAQuadratic) {
  Matrix Q = Matrix::Zero(30, 30);
  for (Index k = 0; k < 30; ++k) Q(k, k) = static_cast<double>(k);
  const Quadratic f(Q, Vector::Zero(30));
  const auto result = ascend(f, gaussian_vector(Stream(1), 30), {.radius = 2, .tolerance = 1e-12});
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(result.value, 4 * 29, 1e-6);
  EXPECT_NEAR(std::abs(result.delta[29]), 2, 1e-4);
  EXPECT_LT(result.iterations, 60);
}

TEST(Ascend, FindsAnInteriorMaximum) {
  const Vector b = Vector::Constant(5, 0.2);
  const Quadratic f(-Matrix::Identity(5, 5), b);  // top at b/2, well inside
  const auto result = ascend(f, Vector::Unit(5, 0), {.radius = 3, .tolerance = 1e-13});
  EXPECT_NEAR(result.value, b.squaredNorm() / 4, 1e-9);
  EXPECT_LT((result.delta - b / 2).norm(), 1e-4);
}

TEST(Ascend, StaysInTheBall) {
  const Quadratic f(Matrix::Identity(4, 4), Vector::Ones(4));
  const auto result = ascend(f, gaussian_vector(Stream(2), 4), {.radius = 1.5});
  EXPECT_LE(result.delta.norm(), 1.5 * (1 + 1e-15));
  EXPECT_NEAR(result.value, 1.5 * 1.5 + 1.5 * 2, 1e-6);
}

TEST(Ascend, NeverEndsBelowItsStart) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix G = gaussian_matrix(Stream(seed), 8, 8);
    const Quadratic f(G + G.transpose(), gaussian_vector(Stream(seed + 100), 8));
    Vector start = gaussian_vector(Stream(seed + 200), 8);
    start *= 2 / start.norm();
    EXPECT_GE(ascend(f, start, {.radius = 2, .max_iterations = 3}).value, f(start) - 1e-12);
  }
}

TEST(Ascend, SaysSoWhenItRunsOutOfSteps) {
  const Matrix G = gaussian_matrix(Stream(5), 40, 40);
  const Quadratic f(G + G.transpose(), Vector::Zero(40));
  EXPECT_FALSE(ascend(f, gaussian_vector(Stream(6), 40), {.radius = 1, .max_iterations = 2}).converged);
}

TEST(Ascend, HandlesARadiusOfZeroAndAZeroStart) {
  const Quadratic f(Matrix::Identity(3, 3), Vector::Ones(3));
  EXPECT_EQ(ascend(f, Vector::Ones(3), {.radius = 0}).value, 0);
  EXPECT_NEAR(ascend(f, Vector::Zero(3), {.radius = 1}).value, 1 + std::sqrt(3), 1e-6);
}

class NeverFinite final : public LiftedFunction {
 public:
  Index dimension() const override { return 2; }
  Index lifted_size() const override { return 2; }
  void lift(ConstVectorRef delta, VectorRef lifted) const override { lifted = delta; }
  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override { gradient = lifted_gradient; }
  double evaluate(ConstVectorRef, Vector* gradient) const override {
    if (gradient != nullptr) *gradient = Vector::Constant(2, std::nan(""));
    return std::nan("");
  }
};

TEST(Ascend, ReportsValuesThatAreNotFinite) {
  EXPECT_FALSE(ascend(NeverFinite(), Vector::Ones(2), {.radius = 1}).converged);
}

TEST(AscendFrom, LeavesAnInnerPointForTheTop) {
  const Quadratic f(-Matrix::Identity(5, 5), Vector::Unit(5, 2));
  const auto result = ascend_from(f, Vector::Zero(5), {.radius = 2, .tolerance = 1e-13});
  EXPECT_NEAR(result.value, 0.25, 1e-9);
}

}  // namespace
}  // namespace wordsway
