// Files that lie: each is refused with a sentence that names the file and the fault.
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bytes.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/io/npy.h"

namespace wordsway {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

std::string malformed_npy(const std::string& dictionary, const std::string& values = "") {
  return "\x93NUMPY\x01\x00"s + static_cast<char>(dictionary.size() & 0xff) +
         static_cast<char>(dictionary.size() >> 8) + dictionary + values;
}

std::string with_shape(const std::string& shape, const std::string& values = "") {
  return malformed_npy("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }", values);
}

std::string with_descr(const std::string& descr) {
  return malformed_npy("{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,), }", std::string(8, '\0'));
}

std::string ones(int dimensions) {
  std::string shape = "(";
  for (int i = 0; i < dimensions; ++i) shape += "1, ";
  return shape + ")";
}

struct BadNpy {
  std::string name;
  std::string content;
  std::string fault;  // part of the message
};

void PrintTo(const BadNpy& malformed, std::ostream* out) {
  *out << malformed.name;
}

class MalformedNpy : public testing::TestWithParam<BadNpy> {};

TEST_P(MalformedNpy, IsRefusedWithItsFault) {
  try {
    parse_npy(test::as_bytes(GetParam().content), "liar.npy");
    FAIL() << "was accepted";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("liar.npy: "));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().fault));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Preamble, MalformedNpy,
    testing::Values(
        BadNpy{"EmptyFile", "", "the file is empty"}, BadNpy{"OtherMagic", "PK\x03\x04 a zip file", "not an npy file"},
        BadNpy{"HalfAMagic", "\x93NUM", "not an npy file"},
        BadNpy{"NoVersion", "\x93NUMPY\x01", "cut off before its version"},
        BadNpy{"VersionFour", "\x93NUMPY\x04\x00v\x00{}"s, "version 4.0 is unknown"},
        BadNpy{"VersionZero", "\x93NUMPY\x00\x00v\x00{}"s, "version 0.0 is unknown"},
        BadNpy{"MinorVersion", "\x93NUMPY\x01\x01v\x00{}"s, "version 1.1 is unknown"},
        BadNpy{"NoLength", "\x93NUMPY\x01\x00v"s, "cut off before its length"},
        BadNpy{"NoLongLength", "\x93NUMPY\x02\x00v\x00\x00"s, "cut off before its length"},
        BadNpy{"LengthPastTheEnd", "\x93NUMPY\x01\x00v\x00{'descr': '<f8'"s, "claims 118 bytes, but only 15 are left"},
        BadNpy{"HugeLength", "\x93NUMPY\x02\x00\xff\xff\xff\xff{}"s, "claims 4294967295 bytes, but only 2"},
        BadNpy{"LengthTooShort", "\x93NUMPY\x01\x00\x10\x00{'descr': '<f8', 'fortran_order': False, 'shape': ()}"s,
               "malformed: expected a key in quotes, found its end"},
        BadNpy{"LengthZero", "\x93NUMPY\x01\x00\x00\x00"s, "expected '{'"}),
    [](const auto& malformed) { return malformed.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Dictionary, MalformedNpy,
    testing::Values(
        BadNpy{"NotADictionary", malformed_npy("['descr', '<f8']"), "expected '{'"},
        BadNpy{"NotClosed", malformed_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)"), "expected ','"},
        BadNpy{"NoDescr", malformed_npy("{'fortran_order': False, 'shape': (1,), }"), "key 'descr' is missing"},
        BadNpy{"NoOrder", malformed_npy("{'descr': '<f8', 'shape': (1,), }"), "key 'fortran_order' is missing"},
        BadNpy{"NoShape", malformed_npy("{'descr': '<f8', 'fortran_order': False, }"), "key 'shape' is missing"},
        BadNpy{"NoKeys", malformed_npy("{}"), "key 'descr' is missing"},
        BadNpy{"ExtraKey", malformed_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'units': 'm'}"),
               "key 'units' is unknown"},
        BadNpy{"KeyTwice", malformed_npy("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': ()}"),
               "key 'descr' comes twice"},
        BadNpy{"KeyNotInQuotes", malformed_npy("{descr: '<f8'}"), "expected a key in quotes, found descr: '<f8'}"},
        BadNpy{"NoColon", malformed_npy("{'descr' '<f8'}"), "expected ':'"},
        BadNpy{"NoComma", malformed_npy("{'descr': '<f8' 'fortran_order': False}"), "expected ','"},
        BadNpy{"TwoCommas", malformed_npy("{'descr': '<f8',, 'fortran_order': False}"), "expected a key in quotes"},
        BadNpy{"QuoteNotClosed", malformed_npy("{'descr': '<f8}"), "a quote is not closed"},
        BadNpy{"SomethingAfter", malformed_npy("{'descr': '<f8', 'fortran_order': False, 'shape': ()} x"),
               "follows the dictionary"},
        BadNpy{"NotUtf8", malformed_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (\xff\xfe,)}"),
               "the byte 0xff"},
        BadNpy{"Zeros", malformed_npy(std::string(64, '\0')), "the byte 0x00"},
        BadNpy{"OrderIsANumber", malformed_npy("{'descr': '<f8', 'fortran_order': 0, 'shape': ()}"),
               "to be True or False, found 0"},
        BadNpy{"OrderIsText", malformed_npy("{'descr': '<f8', 'fortran_order': 'True', 'shape': ()}"),
               "to be True or False"},
        BadNpy{"OrderIsALongerWord", malformed_npy("{'descr': '<f8', 'fortran_order': Trueish, 'shape': ()}"),
               "to be True or False"}),
    [](const auto& malformed) { return malformed.param.name; });

