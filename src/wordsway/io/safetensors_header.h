// The header of a safetensors file:
//
//   length (8 bytes, little endian)   JSON object, `length` bytes   tensors, back to back
//
//   {"name": {"dtype": "F16", "shape": [2, 3], "data_offsets": [0, 12]}, ..., "__metadata__": {"format": "pt"}}
//
// Offsets count from the first byte after the JSON. The tensors must cover the rest of the file: no overlap, no hole.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/core/matrix.h"

namespace wordsway {

struct TensorInfo {
  std::string dtype;         // as the file names it: "F32", "F16", "BF16", "I64", ...
  std::vector<Index> shape;  // empty for a single number
  Index count = 1;           // product of the shape
  size_t offset = 0;         // of the first byte, from the start of the file
  size_t size = 0;           // in bytes
};

using TensorTable = std::map<std::string, TensorInfo>;

/// Every entry lies inside `file` and has the size its shape and dtype ask for. `name` is what messages call the file.
/// Throws DataError on anything else.
TensorTable parse_safetensors_header(std::span<const std::byte> file, std::string_view name);

}  // namespace wordsway
