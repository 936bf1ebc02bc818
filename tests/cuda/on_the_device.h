// Tests that need the CUDA device are skipped, with the reason, where there is none.
#pragma once

#include <gtest/gtest.h>

#include "wordsway/core/error.h"
#include "wordsway/cuda/cuda_engine.h"

namespace wordsway::test {

/// Empty where the device can be used.
inline std::string why_not() {
  try {
    cuda_device_name();
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

class OnTheDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (!why_not().empty()) GTEST_SKIP() << why_not();
  }
};

}  // namespace wordsway::test
