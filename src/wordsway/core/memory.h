// How much memory there is.
#pragma once

#include <string>

namespace wordsway {

/// Bytes of memory that this process may use: the machine's, or less where a container is limited.
double physical_memory();

/// "8.0 GiB".
std::string format_bytes(double bytes);

}  // namespace wordsway
