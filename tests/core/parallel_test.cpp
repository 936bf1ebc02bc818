#include "wordsway/core/parallel.h"

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

class ParallelFor : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_thread_count(GetParam()); }
  void TearDown() override { set_thread_count(2); }
};

TEST_P(ParallelFor, CallsEveryItemOnce) {
  std::vector<std::atomic<int>> calls(1000);
  parallel_for(1000, [&](Index i) { ++calls[static_cast<size_t>(i)]; });
  for (const auto& count : calls) EXPECT_EQ(count, 1);
}

TEST_P(ParallelFor, DoesNothingForNoItems) {
  parallel_for(0, [](Index) { FAIL() << "there is no item to call"; });
}

TEST_P(ParallelFor, CarriesTheExceptionOver) {
  const auto throwing = [](Index i) {
    if (i == 7) throw DataError("item seven");
  };
  try {
    parallel_for(100, throwing);
    FAIL() << "the exception got lost";
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "item seven");
  }
}

TEST_P(ParallelFor, WorksAgainAfterAnException) {
  EXPECT_THROW(parallel_for(8, [](Index) { throw std::runtime_error("no"); }), std::runtime_error);
  std::atomic<int> calls = 0;
  parallel_for(8, [&](Index) { ++calls; });
  EXPECT_EQ(calls, 8);
}

TEST_P(ParallelFor, SharesTheThreadsWithNestedLoops) {
  std::atomic<int> calls = 0;
  parallel_for(2, [&](Index) {
    EXPECT_LE(available_threads(), std::max(1, GetParam() / 2 + (GetParam() == 1)));
    parallel_for(10, [&](Index) { ++calls; });
  });
  EXPECT_EQ(calls, 20);
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelFor, testing::Values(1, 2, 4, 16));

TEST(Blocks, CoverTheRangeWithAShortLastBlock) {
  const Blocks blocks{10, 4};
  ASSERT_EQ(blocks.count(), 3);
  EXPECT_EQ(blocks.length(0), 4);
  EXPECT_EQ(blocks.begin(2), 8);
  EXPECT_EQ(blocks.length(2), 2);
}

TEST(SetThreadCount, RefusesZero) {
  EXPECT_THROW(set_thread_count(0), UsageError);
}

}  // namespace
}  // namespace wordsway
