// Files that lie: each is refused with a sentence that names the file and the fault.
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bytes.h"
#include "wordsway/core/error.h"
#include "wordsway/io/safetensors_header.h"

namespace wordsway {
namespace {

using namespace std::string_literals;

std::string little_endian(std::uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

// A file with this header and `size` bytes of tensors.
std::string file(const std::string& header, size_t size = 0) {
  return little_endian(header.size()) + header + std::string(size, '\0');
}

// A file whose only tensor, "a", has this entry.
std::string with_tensor(const std::string& entry, size_t size = 4) {
  return file("{\"a\":" + entry + "}", size);
}

struct BadSafetensors {
  std::string name;
  std::string content;
  std::string fault;  // part of the message
};

void PrintTo(const BadSafetensors& malformed, std::ostream* out) {
  *out << malformed.name;
}

class MalformedSafeTensors : public testing::TestWithParam<BadSafetensors> {};

TEST_P(MalformedSafeTensors, IsRefusedWithItsFault) {
  try {
    parse_safetensors_header(test::as_bytes(GetParam().content), "liar.safetensors");
    FAIL() << "was accepted";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("liar.safetensors: "));
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().fault));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Header, MalformedSafeTensors,
    testing::Values(
        BadSafetensors{"Empty", "", "at least 8 bytes, this one 0"},
        BadSafetensors{"ShorterThanItsLength", "1234567", "this one 7"},
        BadSafetensors{"LengthPastTheEnd", little_endian(3) + "{}", "claims 3 bytes, but only 2 are left"},
        BadSafetensors{"LengthOverTheCap", little_endian(100'000'001) + "{}", "more than the 100000000 allowed"},
        BadSafetensors{"LengthThatWraps", little_endian(0xfffffffffffffff8) + "{}", "more than the 100000000 allowed"},
        BadSafetensors{"NoHeader", file(""), "does not start with '{'"},
        BadSafetensors{"NotAnObject", file("[]"), "does not start with '{'"},
        BadSafetensors{"SpaceBefore", file(" {}"), "does not start with '{'"},
        BadSafetensors{"BrokenJson", file("{\"a\":"), "malformed: it is not valid JSON at byte 6"},
        BadSafetensors{"SomethingAfter", file("{}x"), "not valid JSON"},
        BadSafetensors{"NotUtf8", file("{\"\xff\":1}"), "not valid JSON"},
        BadSafetensors{"DepthBomb", file("{\"a\":" + std::string(100'000, '[')), "nested more than 3 deep"},
        BadSafetensors{
            "NameTwice",
            file(
                R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})"),
            "the key \"a\" comes twice"},
        BadSafetensors{"KeyTwice", with_tensor(R"({"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]})"),
                       "the key \"dtype\" comes twice"},
        BadSafetensors{"MetadataIsAText", file(R"({"__metadata__":"pt"})"), "__metadata__ is not an object of texts"},
        BadSafetensors{"MetadataHoldsANumber", file(R"({"__metadata__":{"a":1}})"),
                       "__metadata__ is not an object of texts"}),
    [](const auto& malformed) { return malformed.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Tensor, MalformedSafeTensors,
    testing::Values(
        BadSafetensors{"NotAnObject", with_tensor("1"), "the tensor \"a\" is not an object"},
        BadSafetensors{"NoDtype", with_tensor(R"({"shape":[1],"data_offsets":[0,4]})"), "has no dtype"},
        BadSafetensors{"NoShape", with_tensor(R"({"dtype":"F32","data_offsets":[0,4]})"), "has no shape"},
        BadSafetensors{"NoOffsets", with_tensor(R"({"dtype":"F32","shape":[1]})"), "has no data_offsets"},
        BadSafetensors{"DtypeIsANumber", with_tensor(R"({"dtype":32,"shape":[1],"data_offsets":[0,4]})"),
                       "dtype that is not a text"},
        BadSafetensors{"DtypeUnknown", with_tensor(R"({"dtype":"F33","shape":[1],"data_offsets":[0,4]})"),
                       "unknown dtype \"F33\""},
        BadSafetensors{"ShapeIsANumber", with_tensor(R"({"dtype":"F32","shape":1,"data_offsets":[0,4]})"),
                       "something else than whole numbers as its shape: 1"},
        BadSafetensors{"ShapeNegative", with_tensor(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})"),
                       "its shape: [-1]"},
        BadSafetensors{"ShapeFraction", with_tensor(R"({"dtype":"F32","shape":[1.0],"data_offsets":[0,4]})"),
                       "its shape: [1.0]"},
        BadSafetensors{"ShapePastTheRange",
                       with_tensor(R"({"dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,4]})"),
                       "whole numbers"},
        BadSafetensors{"ShapeProductWraps",
                       with_tensor(R"({"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]})", 0),
                       "shape (4294967296, 4294967296), which is too large"},
        BadSafetensors{"BytesWrap",
                       with_tensor(R"({"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]})", 0),
                       "too large"},
        BadSafetensors{"HugeBehindAZero",
                       with_tensor(R"({"dtype":"F32","shape":[0,9223372036854775807],"data_offsets":[0,0]})", 0),
                       "too large"},
        BadSafetensors{"SizeTooSmall", with_tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})"),
                       "holds 4 bytes, but F32 of shape (2,) needs 64 bits"},
        BadSafetensors{"SizeTooLarge", with_tensor(R"({"dtype":"F16","shape":[1],"data_offsets":[0,4]})"),
                       "needs 16 bits"},
        BadSafetensors{"HalfAByte", with_tensor(R"({"dtype":"F4","shape":[9],"data_offsets":[0,4]})"),
                       "needs 36 bits"}),
    [](const auto& malformed) { return malformed.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Offsets, MalformedSafeTensors,
    testing::Values(
        BadSafetensors{"One", with_tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[4]})"),
                       "has 1 data_offsets, expected 2"},
        BadSafetensors{"Three", with_tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4,8]})"),
                       "has 3 data_offsets"},
        BadSafetensors{"Negative", with_tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[-4,0]})"),
                       "its data_offsets: [-4,0]"},
        BadSafetensors{"Texts", with_tensor(R"({"dtype":"F32","shape":[1],"data_offsets":["0","4"]})"),
                       "whole numbers"},
        BadSafetensors{"Backwards", with_tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})"),
                       "ends at 0 before it starts at 4"},
        BadSafetensors{"PastTheEnd", with_tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})"),
                       "ends at 8, but the file holds 4 bytes of tensors"},
        BadSafetensors{
            "Huge",
            with_tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[9223372036854775803,9223372036854775807]})"),
            "ends at 9223372036854775807"},
        BadSafetensors{
            "Overlap",
            file(
                R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                8),
            "the tensor \"b\" overlaps another tensor"},
        BadSafetensors{
            "SamePlace",
            file(
                R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                4),
            "the tensor \"b\" overlaps another tensor"},
        BadSafetensors{
            "HoleBetween",
            file(
                R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[7,11]}})",
                11),
            "the tensor \"b\" leaves a hole of 3 bytes before it"},
        BadSafetensors{"HoleAtTheStart", with_tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[1,5]})", 5),
                       "a hole of 1 bytes"},
        BadSafetensors{"HoleAtTheEnd", with_tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})", 6),
                       "2 bytes at its end belong to no tensor"},
        BadSafetensors{"ControlCharacters", file(R"({"a\n\u0000":1})"), R"(the tensor "a\n\u0000" is not an object)"}),
    [](const auto& malformed) { return malformed.param.name; });

TEST(SafeTensorsHeader, AcceptsAFileWithoutTensors) {
  const std::string content = file("{}      ");
  EXPECT_TRUE(parse_safetensors_header(test::as_bytes(content), "x").empty());
}

TEST(SafeTensorsHeader, AcceptsTensorsOfNoSizeBetweenOthers) {
  const std::string content = file(
      R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},"none":{"dtype":"F32","shape":[0],"data_offsets":[4,4]},)"
      R"("a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})",
      8);
  const TensorTable tensors = parse_safetensors_header(test::as_bytes(content), "x");
  EXPECT_EQ(tensors.at("none").count, 0);
  EXPECT_EQ(tensors.at("a").count, 1);
  EXPECT_EQ(tensors.at("b").offset, content.size() - 4);
}

TEST(SafeTensorsHeader, KnowsTypesSmallerThanAByte) {
  const std::string content = with_tensor(R"({"dtype":"F4","shape":[8],"data_offsets":[0,4]})");
  EXPECT_EQ(parse_safetensors_header(test::as_bytes(content), "x").at("a").size, 4U);
}

}  // namespace
}  // namespace wordsway
