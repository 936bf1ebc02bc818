// How much memory there is.
#pragma once

#include <cstddef>
#include <string>

namespace wordsway {

/// Bytes of memory that this process may use: the machine's, or less where a container is limited.
double physical_memory();

/// Asks the system for large pages for a buffer that was not written to yet: a product that reads gigabytes once would
/// spend a part of its time on finding pages. A wish: nothing happens where the system has none.
void prefer_large_pages(void* begin, size_t bytes);

/// "8.0 GiB".
std::string format_bytes(double bytes);

}  // namespace wordsway
