// What a run ran on and was built from: for the header of journals.
#pragma once

#include "wordsway/core/record.h"

namespace wordsway {

/// The version of this library, e.g. "0.1.0".
std::string version();
/// The instruction set that the library in use was compiled for: "x86-64-v4", "x86-64-v3", "x86-64-v2", "armv8-a".
/// Packages have several, of which the system's loader took the best. Results of two of them agree to rounding.
std::string kernels();
/// What `wordsway --version` prints: version, kernels, and which kernels this package has.
std::string version_text();
/// compiler, kernels, type, mpi.
Record build_information();
/// host, cpu, cores, memory_bytes.
Record machine_information();

}  // namespace wordsway
