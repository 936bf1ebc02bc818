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

#include "wordsway/io/tensor_info.h"

namespace wordsway {

/// A safetensors file starts with this many bytes that tell how long the header is.
inline constexpr size_t kSafetensorsLengthBytes = 8;

/// How many bytes of a file belong to its header, the length in front included. `front` holds the first
/// kSafetensorsLengthBytes, or the whole file where that is shorter. Throws DataError when the file is too short.
size_t safetensors_header_end(std::span<const std::byte> front, size_t file_size, std::string_view name);

/// Every entry lies inside a file of `file_size` bytes and has the size its shape and dtype ask for. `front` holds at
/// least the header. `name` is what messages call the file. Throws DataError on anything else.
TensorTable parse_safetensors_header(std::span<const std::byte> front, size_t file_size, std::string_view name);

/// Parses a file that is in memory as a whole.
inline TensorTable parse_safetensors_header(std::span<const std::byte> file, std::string_view name) {
  return parse_safetensors_header(file, file.size(), name);
}

// The types of values in safetensors files.

/// Bits of one value: 32 for "F32", 4 for "F4". 0 for a name that is not known.
size_t dtype_bits(std::string_view dtype);

/// Whether convert_to_f32 takes it: "F32", "F16", "BF16".
bool is_convertible_to_f32(std::string_view dtype);

/// Exact. `bytes` are little endian and need no alignment; throws InternalError unless there are as many as
/// `values` needs and the dtype is convertible.
void convert_to_f32(std::string_view dtype, std::span<const std::byte> bytes, std::span<float> values);

// The index of a model whose tensors are spread over several safetensors files (model.safetensors.index.json):
//
//   {"metadata": {...}, "weight_map": {"tensor": "model-00001-of-00002.safetensors", ...}}

/// Tensor to the file that holds it, a plain name next to the index (never a path that leads elsewhere).
/// `name` is what messages call the index. Throws DataError when it is malformed or lists nothing.
std::map<std::string, std::string> parse_safetensors_index(std::span<const std::byte> text, std::string_view name);

}  // namespace wordsway
