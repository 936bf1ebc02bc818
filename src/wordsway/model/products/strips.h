// Quantised weights in the order in which products read them: strips.
//
// A strip holds kLanes rows of W that are stored in one type, block beside block: number k of block b of all rows, then
// number k + 1, ... A number is a byte of packed values or scales, or a scale or value of 16 or 32 bits.
//
//   file                                  strip, of rows r, s, ...
//   row r: d q0 q1 ... d q0 q1 ...        d_r d_s ..  q0_r q0_s ..  q1_r q1_s ..    d_r d_s ..  q0_r q0_s ..
//   row s: d q0 q1 ... d q0 q1 ...
//
// So a vector of weights, one of each row, comes from neighbouring bytes and needs no transposition, and scales are
// vectors too. A strip has as many bytes as its rows have, and values have the bits of gguf_blocks_to_f32.
#pragma once

#include <span>
#include <vector>

#include "wordsway/io/gguf_blocks.h"
#include "wordsway/model/products/panels.h"

namespace wordsway::products {

struct Strip {
  const GgufType* type;
  const std::uint8_t* bytes;
};

/// rows: at most kLanes rows of `type` one after the other, `row_bytes` each; the rest of the strip becomes zeros.
/// to: kLanes * row_bytes.
void pack_strip(const GgufType& type, std::span<const std::byte> rows, size_t row_bytes, std::uint8_t* to);

/// Row `lane` of a strip as floats.
void unpack_strip_row(const Strip& strip, Index lane, std::span<float> row);

/// Strips of one panel as floats.  to: [depth, kLanes * number of strips].
void widen_strips(std::span<const Strip> strips, Index depth, float* to);

/// C = A·(strips) + addend, where A, [rows, depth] with at most kRows rows, is packed as one group. Weights become
/// floats on their way into the registers.  addend: kLanes for each strip; C: [rows, at most as many columns].
void multiply_strips(const float* group, std::span<const Strip> strips, Index depth, const float* addend, MatrixFRef C);

}  // namespace wordsway::products
