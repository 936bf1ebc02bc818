#include "wordsway/io/half_float.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace wordsway {
namespace {

// Straight from the definition of binary16, in double.
double f16_reference(unsigned bits) {
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double mantissa = bits & 1023;
  if (exponent == 31) return mantissa == 0 ? sign * INFINITY : std::nan("");
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

bool is_same(float value, double expected) {
  if (std::isnan(expected)) return std::isnan(value);
  return static_cast<double>(value) == expected && std::signbit(value) == std::signbit(expected);
}

TEST(HalfFloat, WidensEveryF16Exactly) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    ASSERT_TRUE(is_same(float_from_f16(static_cast<std::uint16_t>(bits)), f16_reference(bits))) << bits;
  }
}

TEST(HalfFloat, KeepsSignAndPayloadOfAnF16NaN) {
  EXPECT_EQ(std::bit_cast<std::uint32_t>(float_from_f16(0xfe01)), 0xffc02000U);
}

TEST(HalfFloat, WidensEveryBf16ToItsUpperHalf) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    ASSERT_EQ(std::bit_cast<std::uint32_t>(float_from_bf16(static_cast<std::uint16_t>(bits))), bits << 16);
  }
}

TEST(HalfFloat, NarrowsEveryWidenedValueBack) {
  for (unsigned wide = 0; wide < 65536; ++wide) {
    const auto bits = static_cast<std::uint16_t>(wide);
    const float f16 = float_from_f16(bits);
    const float bf16 = float_from_bf16(bits);
    ASSERT_TRUE(std::isnan(f16) || f16_from_float(f16) == bits) << bits;
    ASSERT_TRUE(std::isnan(bf16) || bf16_from_float(bf16) == bits) << bits;
  }
}

TEST(HalfFloat, KeepsNaNWhenNarrowing) {
  for (const std::uint32_t bits : {0x7fc00000U, 0x7f800001U, 0xffffffffU, 0xff800001U}) {
    EXPECT_TRUE(std::isnan(float_from_f16(f16_from_float(std::bit_cast<float>(bits))))) << bits;
    EXPECT_TRUE(std::isnan(float_from_bf16(bf16_from_float(std::bit_cast<float>(bits))))) << bits;
  }
}

// Between two neighbours: the middle goes to the even one, anything off the middle to the nearer one.
template <typename Widen, typename Narrow>
void expect_rounding_to_nearest_even(unsigned infinity, Widen widen, Narrow narrow) {
  for (unsigned lower = 0; lower + 1 < infinity; ++lower) {
    const double a = widen(static_cast<std::uint16_t>(lower));
    const double b = widen(static_cast<std::uint16_t>(lower + 1));
    const auto middle = static_cast<float>((a + b) / 2);
    ASSERT_EQ(static_cast<double>(middle), (a + b) / 2) << "the middle of two neighbours is a float";
    ASSERT_EQ(narrow(middle), lower % 2 == 0 ? lower : lower + 1) << lower;
    ASSERT_EQ(narrow(std::nextafter(middle, -1.0F)), lower);
    ASSERT_EQ(narrow(std::nextafter(middle, std::numeric_limits<float>::infinity())), lower + 1);
    ASSERT_EQ(narrow(-middle), 0x8000 + (lower % 2 == 0 ? lower : lower + 1));
  }
}

TEST(HalfFloat, RoundsToTheNearestF16) {
  expect_rounding_to_nearest_even(0x7c00, float_from_f16, f16_from_float);
}

TEST(HalfFloat, RoundsToTheNearestBf16) {
  expect_rounding_to_nearest_even(0x7f80, float_from_bf16, bf16_from_float);
}

TEST(HalfFloat, TurnsWhatIsTooLargeIntoInfinity) {
  EXPECT_EQ(f16_from_float(65519.9F), 0x7bff);
  EXPECT_EQ(f16_from_float(65520.0F), 0x7c00);
  EXPECT_EQ(f16_from_float(-1e30F), 0xfc00);
  EXPECT_EQ(f16_from_float(INFINITY), 0x7c00);
  EXPECT_EQ(bf16_from_float(std::numeric_limits<float>::max()), 0x7f80);
}

}  // namespace
}  // namespace wordsway
