#include "wordsway/random/random_order.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

TEST(RandomOrder, HoldsEveryNumberOnce) {
  auto order = random_order(Stream(1), 100, 100);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  for (Index k = 0; k < 100; ++k) EXPECT_EQ(order[static_cast<size_t>(k)], k);
}

TEST(RandomOrder, ALargerDrawBeginsWithASmallerOne) {
  const auto small = random_order(Stream(2), 50, 7), large = random_order(Stream(2), 50, 30);
  EXPECT_TRUE(std::equal(small.begin(), small.end(), large.begin()));
}

TEST(RandomOrder, EveryOrderIsEquallyLikely) {
  std::map<std::vector<Index>, int> seen;
  for (std::uint64_t k = 0; k < 6000; ++k) ++seen[random_order(Stream(3).derive(k), 3, 3)];
  ASSERT_EQ(seen.size(), 6U);
  for (const auto& [order, count] : seen) EXPECT_NEAR(count, 1000, 150);  // five standard deviations
}

TEST(RandomOrder, RefusesToDrawMoreThanThereIs) {
  EXPECT_TRUE(random_order(Stream(1), 0, 0).empty());
  EXPECT_THROW(random_order(Stream(1), 3, 4), UsageError);
  EXPECT_THROW(random_order(Stream(1), 3, -1), UsageError);
}

}  // namespace
}  // namespace wordsway
