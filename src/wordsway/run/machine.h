// What a run ran on and was built from: for the header of journals.
#pragma once

#include "wordsway/core/record.h"

namespace wordsway {

/// The version of this library, e.g. "0.1.0".
std::string version();
/// What `wordsway --version` prints: version, kernels, and which kernels this package has.
std::string version_text();
/// compiler, kernels, type, mpi.
Record build_information();
/// host, cpu, cores, memory_bytes.
Record machine_information();

}  // namespace wordsway
