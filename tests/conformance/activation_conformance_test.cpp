// What every registered activation must do. A new activation is tested automatically.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "wordsway/core/error.h"
#include "wordsway/maps/random_features/activation.h"
#include "wordsway/maps/random_features/predict.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

// E f(g), g ~ N(0, 1), by the trapezoidal rule: exponentially accurate for smooth f, and within 1e-3 across a jump.
template <typename Function>
double expectation(const Function& f) {
  double sum = 0;
  for (int j = -12000; j <= 12000; ++j) {
    const double g = 1e-3 * j;
    sum += 1e-3 * std::exp(-0.5 * g * g) / std::sqrt(2 * M_PI) * f(g);
  }
  return sum;
}

class ActivationConformance : public testing::TestWithParam<std::string> {
 protected:
  const Activation& activation_ = find_activation(GetParam());
};

TEST_P(ActivationConformance, SlopesMatchDifferencesAndStayBelowTheLipschitzConstant) {
  double steepest = 0;
  for (double z = -6; z < 6; z += 0.0137) {
    const double difference = (activation_.value(z + 1e-6) - activation_.value(z - 1e-6)) / 2e-6;
    EXPECT_NEAR(activation_.slope(z), difference, 1e-8) << z;
    steepest = std::max(steepest, std::abs(activation_.slope(z)));
  }
  EXPECT_LE(steepest, activation_.lipschitz);
  EXPECT_GT(steepest, 0.999 * activation_.lipschitz) << "a bound that is too large makes upper bounds useless";
}

TEST_P(ActivationConformance, ManyAtOnceAreTheSameAsOneByOne) {
  const Vector z = gaussian_vector(Stream(1), 20000, 2);
  Vector values(z.size()), slopes(z.size()), alone(z.size());
  activate(activation_, z, values, &slopes);
  activate(activation_, z, alone, nullptr);
  EXPECT_EQ(values, alone) << "values must not depend on whether slopes are asked for";
  for (Index a = 0; a < z.size(); ++a) {
    ASSERT_NEAR(values[a], activation_.value(z[a]), 1e-15);
    ASSERT_NEAR(slopes[a], activation_.slope(z[a]), 1e-15);
  }
}

TEST_P(ActivationConformance, StaysFiniteAndWithinItsSlopeFarOut) {
  for (const double z : {-1e100, -1e6, -40.0, -1e-300, 0.0, 1e-300, 40.0, 1e6, 1e100}) {
    double value = 0, slope = 0;
    activation_.evaluate(&z, 1, &value, &slope);
    EXPECT_TRUE(std::isfinite(value)) << z;
    EXPECT_TRUE(std::isfinite(slope)) << z;
    EXPECT_LE(std::abs(value - activation_.value(0)), activation_.lipschitz * std::abs(z) * (1 + 1e-15)) << z;
  }
}

// With weights of variance β_σ, features of mean square 1 have mean square 1 after a layer, or less where no variance
// keeps it.
TEST_P(ActivationConformance, ItsVarianceDoesNotLetFeaturesGrow) {
  const double root = std::sqrt(activation_.variance);
  EXPECT_LE(expectation([&](double g) { return std::pow(activation_.value(root * g), 2); }), 1 + 1e-6);
}

TEST_P(ActivationConformance, ItsDualKernelAgreesWithSampledNeurons) {
  const Index draws = 500'000;
  const Vector g = gaussian_vector(Stream(1), draws), h = gaussian_vector(Stream(2), draws);
  for (const PairMoments in : {PairMoments{1.3, -0.2, 0.4}, {0.5, 0.1, 0.1}, {1, -1, 1}}) {
    const double along = in.cross / in.square, across = std::sqrt(std::max(0.0, in.change - along * in.cross));
    PairMoments sum{0, 0, 0}, squares{0, 0, 0};
    for (Index t = 0; t < draws; ++t) {
      const double u = std::sqrt(in.square) * g[t], before = activation_.value(u);
      const double change = activation_.value(u + along * u + across * h[t]) - before;
      const PairMoments one{before * before, before * change, change * change};
      sum = {sum.square + one.square, sum.cross + one.cross, sum.change + one.change};
      squares = {squares.square + one.square * one.square, squares.cross + one.cross * one.cross,
                 squares.change + one.change * one.change};
    }
    const auto expect_mean = [&](double found, double total, double of_squares) {
      const double mean = total / static_cast<double>(draws);
      const double variance = of_squares / static_cast<double>(draws) - mean * mean;
      EXPECT_NEAR(found, mean, 5 * std::sqrt(variance / static_cast<double>(draws)) + 1e-12);
    };
    const PairMoments out = through_activation(activation_, in);
    expect_mean(out.square, sum.square, squares.square);
    expect_mean(out.cross, sum.cross, squares.cross);
    expect_mean(out.change, sum.change, squares.change);
  }
}

// E[(σ(u + δ) − σ(u))²] → E[σ'(u)²]·E[δ²] for a small change that is independent of u.
TEST_P(ActivationConformance, ItsDualKernelOfASmallChangeIsThatOfItsSlopes) {
  for (const double square : {0.3, 1.0, 4.0}) {
    const double slopes = expectation([&](double g) { return std::pow(activation_.slope(std::sqrt(square) * g), 2); });
    for (const double change : {1e-8, 1e-12})
      EXPECT_NEAR(through_activation(activation_, {square, 0, change}).change / change, slopes, 1e-3) << change;
  }
}

TEST_P(ActivationConformance, ItsSlopeKurtosisIsThatOfItsSlopes) {
  for (const double square : {0.3, 1.0, 4.0}) {
    const auto moment = [&](double power) {
      return expectation([&](double g) { return std::pow(activation_.slope(std::sqrt(square) * g), power); });
    };
    EXPECT_NEAR(slope_kurtosis(activation_, square), moment(4) / std::pow(moment(2), 2), 2e-3);
    EXPECT_GE(slope_kurtosis(activation_, square), 1 - 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Activations, ActivationConformance, testing::ValuesIn(activation_registry().names()),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Activations, AreFoundByNameOrNamedInTheRefusal) {
  try {
    find_activation("swoosh");
    FAIL() << "there is no swoosh";
  } catch (const UsageError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("unknown activation 'swoosh'; there are: "), std::string::npos) << message;
    for (const char* name : {"gelu", "identity", "relu", "tanh"})
      EXPECT_NE(message.find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace wordsway
