#include "wordsway/run/estimate.h"

#include <cmath>

#include <gmock/gmock.h>

#include "support/small_study.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway {
namespace {

using test::SmallStudy;

TEST(EstimateTest, CountsPointsAndTrials) {
  const Estimate estimate = estimate_study(SmallStudy());
  EXPECT_EQ(estimate.points, 2);
  EXPECT_EQ(estimate.tasks, 10);
  EXPECT_GT(estimate.pilots, 0);
}

TEST(EstimateTest, ExtrapolatesByTheWorkOfTasksItDoesNotRun) {
  // Each point is five times the work of the one before, and takes a little less than five times the time.
  class Growing : public SmallStudy {
   public:
    double work(Index task) const override { return 1e4 * std::pow(5, static_cast<double>(task / 5)); }
  };
  Growing study;
  study.tasks = 25;
  double time = 0, longest = 0;
  const auto seconds = [&](Index task) { return 1e-5 * std::pow(study.work(task), 0.9); };
  study.during = [&](Index task) {
    time += seconds(task);
    longest = std::max(longest, seconds(task));
  };
  set_thread_count(1);
  double truth = 0;
  for (Index task = 0; task < study.size(); ++task) truth += seconds(task);
  EstimateOptions options;
  options.pilot_seconds = 2;
  options.clock = [&] { return time; };
  const Estimate estimate = estimate_study(study, options);
  EXPECT_LT(longest, 2) << "a pilot took longer than allowed";
  EXPECT_GT(estimate.seconds, truth);
  EXPECT_LT(estimate.seconds, 2 * truth);
}

TEST(EstimateTest, CountsTheMemoryOfTasksThatRunAtOnce) {
  SmallStudy study;
  study.bytes = 1e6;
  set_thread_count(4);
  EXPECT_EQ(estimate_study(study).memory_bytes, 4e6);
  EstimateOptions options;
  options.memory_limit = 3.5e6;
  EXPECT_EQ(estimate_study(study, options).memory_bytes, 3e6);
}

TEST(EstimateTest, DoesNotRunWhatWouldTakeForever) {
  SmallStudy study;
  study.bytes = 1e10;
  study.during = [](Index) { FAIL() << "a pilot ran"; };
  EstimateOptions options;
  options.memory_limit = 1e12;
  const Estimate estimate = estimate_study(study, options);
  EXPECT_EQ(estimate.pilots, 0);
  EXPECT_GT(estimate.seconds, 60);
}

}  // namespace
}  // namespace wordsway
