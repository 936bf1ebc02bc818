// Any bytes are either a list of tensors in files next to the index or a DataError.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "wordsway/core/error.h"
#include "wordsway/io/safetensors_header.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    for (const auto& [tensor, file] : wordsway::parse_safetensors_index(std::as_bytes(std::span(data, size)), "fuzz")) {
      if (file.empty() || file.find('/') != file.npos) std::abort();
    }
  } catch (const wordsway::DataError&) {
  }
  return 0;
}
