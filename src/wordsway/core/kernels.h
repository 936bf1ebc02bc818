// The level of the computing library that the system's loader chose: docs/decisions/0015-levels.md.
#pragma once

#include <string>

namespace wordsway {

/// The instruction set that the kernels in use were compiled for: "x86-64-v4", "x86-64-v3", "x86-64-v2", "armv8-a".
/// Results of two of them agree to rounding.
std::string kernels();

}  // namespace wordsway
