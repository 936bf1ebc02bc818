// Any bytes are either an array that agrees with its shape or a DataError.
#include <cstdint>
#include <cstdlib>

#include "wordsway/core/error.h"
#include "wordsway/io/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const wordsway::NpyArray array = wordsway::parse_npy(std::as_bytes(std::span(data, size)), "fuzz");
    std::size_t count = 1;
    for (const wordsway::Index extent : array.shape) count *= static_cast<std::size_t>(extent);
    if (count != array.values.size()) std::abort();
  } catch (const wordsway::DataError&) {
  }
  return 0;
}
