#include "wordsway/core/statistics.h"

#include <vector>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace wordsway
