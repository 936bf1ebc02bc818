// Functions of several inner products that are evaluated elsewhere.
#include "wordsway/maps/device_composition.h"

#include <gtest/gtest.h>

#include "wordsway/core/error.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

constexpr Index kD = 5;

// The t-th inner product is ‖Δ − t·1‖²; remembers how many moves it was asked about at once.
struct Elsewhere {
  std::vector<Index> asked;
  BatchHandler answer = handle_move_matrices<int>(
      kD, [this](std::span<const int> tokens, const Matrix& deltas, Vector& values, Matrix* gradients) {
        asked.push_back(deltas.rows());
        for (Index k = 0; k < deltas.rows(); ++k) {
          const Eigen::RowVectorXd from = deltas.row(k).array() - tokens[static_cast<size_t>(k)];
          values[k] = from.squaredNorm();
          if (gradients != nullptr) gradients->row(k) = 2 * from;
        }
      });
};

double product(std::span<const double> v, std::span<double> gradient) {
  if (!gradient.empty()) {
    gradient[0] = v[1];
    gradient[1] = v[0] + 2 * v[1];
  }
  return v[0] * v[1] + v[1] * v[1];
}

double reference(const Vector& delta) {
  const double a = (delta.array() - 2).matrix().squaredNorm(), b = (delta.array() - 3).matrix().squaredNorm();
  return a * b + b * b;
}

TEST(DeviceComposition, GivesValuesAndGradientsOfTheComposition) {
  const auto elsewhere = std::make_shared<Elsewhere>();
  const DeviceComposition<int> f(elsewhere, elsewhere->answer, {2, 3}, product, kD);
  const Matrix deltas = gaussian_matrix(Stream(1), 3, kD);
  Matrix gradients;
  const Vector values = f.values(deltas, &gradients);
  EXPECT_EQ(elsewhere->asked, std::vector<Index>{6});
  EXPECT_EQ(f.values(deltas, nullptr), values);
  for (Index k = 0; k < deltas.rows(); ++k) {
    const Vector delta = deltas.row(k).transpose();
    EXPECT_NEAR(values[k], reference(delta), 1e-12 * values[k]);
    Vector gradient;
    EXPECT_EQ(f(delta, &gradient), values[k]);
    EXPECT_LE((gradient - gradients.row(k).transpose()).norm(), 1e-12 * gradient.norm());
    for (Index c = 0; c < kD; ++c) {
      const Vector step = Vector::Unit(kD, c) * 1e-6;
      EXPECT_NEAR(gradient[c], (reference(delta + step) - reference(delta - step)) / 2e-6, 1e-5 * gradient.norm());
    }
  }
  EXPECT_THROW(f(Vector::Zero(kD + 1)), DataError);
}

// Searches with other ψ and another number of them meet in one call.
TEST(DeviceComposition, IsEvaluatedTogetherWithThoseThatWait) {
  const auto elsewhere = std::make_shared<Elsewhere>();
  std::vector<double> found(4);
  lockstep_for(4, 4, [&](Index item) {
    std::vector<int> tokens = {static_cast<int>(item)};
    if (item % 2 == 1) tokens.push_back(7);
    const auto sum = [](std::span<const double> v, std::span<double>) {
      double total = 0;
      for (const double one : v) total += one;
      return total;
    };
    const DeviceComposition<int> f(elsewhere, elsewhere->answer, tokens, sum, kD);
    found[static_cast<size_t>(item)] = f(Vector::Zero(kD));
  });
  EXPECT_EQ(elsewhere->asked, std::vector<Index>{6});
  EXPECT_EQ(found, (std::vector<double>{0, kD * (1.0 + 49), kD * 4.0, kD * (9.0 + 49)}));
}

}  // namespace
}  // namespace wordsway
