#include "wordsway/sensitivity/scaling_fit.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

TEST(StudentT, AgreesWithTheTables) {
  EXPECT_NEAR(student_t_975(1), 12.7062047, 1e-5);
  EXPECT_NEAR(student_t_975(2), 4.3026527, 1e-6);
  EXPECT_NEAR(student_t_975(5), 2.5705818, 1e-6);
  EXPECT_NEAR(student_t_975(30), 2.0422725, 1e-6);
  EXPECT_NEAR(student_t_975(1000), 1.9623391, 1e-6);
}

TEST(FitScaling, RecoversAnExactPower) {
  const std::vector<double> n = {10, 20, 40}, S = {3 / std::sqrt(10), 3 / std::sqrt(20), 3 / std::sqrt(40)};
  const auto fit = fit_scaling(n, S);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->exponent, -0.5, 1e-12);
  EXPECT_NEAR(fit->constant, 3, 1e-10);
  EXPECT_LE(fit->low, fit->exponent);
  EXPECT_GE(fit->high, fit->exponent);
}

TEST(FitScaling, ItsIntervalCoversTheTruthAboutNineteenTimesInTwenty) {
  int covered = 0;
  constexpr int kRounds = 400;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    const Vector noise = gaussian_vector(Stream(round).derive("fit"), 20, 0.1);
    std::vector<double> n, S;
    for (Index k = 0; k < 20; ++k) {
      n.push_back(10.0 * std::pow(2, k % 4));
      S.push_back(std::pow(n.back(), -0.3) * std::exp(noise[k]));
    }
    const auto fit = fit_scaling(n, S);
    covered += fit->low <= -0.3 && fit->high >= -0.3;
  }
  EXPECT_NEAR(covered / static_cast<double>(kRounds), 0.95, 0.04);
}

TEST(FitScaling, HasNoAnswerForTwoSizesOrValuesWithoutLogarithm) {
  EXPECT_FALSE(fit_scaling(std::vector<double>{1, 2, 2}, std::vector<double>{1, 2, 3}));
  EXPECT_FALSE(fit_scaling(std::vector<double>{1, 2, 3}, std::vector<double>{1, 0, 3}));
  EXPECT_FALSE(fit_scaling(std::vector<double>{1, 2, 3}, std::vector<double>{1, std::nan(""), 3}));
}

}  // namespace
}  // namespace wordsway
