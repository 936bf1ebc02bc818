#include "wordsway/core/device.h"

#include <gtest/gtest.h>

#include "wordsway/core/error.h"
#include "wordsway/core/record.h"

namespace wordsway {
namespace {

TEST(Device, IsGivenByNames) {
  EXPECT_EQ(device_given("cpu", "f32"), Device{});
  EXPECT_EQ(device_given("cuda", "bf16"), (Device{DeviceKind::kCuda, Precision::kBf16}));
  for (const auto& [kind, precision] : {std::pair("gpu", "f32"), {"cuda", "f8"}, {"cpu", "tf32"}})
    EXPECT_THROW(device_given(kind, precision), UsageError) << kind << " " << precision;
}

TEST(Device, IsPartOfRowsUnlessItIsTheProcessor) {
  EXPECT_TRUE(fields_of(Device{}).fields().empty());
  EXPECT_EQ(fields_of({DeviceKind::kCuda, Precision::kTf32}), (Record{{"device", "cuda"}, {"precision", "tf32"}}));
}

}  // namespace
}  // namespace wordsway
