// Amounts of memory on the command line.
#pragma once

#include <string>

namespace wordsway::app {

/// "800M", "4G", "2.5GiB", "1000000": bytes, with K, M, G, T as powers of 1024. Throws UsageError naming `flag`.
double parse_bytes(const std::string& text, const std::string& flag);

/// Half of this machine's memory.
double default_memory();

}  // namespace wordsway::app