INSTANTIATE_TEST_SUITE_P(Descr, MalformedNpy,
                         testing::Values(BadNpy{"Integer", with_descr("'<i8'"),
                                                "type '<i8' cannot be read; expected floating"},
                                         BadNpy{"Object", with_descr("'|O'"), "type '|O' cannot be read"},
                                         BadNpy{"Complex", with_descr("'<c16'"), "type '<c16' cannot be read"},
                                         BadNpy{"Half", with_descr("'<f2'"), "'<f4', '<f8', '>f4', '>f8'"},
                                         BadNpy{"Text", with_descr("'<U8'"), "type '<U8' cannot be read"},
                                         BadNpy{"Structured", with_descr("[('a', '<f8')]"), "structured values"},
                                         BadNpy{"Empty", with_descr("''"), "type '' cannot be read"},
                                         BadNpy{"OrderAlone", with_descr("'<'"), "type '<' cannot be read"},
                                         BadNpy{"Escape", with_descr("'\\x3cf8'"), "escapes are not understood"},
                                         BadNpy{"Number", with_descr("8"), "a type in quotes, found 8"}),
                         [](const auto& malformed) { return malformed.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Shape, MalformedNpy,
    testing::Values(
        BadNpy{"ANumber", with_shape("3"), "to be a tuple, found 3"},
        BadNpy{"ANumberInBrackets", with_shape("(1)", std::string(8, '\0')), "(1,) is one"},
        BadNpy{"AList", with_shape("[1]"), "to be a tuple, found [1]"},
        BadNpy{"Nothing", with_shape("None"), "a tuple"}, BadNpy{"Negative", with_shape("(-1, 2)"), "negative: -1"},
        BadNpy{"AFraction", with_shape("(1.5,)"), "expected ',' or ')' in 'shape', found .5"},
        BadNpy{"Text", with_shape("('1',)"), "expected a number in 'shape', found '1'"},
        BadNpy{"OnlyAComma", with_shape("(,)"), "expected a number in 'shape'"},
        BadNpy{"PastTheRange", with_shape("(99999999999999999999,)"), "too large"},
        BadNpy{"HugeProduct", with_shape("(4294967296, 4294967296)"), "shape (4294967296, 4294967296) is too large"},
        BadNpy{"ProductThatWrapsToZero", with_shape("(9223372036854775807, 2)"), "too large"},
        BadNpy{"HugeBehindAZero", with_shape("(0, 9223372036854775807)"), "too large"},
        BadNpy{"BytesThatWrapToZero", with_shape("(2305843009213693952,)"), "too large"},
        BadNpy{"HugeButCountable", with_shape("(1000000000000000,)"),
               "needs 8000000000000000 bytes of values, the file holds 0"},
        BadNpy{"ManyDimensions", with_shape(ones(65)), "65 dimensions"},
        BadNpy{"TooFewValues", with_shape("(2,)", std::string(15, '\0')),
               "shape (2,) needs 16 bytes of values, the file holds 15"},
        BadNpy{"TooManyValues", with_shape("(2,)", std::string(17, '\0')),
               "needs 16 bytes of values, the file holds 17"},
        BadNpy{"ValuesOfAnEmptyArray", with_shape("(0,)", "x"), "needs 0 bytes of values, the file holds 1"}),
    [](const auto& malformed) { return malformed.param.name; });

TEST(ReadNpy, RefusesAHeaderOfMegabytes) {
  const std::string header(size_t{2} << 20, ' ');
  const std::string content = "\x93NUMPY\x02\x00"s + "\x00\x00\x20\x00"s + header;
  const test::TemporaryFolder folder;
  test::write_bytes(folder.path("x.npy"), content);
  try {
    read_npy(folder.path("x.npy"));
    FAIL() << "was accepted";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the npy header claims 2097152 bytes; at most 1048576 are read"));
  }
}

TEST(ReadNpy, SaysThatAFileIsMissing) {
  const test::TemporaryFolder folder;
  try {
    read_npy(folder.path("none.npy"));
    FAIL() << "read a file that is not there";
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), HasSubstr(folder.path("none.npy").string() + ": No such file or directory"));
  }
}

TEST(ReadNpy, SaysThatAFolderIsNoFile) {
  const test::TemporaryFolder folder;
  try {
    read_npy(folder.folder());
    FAIL() << "read a folder";
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), HasSubstr("it is a folder"));
  }
}

TEST(ReadNpy, NamesTheMalformedFile) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder.path("empty.npy"), "");
  try {
    read_npy(folder.path("empty.npy"));
    FAIL() << "read an empty file";
  } catch (const DataError& error) {
    EXPECT_EQ(error.what(), folder.path("empty.npy").string() + ": the file is empty, expected an npy array");
  }
}

}  // namespace
}  // namespace wordsway
