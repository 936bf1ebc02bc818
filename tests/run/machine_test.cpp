#include "wordsway/run/machine.h"

#include <gmock/gmock.h>

#include "wordsway/core/kernels.h"

namespace wordsway {
namespace {

using testing::AnyOf;
using testing::EndsWith;
using testing::StartsWith;

TEST(Machine, KernelsAreWhatTheProcessorCanRun) {
#if defined(__x86_64__)
  EXPECT_THAT(kernels(), AnyOf("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"));
  if (kernels() == "x86-64-v4") {
    EXPECT_TRUE(__builtin_cpu_supports("avx512vl"));
  }
  if (kernels() == "x86-64-v3") {
    EXPECT_TRUE(__builtin_cpu_supports("avx2"));
  }
#elif defined(__aarch64__)
  EXPECT_EQ(kernels(), "armv8-a");
#endif
}

TEST(Machine, TheVersionAndTheBuildNameTheKernels) {
  EXPECT_THAT(version_text(), StartsWith("wordsway " + version() + "\nkernels: " + kernels() + " ("));
  EXPECT_THAT(version_text(), EndsWith(")"));
  EXPECT_EQ(build_information().text("kernels"), kernels());
}

}  // namespace
}  // namespace wordsway
