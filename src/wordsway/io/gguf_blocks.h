// The types of tensors in GGUF files. A quantised tensor consists of blocks: runs of values of one row that share a
// scale. gguf_blocks.cpp has the table: a type that is read adds its line and its decode function there, and a case in
// model/products/strips.cpp for products without decoding.
//
//   type              values  bytes   a value is
//   F32, F16, BF16         1   4, 2   itself
//   Q8_0                  32     34   d q            d of the block, q in -128..127
//   Q4_0                  32     18   d (q - 8)      q in 0..15
//   Q4_K, Q5_K           256   144, 176   d s q - m t    s and t of 32 values, in 0..63; q in 0..15, 0..31
//   Q6_K                 256    210   d s (q - 32)   s of 16 values, in -128..127; q in 0..63
//
// d and m are f16. Every product has at most 24 significant bits, so it is exact in float32: only the difference of
// Q4_K and Q5_K rounds, once, whether or not the compiler fuses it with the product before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wordsway {

struct GgufType {
  std::uint32_t number;   // in the file
  std::string_view name;  // as ggml calls it: "F32", "Q4_K", "IQ2_XXS", ...
  size_t block_values;    // a row is a whole number of blocks
  size_t block_bytes;
  /// Decodes whole blocks into values; null for types that are not read.
  void (*decode)(std::span<const std::byte> bytes, std::span<float> values) = nullptr;
};

/// nullptr for a number or a name that is not known. Types that are no longer in use are known too.
const GgufType* find_gguf_type(std::uint32_t number);
const GgufType* find_gguf_type(std::string_view name);

/// Whether gguf_blocks_to_f32 takes it: the types of the table above.
bool is_readable_gguf_type(std::string_view name);
/// Their names, for messages and documentation.
std::vector<std::string> readable_gguf_types();

/// Widens or dequantises whole blocks. `bytes` need no alignment; throws InternalError unless the type is readable and
/// there are as many blocks in as out. Values may be infinite or NaN where a scale is.
void gguf_blocks_to_f32(std::string_view type, std::span<const std::byte> bytes, std::span<float> values);

}  // namespace wordsway
