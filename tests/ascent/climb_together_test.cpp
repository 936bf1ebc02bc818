#include "wordsway/ascent/climb_together.h"

#include <gtest/gtest.h>

#include "ascent/functions.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

using test::Quadratic;

Quadratic some_quadratic(Index d) {
  const Matrix G = gaussian_matrix(Stream(1), d, d);
  return {G + G.transpose(), gaussian_vector(Stream(2), d)};
}

TEST(ClimbTogether, NeverFallsAndStaysOnTheSphere) {
  const Quadratic f = some_quadratic(12);
  Climbers climbers = climbers_at(f, gaussian_matrix(Stream(3), 20, 12), 2);
  const Vector before = climbers.values;
  climb_together(f, climbers, 2, std::vector<int>(20, 5), 0);
  const Vector between = climbers.values;
  climb_together(f, climbers, 2, std::vector<int>(20), 10);
  for (Index k = 0; k < 20; ++k) {
    EXPECT_GE(between[k], before[k]);
    EXPECT_GE(climbers.values[k], between[k]);
    EXPECT_NEAR(climbers.deltas.row(k).norm(), 2, 1e-12);
    Vector gradient;
    EXPECT_EQ(climbers.values[k], f(climbers.deltas.row(k).transpose(), &gradient));
    EXPECT_EQ(Vector(climbers.gradients.row(k).transpose()), gradient);
  }
}

TEST(ClimbTogether, FindsTheTopOfAQuadratic) {
  Matrix Q = Matrix::Zero(8, 8);
  for (Index k = 0; k < 8; ++k) Q(k, k) = static_cast<double>(k);
  const Quadratic f(Q, Vector::Zero(8));
  Climbers climbers = climbers_at(f, gaussian_matrix(Stream(4), 10, 8), 3);
  climb_together(f, climbers, 3, std::vector<int>(10), 80);
  for (Index k = 0; k < 10; ++k) EXPECT_NEAR(climbers.values[k], 9 * 7, 0.05);
}

TEST(ClimbTogether, IsThatOfEachPointAlone) {
  const Quadratic f = some_quadratic(6);
  const Matrix directions = gaussian_matrix(Stream(5), 7, 6);
  const std::vector<int> powers = {3, 0, 5, 3, 0, 1, 0};
  Climbers all = climbers_at(f, directions, 1.5);
  climb_together(f, all, 1.5, powers, 9);
  for (Index k = 0; k < 7; ++k) {
    Climbers one = climbers_at(f, directions.middleRows(k, 1), 1.5);
    climb_together(f, one, 1.5, std::span(powers).subspan(static_cast<size_t>(k), 1), 0);  // the two parts one by one
    climb_together(f, one, 1.5, std::vector<int>(1), 9);
    EXPECT_EQ(one.values[0], all.values[k]);
    EXPECT_EQ(one.deltas.row(0), all.deltas.row(k));
  }
}

// Finite near the start alone: whoever steps too far must come back.
class Cliff final : public test::Unlifted {
 public:
  Cliff() : Unlifted(2) {}
  double evaluate(ConstVectorRef x, Vector* gradient) const override {
    if (gradient != nullptr) *gradient = Vector::Unit(2, 1);
    return x[1] > 0.3 ? std::nan("") : x[1];
  }
};

TEST(ClimbTogether, ComesBackFromWhereNothingIsFinite) {
  const Cliff f;
  Climbers climbers = climbers_at(f, Matrix{{1.0, 0.0}}, 1);
  climb_together(f, climbers, 1, std::vector<int>(1), 20);
  EXPECT_GT(climbers.values[0], 0.2);
  EXPECT_LE(climbers.values[0], 0.3);
}

}  // namespace
}  // namespace wordsway
