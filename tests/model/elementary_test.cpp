#include "wordsway/model/layers/elementary.h"

#include <cmath>

#include <gtest/gtest.h>

namespace wordsway {
namespace {

TEST(ExpFloat, AgreesWithDoubleToAFewUnitsInTheLastPlace) {
  for (double x = -87; x < 87; x += 0.00371) {
    const float given = static_cast<float>(x);
    const double expected = std::exp(static_cast<double>(given));
    ASSERT_LT(std::fabs(exp_float(given) - expected) / expected, 2e-7) << "at " << x;
  }
}

TEST(ExpFloat, IsOneAtZeroAndZeroFarBelow) {
  EXPECT_EQ(exp_float(0.f), 1.f);
  EXPECT_EQ(exp_float(-88.f), 0.f);
  EXPECT_EQ(exp_float(-1e30f), 0.f);
  EXPECT_EQ(exp_float(-INFINITY), 0.f);
}

TEST(NormalFloat, AgreesWithErfc) {
  for (double x = -12; x < 12; x += 0.00173) {
    const float given = static_cast<float>(x);
    const double v = given;
    ASSERT_NEAR(normal(given).cdf, 0.5 * std::erfc(-v / std::sqrt(2.0)), 2e-7) << "at " << x;
    ASSERT_NEAR(normal(given).density, std::exp(-v * v / 2) / std::sqrt(2 * M_PI), 1e-7) << "at " << x;
  }
}

}  // namespace
}  // namespace wordsway
