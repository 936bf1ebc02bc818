#include "wordsway/ascent/ascend.h"

#include <cmath>

#include <gtest/gtest.h>

#include "ascent/functions.h"
#include "wordsway/core/error.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

using test::Quadratic;

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

// f(Δ) = g(‖Δ‖): a ridge just below the surface of the unit ball, narrower than the kick that sends an ascent inside,
// and a lower hill far inside.
class RidgeAndHill final : public test::Unlifted {
 public:
  RidgeAndHill() : Unlifted(3) {}
  double evaluate(ConstVectorRef x, Vector* gradient) const override {
    const double r = x.norm(), to_ridge = (r - 0.9995) / 0.0005, to_hill = (r - 0.8) / 0.1;
    const double ridge = std::exp(-to_ridge * to_ridge), hill = 0.1 * std::exp(-to_hill * to_hill);
    if (gradient != nullptr) *gradient = (-2 * to_ridge * ridge / 0.0005 - 2 * to_hill * hill / 0.1) / r * x;
    return ridge + hill;
  }
};

TEST(Ascend, KeepsThePointOfTheSurfaceWhenTheInsideIsLower) {
  const RidgeAndHill f;
  const double there = f(Vector::Unit(3, 1));
  ASSERT_GT(there, 0.3);
  for (const int most : {1, 500}) {  // no iteration left for the inside, and as many as it wants
    const auto result = ascend(f, Vector::Unit(3, 1), {.radius = 1, .max_iterations = most});
    EXPECT_GE(result.value, there * (1 - 1e-12)) << most;
    EXPECT_EQ(result.value, f(result.delta)) << most;
  }
}

TEST(Ascend, TakesTheDirectionOfAStartWhoseSquareIsOutOfRange) {
  const Quadratic f(Matrix::Zero(2, 2), Vector::Unit(2, 0));
  for (const double size : {1e-300, 1e-170, 1e170, 1e300}) {
    const Vector start = size * Vector(Eigen::Vector2d(3, 4));
    const auto result = ascend(f, start, {.radius = 5, .max_iterations = 0});
    EXPECT_NEAR(result.delta[0], 3, 1e-12) << size;
    EXPECT_NEAR(result.delta[1], 4, 1e-12) << size;
  }
}

class SteepBeyondMeasure final : public test::Unlifted {
 public:
  SteepBeyondMeasure() : Unlifted(2) {}
  double evaluate(ConstVectorRef x, Vector* gradient) const override {
    if (gradient != nullptr) *gradient = Vector::Constant(2, HUGE_VAL);
    return x[0];
  }
};

TEST(Ascend, HasNotConvergedWhereTheSlopeIsNotFinite) {
  const auto result = ascend(SteepBeyondMeasure(), Vector::Unit(2, 1), {.radius = 1});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.value, 0);
}

class NeverFinite final : public test::Unlifted {
 public:
  NeverFinite() : Unlifted(2) {}
  double evaluate(ConstVectorRef, Vector* gradient) const override {
    if (gradient != nullptr) *gradient = Vector::Constant(2, std::nan(""));
    return std::nan("");
  }
};

TEST(Ascend, ReportsValuesThatAreNotFinite) {
  EXPECT_FALSE(ascend(NeverFinite(), Vector::Ones(2), {.radius = 1}).converged);
}

// Σ_t b_t·Δ_t is largest at Δ_t = ρ_t b_t/‖b_t‖ in every block.
TEST(AscendOverBalls, FindsTheTopOfALinearFunctionInEveryBlock) {
  const Vector b = gaussian_vector(Stream(3), 12);
  const Quadratic f(Matrix::Zero(12, 12), b, 3);
  const std::vector<double> radii = {0.5, 1, 4};
  const auto result = ascend(f, gaussian_vector(Stream(4), 12), {.tolerance = 1e-14, .block_radii = radii});
  double expected = 0;
  for (Index t = 0; t < 3; ++t) {
    const double radius = radii[static_cast<size_t>(t)], norm = b.segment(4 * t, 4).norm();
    expected += radius * norm;
    EXPECT_LE(result.delta.segment(4 * t, 4).norm(), radius * (1 + 1e-14));
    EXPECT_LT((result.delta.segment(4 * t, 4) - b.segment(4 * t, 4) * (radius / norm)).norm(), 1e-4 * radius);
  }
  EXPECT_NEAR(result.value, expected, 1e-9 * expected);
  EXPECT_TRUE(result.converged);
}

// The same by alternating over the blocks: with the others fixed, f is linear in a block that Q couples to others only.
TEST(AscendOverBalls, FindsWhatAlternatingMaximisationFinds) {
  constexpr Index kBlocks = 4, kSize = 3, kAll = kBlocks * kSize;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Matrix G = gaussian_matrix(Stream(seed), kAll, kAll);
    Matrix Q = G + G.transpose();
    for (Index t = 0; t < kBlocks; ++t) Q.block(t * kSize, t * kSize, kSize, kSize).setZero();
    const Quadratic f(Q, Vector::Zero(kAll), kBlocks);
    double alternating = 0, ours = 0;
    for (std::uint64_t start = 0; start < 30; ++start) {
      Vector x = gaussian_vector(Stream(seed + 50).derive(start), kAll);
      ours = std::max(ours, ascend(f, x, {.radius = 2, .tolerance = 1e-12}).value);
      for (int round = 0; round < 500; ++round)
        for (Index t = 0; t < kBlocks; ++t) {
          const Vector slope = Q.middleRows(t * kSize, kSize) * x;
          x.segment(t * kSize, kSize) = slope * (2 / slope.norm());
        }
      alternating = std::max(alternating, f(x));
    }
    EXPECT_NEAR(ours, alternating, 1e-6 * alternating) << seed;
  }
}

// One block rises outwards, the other has its top inside; a third cannot move.
TEST(AscendOverBalls, GoesInsideInTheBlocksThatRiseInwards) {
  Matrix Q = Matrix::Zero(6, 6);
  Q.diagonal() << 1, 1, -1, -1, 1, 1;
  Vector b(6);
  b << 1, 0, 0.2, 0.2, 1, 1;
  const Quadratic f(Q, b, 3);
  Vector start(6);
  start << 0.3, 1, 1, 0, 1, 2;
  const auto result = ascend(f, start, {.tolerance = 1e-13, .block_radii = {1, 2, 0}});
  EXPECT_LT((result.delta.segment(2, 2) - b.segment(2, 2) / 2).norm(), 1e-3);
  EXPECT_EQ(result.delta.tail(2).norm(), 0);
  EXPECT_NEAR(result.value, 2 + 0.02, 1e-6);
}

TEST(AscendOverBalls, RefusesRadiiThatDoNotFitTheBlocks) {
  const Quadratic f(Matrix::Identity(4, 4), Vector::Ones(4), 2);
  EXPECT_THROW(ascend(f, Vector::Ones(4), {.block_radii = {1}}), UsageError);
  EXPECT_THROW(ascend(f, Vector::Ones(4), {.block_radii = {1, -1}}), UsageError);
}

TEST(AscendFrom, LeavesAnInnerPointForTheTop) {
  const Quadratic f(-Matrix::Identity(5, 5), Vector::Unit(5, 2));
  const auto result = ascend_from(f, Vector::Zero(5), {.radius = 2, .tolerance = 1e-13});
  EXPECT_NEAR(result.value, 0.25, 1e-9);
}

}  // namespace
}  // namespace wordsway
