#include "system/process.h"

#include <gtest/gtest.h>

namespace wordsway::app {
namespace {

TEST(GpuOfRank, GivesEveryRankOneOfThoseThereAre) {
  EXPECT_EQ(gpu_of_rank(nullptr, 4, 0), "0");
  EXPECT_EQ(gpu_of_rank(nullptr, 4, 3), "3");
  EXPECT_EQ(gpu_of_rank(nullptr, 2, 3), "1");
  EXPECT_EQ(gpu_of_rank(nullptr, 0, 1), std::nullopt);
}

TEST(GpuOfRank, KeepsToWhatMayBeSeen) {
  EXPECT_EQ(gpu_of_rank("5,7", 8, 0), "5");
  EXPECT_EQ(gpu_of_rank("5,7", 8, 3), "7");
  EXPECT_EQ(gpu_of_rank("GPU-a2", 8, 2), "GPU-a2");
  EXPECT_EQ(gpu_of_rank("", 8, 0), std::nullopt);
}

}  // namespace
}  // namespace wordsway::app
