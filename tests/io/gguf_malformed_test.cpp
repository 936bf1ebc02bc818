// Files that lie: each is refused with a sentence that names the file and the fault.
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bytes.h"
#include "support/gguf_bytes.h"
#include "wordsway/core/error.h"
#include "wordsway/io/gguf_header.h"

namespace wordsway {
namespace {

using namespace std::string_literals;
using test::gguf_key;
using test::gguf_tensor;
using test::gguf_with_keys;
using test::gguf_with_tensors;
using test::GgufParts;
using test::text;
using test::u32;
using test::u64;

template <typename Edit>
std::string edited(Edit edit) {
  GgufParts parts;
  edit(parts);
  return parts.bytes();
}

std::string with_alignment(std::uint32_t type, const std::string& value) {
  return edited([&](GgufParts& parts) { parts.keys[0] = gguf_key("general.alignment", type, value); });
}

struct BadGguf {
  std::string name;
  std::string content;
  std::string fault;  // part of the message
};

void PrintTo(const BadGguf& malformed, std::ostream* out) {
  *out << malformed.name;
}

class MalformedGguf : public testing::TestWithParam<BadGguf> {};

TEST_P(MalformedGguf, IsRefusedWithItsFault) {
  try {
    parse_gguf_header(test::as_bytes(GetParam().content), "liar.gguf");
    FAIL() << "was accepted";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("liar.gguf: "));
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().fault));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Start, MalformedGguf,
    testing::Values(
        BadGguf{"Empty", "", "at least 24 bytes, this one 0"},
        BadGguf{"ShorterThanItsCounts", GgufParts().bytes().substr(0, 23), "this one 23"},
        BadGguf{"AnotherMagic", edited([](GgufParts& parts) { parts.magic = "GGJT"; }), "does not start with GGUF"},
        BadGguf{"VersionZero", edited([](GgufParts& parts) { parts.version = 0; }), "of version 0; only versions 2"},
        BadGguf{"VersionOne", edited([](GgufParts& parts) { parts.version = 1; }), "of version 1; only versions 2"},
        BadGguf{"VersionFour", edited([](GgufParts& parts) { parts.version = 4; }), "of version 4"},
        BadGguf{"BigEndian", edited([](GgufParts& parts) { parts.version = 0x03000000; }), "it is big endian"},
        BadGguf{"TensorsPastTheEnd", edited([](GgufParts& parts) { parts.tensor_count = 1000; }),
                "claims 1000 tensors, but only"},
        BadGguf{"TensorsOverTheCap", edited([](GgufParts& parts) { parts.tensor_count = (1 << 20) + 1; }),
                "claims 1048577 tensors, more than the 1048576 allowed"},
        BadGguf{"TensorsThatWrap", edited([](GgufParts& parts) { parts.tensor_count = ~std::uint64_t{0}; }),
                "more than the 1048576 allowed"},
        BadGguf{"KeysPastTheEnd", edited([](GgufParts& parts) { parts.key_count = 1000; }),
                "claims 1000 keys, but only"},
        BadGguf{"KeysOverTheCap", edited([](GgufParts& parts) { parts.key_count = 65537; }),
                "claims 65537 keys, more than the 65536 allowed"},
        BadGguf{"AlignmentZero", with_alignment(4, u32(0)), "\"general.alignment\" is 0; expected a power of two"},
        BadGguf{"AlignmentNoPower", with_alignment(4, u32(48)), "is 48; expected a power of two"},
        BadGguf{"AlignmentNegative", with_alignment(5, u32(0x80000000)), "expected a power of two"},
        BadGguf{"AlignmentIsAText", with_alignment(8, text("32")),
                "\"general.alignment\" holds a value of type string; expected an integer"},
        BadGguf{"AlignmentHuge", with_alignment(10, u64(std::uint64_t{1} << 62)),
                "its tensors begin at byte 4611686018427387904, but it has only"}),
    [](const auto& malformed) { return malformed.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Key, MalformedGguf,
    testing::Values(
        BadGguf{"LengthPastTheEnd", gguf_with_keys({u64(5000) + "k" + u32(0) + "\1"}), "a string of 5000 bytes"},
        BadGguf{"LengthThatWraps", gguf_with_keys({u64(~std::uint64_t{0}) + "k" + u32(0) + "\1"}),
                "a string of 18446744073709551615 bytes begins at byte 65, but only"},
        BadGguf{"LengthOverTheCap", gguf_with_keys({gguf_key(std::string(65536, 'k'), 0, "\1")}),
                "has 65536 bytes, more than the 65535 allowed"},
        BadGguf{"NotUtf8", gguf_with_keys({gguf_key("k\xff", 0, "\1")}), "the key at byte 57 is not UTF-8"},
        BadGguf{"Twice", gguf_with_keys({gguf_key("k", 0, "\1"), gguf_key("k", 0, "\2")}), "the key \"k\" comes twice"},
        BadGguf{"TypeUnknown", gguf_with_keys({gguf_key("k\n", 13, "\1")}),
                "the key \"k\\n\" holds a value of the unknown type 13"},
        BadGguf{"BoolOfTwo", gguf_with_keys({gguf_key("k", 7, "\2")}), "a bool that is neither 0 nor 1"},
        BadGguf{"BoolOfTwoInAnArray", gguf_with_keys({gguf_key("k", 9, u32(7) + u64(3) + "\1\2\1")}),
                "a bool that is neither 0 nor 1"},
        BadGguf{"TextPastTheEnd", gguf_with_keys({gguf_key("k", 8, u64(1 << 20) + "v")}), "a string of 1048576 bytes"},
        BadGguf{"ItemTypeUnknown", gguf_with_keys({gguf_key("k", 9, u32(99) + u64(0))}), "unknown type 99"},
        BadGguf{"ArrayOfArrays", gguf_with_keys({gguf_key("k", 9, u32(9) + u64(1) + u32(0) + u64(1) + "\1")}),
                "the key \"k\" holds an array of arrays, which is not read"},
        BadGguf{"ArrayPastTheEnd", gguf_with_keys({gguf_key("k", 9, u32(10) + u64(100))}),
                "claims 100 items, but only"},
        BadGguf{"ArrayOverTheCap", gguf_with_keys({gguf_key("k", 9, u32(0) + u64((1 << 24) + 1))}),
                "claims 16777217 items, more than the 16777216 allowed"},
        BadGguf{"ArrayThatWraps", gguf_with_keys({gguf_key("k", 9, u32(10) + u64(std::uint64_t{1} << 61))}),
                "more than the 16777216 allowed"},
        BadGguf{"TextsPastTheEnd", gguf_with_keys({gguf_key("k", 9, u32(8) + u64(1000))}), "claims 1000 items"},
        BadGguf{"TextInAnArrayPastTheEnd", gguf_with_keys({gguf_key("k", 9, u32(8) + u64(2) + text("a") + u64(9999))}),
                "a string of 9999 bytes"}),
    [](const auto& malformed) { return malformed.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Tensor, MalformedGguf,
    testing::Values(
        BadGguf{"NameNotUtf8", gguf_with_tensors({gguf_tensor("\xc3", {1}, 0, 0)}),
                "the name of a tensor at byte 57 is not UTF-8"},
        BadGguf{"NameTwice", gguf_with_tensors({gguf_tensor("a", {1}, 0, 0), gguf_tensor("a", {1}, 0, 16)}),
                "the tensor \"a\" comes twice"},
        BadGguf{"NamePastTheEnd", gguf_with_tensors({u64(1000) + "a" + std::string(20, '\0')}),
                "a string of 1000 bytes"},
        BadGguf{"FiveExtents", gguf_with_tensors({gguf_tensor("a", {1, 1, 1, 1, 1}, 0, 0)}),
                "has 5 extents, more than the 4 allowed"},
        BadGguf{"ExtentPastTheRange", gguf_with_tensors({gguf_tensor("a", {std::uint64_t{1} << 63}, 0, 0)}),
                "has the extent 9223372036854775808, which is too large"},
        BadGguf{"ShapeProductWraps",
                gguf_with_tensors({gguf_tensor("a", {std::uint64_t{1} << 32, std::uint64_t{1} << 32}, 24, 0)}),
                "has the shape (4294967296, 4294967296), which is too large"},
        BadGguf{"BytesWrap", gguf_with_tensors({gguf_tensor("a", {std::uint64_t{1} << 61}, 0, 0)}), "too large"},
        BadGguf{"HugeBehindAZero", gguf_with_tensors({gguf_tensor("a", {0, ~std::uint64_t{0} >> 1}, 0, 0)}),
                "too large"},
        BadGguf{"TypeUnknown", gguf_with_tensors({gguf_tensor("a", {1}, 4, 0)}),
                "the tensor \"a\" has the unknown type 4"},
        BadGguf{"HalfABlock", gguf_with_tensors({gguf_tensor("a", {16, 2}, 8, 0)}),
                "has rows of 16 values, but blocks of Q8_0 have 32"},
        BadGguf{"ScalarOfBlocks", gguf_with_tensors({gguf_tensor("a", {}, 12, 0)}),
                "has rows of 1 values, but blocks of Q4_K have 256"}),
    [](const auto& malformed) { return malformed.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Place, MalformedGguf,
    testing::Values(BadGguf{"NotAligned", gguf_with_tensors({gguf_tensor("a", {1}, 0, 4)}),
                            "the tensor \"a\" begins at 4, which is no multiple of 16"},
                    BadGguf{"PastTheEnd", gguf_with_tensors({gguf_tensor("a", {4}, 0, 0)}, 8),
                            "begins at 0 and has 16 bytes, but the file holds 8 bytes of tensors"},
                    BadGguf{"BeginsPastTheEnd", gguf_with_tensors({gguf_tensor("a", {1}, 0, 1600)}), "begins at 1600"},
                    BadGguf{"OffsetThatWraps", gguf_with_tensors({gguf_tensor("a", {1}, 0, ~std::uint64_t{15})}),
                            "begins at 18446744073709551600"},
                    BadGguf{"NoTensorData", edited([](GgufParts& parts) {
                              parts.data.clear();
                              parts.alignment = 1;
                            }),
                            "its tensors begin at byte"},
                    BadGguf{"CutShort", GgufParts().bytes().substr(0, GgufParts().bytes().size() - 1),
                            "the tensor \"b\" begins at 16 and has 34 bytes, but the file holds 49 bytes"},
                    BadGguf{"Overlap", gguf_with_tensors({gguf_tensor("a", {8}, 0, 0), gguf_tensor("b", {1}, 0, 16)}),
                            "the tensor \"b\" overlaps another tensor"},
                    BadGguf{"SamePlace", gguf_with_tensors({gguf_tensor("a", {1}, 0, 0), gguf_tensor("b", {1}, 0, 0)}),
                            "the tensor \"b\" overlaps another tensor"},
                    BadGguf{"HoleAtTheStart", gguf_with_tensors({gguf_tensor("a", {1}, 0, 32)}),
                            "leaves a hole of 32 bytes before it"},
                    BadGguf{"HoleBetween",
                            gguf_with_tensors({gguf_tensor("a", {1}, 0, 0), gguf_tensor("b", {8}, 0, 32)}),
                            "the tensor \"b\" leaves a hole of 16 bytes before it"},
                    BadGguf{"BytesAtTheEnd", gguf_with_tensors({gguf_tensor("a", {1}, 0, 0)}, 17),
                            "1 bytes at its end belong to no tensor"},
                    BadGguf{"OneTensorFewerThanThereAre", edited([](GgufParts& parts) { parts.tensor_count = 1; }),
                            "bytes at its end belong to no tensor"},
                    BadGguf{"BytesWithoutTensors", gguf_with_tensors({}, 1), "1 bytes at its end belong to no tensor"}),
    [](const auto& malformed) { return malformed.param.name; });

TEST(GgufHeader, IsRefusedWhereverItIsCut) {
  const std::string content = GgufParts().bytes();
  for (size_t size = 0; size < content.size(); ++size)
    EXPECT_THROW(parse_gguf_header(test::as_bytes(content.substr(0, size)), "x"), DataError) << size;
  EXPECT_NO_THROW(parse_gguf_header(test::as_bytes(content), "x"));
}

TEST(GgufHeader, HoldsNoMoreThanTheCapOfKeysAndNames) {
  constexpr size_t kSize = size_t{1} << 40;
  const std::string start = "GGUF" + u32(3) + u64(0) + u64(1) + text("k") + u32(8) + u64(kSize / 2);
  const auto read = [&](size_t offset, std::span<std::byte> out) {
    for (size_t i = 0; i < out.size(); ++i) out[i] = std::byte(offset + i < start.size() ? start[offset + i] : 'v');
  };
  try {
    parse_gguf_header(read, kSize, "x");
    FAIL() << "was accepted";
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "x: its keys and names take more than the 100000000 bytes allowed");
  }
}

}  // namespace
}  // namespace wordsway
