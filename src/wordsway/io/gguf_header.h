// The front of a GGUF file of version 2 or 3. Numbers are little endian, a text is its length (u64) and its bytes:
//
//   "GGUF"   version (u32)   number of tensors (u64)   number of keys (u64)
//   for each key:     key (text)    type (u32)                value     an array is: type (u32), count (u64), items
//   for each tensor:  name (text)   number of extents (u32)   extents (u64 each, the fastest first)
//                     type (u32)    offset (u64)
//   zeros up to the next multiple of the alignment, which is the key general.alignment, or 32
//   the tensors, each from a multiple of the alignment on; offsets count from the first one
//
// As with safetensors the tensors must cover the rest of the file: no overlap, no hole beyond the padding. A file whose
// number of tensors was changed is noticed by that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "wordsway/io/gguf_metadata.h"
#include "wordsway/io/tensor_info.h"

namespace wordsway {

struct GgufHeader {
  std::uint32_t version;
  GgufMetadata metadata;
  TensorTable tensors;  // shapes are row-major: the extents of the file in reverse
};

/// Fills the span with the bytes of a file from an offset on.
using ReadAt = std::function<void(size_t offset, std::span<std::byte> out)>;

/// Every tensor lies inside a file of `file_size` bytes and has the size that its shape and type ask for. Reads the
/// front piece by piece, and holds no more than was in the file. Arrays in arrays are refused. `name` is what messages
/// call the file. Throws DataError when it is malformed, and what `read` throws.
GgufHeader parse_gguf_header(const ReadAt& read, size_t file_size, std::string_view name);

/// Parses a file that is in memory as a whole.
GgufHeader parse_gguf_header(std::span<const std::byte> file, std::string_view name);

}  // namespace wordsway
