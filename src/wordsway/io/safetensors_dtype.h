// The types of values in safetensors files.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace wordsway {

/// Bits of one value: 32 for "F32", 4 for "F4". 0 for a name that is not known.
size_t dtype_bits(std::string_view dtype);

/// Whether convert_to_f32 takes it: "F32", "F16", "BF16".
bool is_convertible_to_f32(std::string_view dtype);

/// Exact. `bytes` are little endian and need no alignment; throws InternalError unless there are as many as
/// `values` needs and the dtype is convertible.
void convert_to_f32(std::string_view dtype, std::span<const std::byte> bytes, std::span<float> values);

}  // namespace wordsway
