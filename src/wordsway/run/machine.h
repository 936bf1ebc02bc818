// The machine and the build of a run, for the headers of journals.
#pragma once

#include "wordsway/core/record.h"

namespace wordsway {

/// The version of this library, e.g. "0.1.0".
std::string version();
/// The text of `wordsway --version`: the version, the kernels in use, and the kernels of this package.
std::string version_text();
/// compiler, kernels, type, mpi.
Record build_information();
/// host, cpu, cores, memory_bytes.
Record machine_information();

}  // namespace wordsway
