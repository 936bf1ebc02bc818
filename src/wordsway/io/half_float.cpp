#include "wordsway/io/half_float.h"

#include <bit>
#include <cstring>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

static_assert(std::endian::native == std::endian::little, "16-bit values are used as they lie in a file");

constexpr std::uint32_t kQuietBit = 0x00400000;       // of a float's mantissa
constexpr std::uint32_t kFloatInfinity = 0x7f800000;  // exponent bits all set
constexpr std::uint32_t kExponentShift = (127 - 15) << 23;

// In one file with the widening of a single value, so that the compiler turns the loop into vector instructions.
template <typename Widen>
void widen_all(std::span<const std::byte> bytes, std::span<float> values, Widen widen) {
  ensure(bytes.size() == 2 * values.size(), "a 16-bit value has two bytes");
  for (size_t i = 0; i < values.size(); ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, bytes.data() + 2 * i, sizeof(bits));
    values[i] = widen(bits);
  }
}

}  // namespace

float float_from_f16(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
  const std::uint32_t magnitude = static_cast<std::uint32_t>(bits & 0x7fff) << 13;
  constexpr std::uint32_t kSmallestNormal = 0x0400 << 13;
  constexpr std::uint32_t kInfinity = 0x7c00 << 13;
  // Below the normal range the value is the mantissa times 2^-24.
  const auto subnormal = std::bit_cast<std::uint32_t>(static_cast<float>(magnitude >> 13) * 0x1p-24F);
  const std::uint32_t normal = magnitude + kExponentShift;
  // By masks: of a choice GCC would make a branch, and of a loop with a branch no vector instructions.
  const std::uint32_t is_subnormal = 0U - static_cast<std::uint32_t>(magnitude < kSmallestNormal);
  const std::uint32_t is_infinite = 0U - static_cast<std::uint32_t>(magnitude >= kInfinity);
  const std::uint32_t widened =
      (subnormal & is_subnormal) | ((normal + (kExponentShift & is_infinite)) & ~is_subnormal);
  return std::bit_cast<float>(sign | widened);
}

float float_from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::uint16_t f16_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000;
  const std::uint32_t magnitude = bits & 0x7fffffff;
  const auto with_sign = [&](std::uint32_t narrowed) { return static_cast<std::uint16_t>(sign | narrowed); };
  constexpr std::uint32_t kSmallestNormal = 0x38800000;    // 2^-14
  constexpr std::uint32_t kRoundsToInfinity = 0x477ff000;  // 65520, half way between 65504 and 65536
  if (magnitude > kFloatInfinity) return with_sign(0x7c00 | ((magnitude | kQuietBit) >> 13 & 0x03ff));
  if (magnitude >= kRoundsToInfinity) return with_sign(0x7c00);
  if (magnitude < kSmallestNormal) {
    // Between 0.5 and 1 floats lie 2^-24 apart, as f16 values do here: the addition rounds.
    return with_sign(std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) -
                     std::bit_cast<std::uint32_t>(0.5F));
  }
  const std::uint32_t rounded = magnitude + 0x0fff + (magnitude >> 13 & 1);
  return with_sign((rounded - kExponentShift) >> 13);
}

std::uint16_t bf16_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const bool is_nan = (bits & 0x7fffffff) > kFloatInfinity;
  const std::uint32_t rounded = is_nan ? bits | kQuietBit : bits + 0x7fff + (bits >> 16 & 1);
  return static_cast<std::uint16_t>(rounded >> 16);
}

void widen_f16(std::span<const std::byte> bytes, std::span<float> values) {
  widen_all(bytes, values, [](std::uint16_t bits) { return float_from_f16(bits); });
}

void widen_bf16(std::span<const std::byte> bytes, std::span<float> values) {
  widen_all(bytes, values, [](std::uint16_t bits) { return float_from_bf16(bits); });
}

}  // namespace wordsway
