// Any bytes are either tensors that can be read to their last value or a DataError.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "wordsway/core/error.h"
#include "wordsway/io/safetensors_header.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = std::as_bytes(std::span(data, size));
  try {
    for (const auto& [name, info] : wordsway::parse_safetensors_header(file, "fuzz")) {
      if (info.offset > size || info.size > size - info.offset) std::abort();
      if (!wordsway::is_convertible_to_f32(info.dtype)) continue;
      std::vector<float> values(static_cast<std::size_t>(info.count));
      wordsway::convert_to_f32(info.dtype, file.subspan(info.offset, info.size), values);
    }
  } catch (const wordsway::DataError&) {
  }
  return 0;
}
