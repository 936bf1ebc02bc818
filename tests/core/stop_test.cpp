#include "wordsway/core/stop.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "wordsway/core/parallel.h"

namespace wordsway {
namespace {

std::stop_token stopped_token() {
  std::stop_source source;
  source.request_stop();
  return source.get_token();
}

TEST(Stop, DoesNothingWithoutAScope) {
  EXPECT_FALSE(stop_requested());
  EXPECT_NO_THROW(throw_if_stopped());
}

TEST(Stop, ReachesTheThreadOfItsScopeAndNoOther) {
  std::stop_source source;
  const StopScope scope(source.get_token());
  EXPECT_NO_THROW(throw_if_stopped());
  source.request_stop();
  EXPECT_THROW(throw_if_stopped(), Stopped);
  bool elsewhere = true;
  std::thread([&] { elsewhere = stop_requested(); }).join();
  EXPECT_FALSE(elsewhere);
}

TEST(Stop, EndsWithItsScope) {
  { const StopScope scope(stopped_token()); }
  EXPECT_FALSE(stop_requested());
}

TEST(Stop, OfAnOuterScopeReachesTheInner) {
  const StopScope outer(stopped_token());
  const StopScope inner{std::stop_token()};
  EXPECT_TRUE(stop_requested());
}

TEST(Stop, OfAnInnerScopeLeavesTheOuterAlone) {
  const StopScope outer{std::stop_token()};
  {
    const StopScope inner(stopped_token());
    EXPECT_TRUE(stop_requested());
  }
  EXPECT_FALSE(stop_requested());
}

class StopInParallel : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_thread_count(GetParam()); }
  void TearDown() override { set_thread_count(2); }
};

TEST_P(StopInParallel, NoItemStartsAfterwards) {
  std::stop_source source;
  const StopScope scope(source.get_token());
  std::atomic<int> begun{0};
  const auto item = [&](Index) {
    ++begun;
    source.request_stop();
  };
  EXPECT_THROW(parallel_for(100000, item), Stopped);
  EXPECT_LE(begun, GetParam());
}

TEST_P(StopInParallel, ReachesNestedLoopsOfHelpers) {
  std::stop_source source;
  const StopScope scope(source.get_token());
  std::atomic<int> unaware{0};
  const auto item = [&](Index) {
    source.request_stop();
    if (!stop_requested()) ++unaware;
    parallel_for(10, [&](Index) { ++unaware; });
  };
  EXPECT_THROW(parallel_for(8, item), Stopped);
  EXPECT_EQ(unaware, 0);
}

TEST_P(StopInParallel, HelpersForgetTheScopeOfTheLastLoop) {
  {
    std::stop_source source;
    const StopScope scope(source.get_token());
    EXPECT_THROW(parallel_for(64, [&](Index) { source.request_stop(); }), Stopped);
  }
  std::atomic<int> calls{0};
  parallel_for(64, [&](Index) { ++calls; });
  EXPECT_EQ(calls, 64);
}

INSTANTIATE_TEST_SUITE_P(Threads, StopInParallel, testing::Values(1, 2, 8));

}  // namespace
}  // namespace wordsway
