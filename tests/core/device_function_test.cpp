// Moves that are handed in and evaluated together.
#include "wordsway/core/device_function.h"

#include <cmath>

#include <gtest/gtest.h>

#include "wordsway/ascent/ascend.h"
#include "wordsway/core/error.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

// f_t(Δ) = ‖Δ − t·1‖² for token t; remembers how many moves it was asked about at once.
struct Elsewhere {
  explicit Elsewhere(Index columns) : d(columns) {}

  Index d;
  std::vector<Index> with_gradients, without;
  BatchHandler answer = handle_move_matrices<int>(
      d, [this](std::span<const int> tokens, const Matrix& deltas, Vector& values, Matrix* gradients) {
        (gradients != nullptr ? with_gradients : without).push_back(deltas.rows());
        for (Index k = 0; k < deltas.rows(); ++k) {
          const Eigen::RowVectorXd from = deltas.row(k).array() - tokens[static_cast<size_t>(k)];
          values[k] = from.squaredNorm();
          if (gradients != nullptr) gradients->row(k) = 2 * from;
        }
      });
};

TEST(DeviceFunction, GivesValuesAndGradientsOfItsToken) {
  const auto elsewhere = std::make_shared<Elsewhere>(4);
  const DeviceFunction<int> f(elsewhere, elsewhere->answer, 3, 4);
  const Vector delta = gaussian_vector(Stream(1), 4);
  Vector gradient;
  EXPECT_DOUBLE_EQ(f(delta, &gradient), (delta.array() - 3).matrix().squaredNorm());
  EXPECT_EQ(gradient, Vector(2 * (delta.array() - 3)));
  EXPECT_DOUBLE_EQ(f(delta), (delta.array() - 3).matrix().squaredNorm());
  EXPECT_EQ(elsewhere->with_gradients, std::vector<Index>{1});
  EXPECT_EQ(elsewhere->without, std::vector<Index>{1});
  EXPECT_THROW(f.values(Matrix::Zero(2, 5), nullptr), DataError);
}

// A function of two tokens that move together, each within its ball.
TEST(DeviceFunction, HasTheBlocksItIsGiven) {
  const auto elsewhere = std::make_shared<Elsewhere>(6);
  const DeviceFunction<int> f(elsewhere, elsewhere->answer, 2, 6, 2);
  EXPECT_EQ(f.dimension(), 6);
  EXPECT_EQ(f.blocks(), 2);
  const auto found = ascend(f, gaussian_vector(Stream(1), 6), {.tolerance = 1e-12, .block_radii = {1, 3}});
  // Away from (2, 2, 2), as far as each block may go.
  const double away = 2 * std::sqrt(3.0);
  EXPECT_NEAR(found.value, (1 + away) * (1 + away) + (3 + away) * (3 + away), 1e-6);
  EXPECT_NEAR(found.delta.head(3).norm(), 1, 1e-12);
  EXPECT_NEAR(found.delta.tail(3).norm(), 3, 1e-12);
}

TEST(DeviceFunction, IsEvaluatedTogetherWithThoseThatWait) {
  const auto elsewhere = std::make_shared<Elsewhere>(2);
  std::vector<Vector> found(6);
  lockstep_for(6, 6, [&](Index token) {
    const DeviceFunction<int> f(elsewhere, elsewhere->answer, static_cast<int>(token), 2);
    Matrix gradients;
    // Odd tokens ask for two moves, and every third for no gradients.
    const Matrix deltas = Matrix::Constant(1 + token % 2, 2, 10);
    found[static_cast<size_t>(token)] = f.values(deltas, token % 3 == 0 ? nullptr : &gradients);
  });
  for (Index token = 0; token < 6; ++token) {
    const double from = 10 - static_cast<double>(token);
    EXPECT_EQ(found[static_cast<size_t>(token)], Vector::Constant(1 + token % 2, 2 * from * from)) << token;
  }
  EXPECT_EQ(elsewhere->with_gradients, std::vector<Index>{6});  // tokens 1, 2, 4, 5
  EXPECT_EQ(elsewhere->without, std::vector<Index>{3});         // tokens 0 and 3
}

}  // namespace
}  // namespace wordsway
