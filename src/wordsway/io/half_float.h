// The two 16-bit floating point formats that model weights are stored in.
//
//   f16   1 sign, 5 exponent, 10 mantissa bits (IEEE 754 binary16)
//   bf16  1 sign, 8 exponent, 7 mantissa bits  (the upper half of a float)
//
// Every 16-bit value is a float, so widening is exact, NaN payloads included. Narrowing rounds to nearest, ties to
// even; what is too large becomes infinite, NaN stays NaN.
#pragma once

#include <cstdint>

namespace wordsway {

float float_from_f16(std::uint16_t bits);
float float_from_bf16(std::uint16_t bits);
std::uint16_t f16_from_float(float value);
std::uint16_t bf16_from_float(float value);

}  // namespace wordsway
