#include "wordsway/core/statistics.h"

#include <vector>

#include <gtest/gtest.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

TEST(Moments, AreMeanAndDeviation) {
  const Moments found = moments(std::vector<double>{1, 2, 3, 4});
  EXPECT_EQ(found.count, 4);
  EXPECT_EQ(found.mean, 2.5);
  EXPECT_NEAR(found.deviation, std::sqrt(5.0 / 3), 1e-15);
  EXPECT_NEAR(found.standard_error(), std::sqrt(5.0 / 12), 1e-15);
}

TEST(Moments, DoNotCancelFarFromZero) {
  EXPECT_NEAR(moments(std::vector<double>{1e9, 1e9 + 1, 1e9 + 2}).deviation, 1, 1e-6);
}

TEST(Moments, SayWhatTheyDoNotKnow) {
  EXPECT_TRUE(std::isnan(moments({}).mean));
  const Moments one = moments(std::vector<double>{3});
  EXPECT_EQ(one.mean, 3);
  EXPECT_TRUE(std::isnan(one.deviation));
  EXPECT_EQ(one.standard_error(), 0);
}

TEST(Median, IsTheMiddleOne) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_TRUE(std::isnan(median({})));
}

// From scipy.stats.binomtest(hits, trials).proportion_ci(method="wilson").
TEST(WilsonInterval, IsThatOfScipy) {
  const auto expect = [](Index hits, Index trials, double low, double high) {
    const RateInterval found = wilson_interval(hits, trials);
    EXPECT_NEAR(found.low, low, 1e-14) << hits;
    EXPECT_NEAR(found.high, high, 1e-14) << hits;
  };
  expect(27, 40, 0.5201774618987767, 0.7991549776821729);
  expect(0, 200, 0, 0.018845326377266575);
  expect(5, 5, 0.5655175352168251, 1);
  expect(3, 1000, 0.0010207838811386186, 0.008783014053503173);
  expect(0, 0, 0, 1);
  EXPECT_THROW(wilson_interval(3, 2), UsageError);
}

// From scipy.stats.binomtest(worse, worse + better).
TEST(McNemar, IsThatOfScipy) {
  EXPECT_NEAR(mcnemar_probability(1, 9), 0.021484375, 1e-12);
  EXPECT_NEAR(mcnemar_probability(9, 1), 0.021484375, 1e-12);
  EXPECT_NEAR(mcnemar_probability(0, 7), 0.015625, 1e-12);
  EXPECT_NEAR(mcnemar_probability(120, 160), 0.019606727290281328, 1e-10);
  EXPECT_EQ(mcnemar_probability(5, 5), 1);
  EXPECT_EQ(mcnemar_probability(0, 0), 1);
}

}  // namespace
}  // namespace wordsway
