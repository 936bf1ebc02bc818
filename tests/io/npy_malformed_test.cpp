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

std::string npy(const std::string& dictionary, const std::string& values = "") {
  return "\x93NUMPY\x01\x00"s + static_cast<char>(dictionary.size() & 0xff) +
         static_cast<char>(dictionary.size() >> 8) + dictionary + values;
}

std::string with_shape(const std::string& shape, const std::string& values = "") {
  return npy("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }", values);
}

std::string with_descr(const std::string& descr) {
  return npy("{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,), }", std::string(8, '\0'));
}

std::string ones(int dimensions) {
  std::string shape = "(";
  for (int i = 0; i < dimensions; ++i) shape += "1, ";
  return shape + ")";
}

struct Malformed {
  std::string name;
  std::string content;
  std::string fault;  // part of the message
};

void PrintTo(const Malformed& malformed, std::ostream* out) {
  *out << malformed.name;
}

class MalformedNpy : public testing::TestWithParam<Malformed> {};

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
        Malformed{"EmptyFile", "", "the file is empty"},
        Malformed{"OtherMagic", "PK\x03\x04 a zip file", "not an npy file"},
        Malformed{"HalfAMagic", "\x93NUM", "not an npy file"},
        Malformed{"NoVersion", "\x93NUMPY\x01", "cut off before its version"},
        Malformed{"VersionFour", "\x93NUMPY\x04\x00v\x00{}"s, "version 4.0 is unknown"},
        Malformed{"VersionZero", "\x93NUMPY\x00\x00v\x00{}"s, "version 0.0 is unknown"},
        Malformed{"MinorVersion", "\x93NUMPY\x01\x01v\x00{}"s, "version 1.1 is unknown"},
        Malformed{"NoLength", "\x93NUMPY\x01\x00v"s, "cut off before its length"},
        Malformed{"NoLongLength", "\x93NUMPY\x02\x00v\x00\x00"s, "cut off before its length"},
        Malformed{"LengthPastTheEnd", "\x93NUMPY\x01\x00v\x00{'descr': '<f8'"s,
                  "claims 118 bytes, but only 15 are left"},
        Malformed{"HugeLength", "\x93NUMPY\x02\x00\xff\xff\xff\xff{}"s, "claims 4294967295 bytes, but only 2"},
        Malformed{"LengthTooShort", "\x93NUMPY\x01\x00\x10\x00{'descr': '<f8', 'fortran_order': False, 'shape': ()}"s,
                  "malformed: expected a key in quotes, found its end"},
        Malformed{"LengthZero", "\x93NUMPY\x01\x00\x00\x00"s, "expected '{'"}),
    [](const auto& malformed) { return malformed.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Dictionary, MalformedNpy,
    testing::Values(
        Malformed{"NotADictionary", npy("['descr', '<f8']"), "expected '{'"},
        Malformed{"NotClosed", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)"), "expected ','"},
        Malformed{"NoDescr", npy("{'fortran_order': False, 'shape': (1,), }"), "key 'descr' is missing"},
        Malformed{"NoOrder", npy("{'descr': '<f8', 'shape': (1,), }"), "key 'fortran_order' is missing"},
        Malformed{"NoShape", npy("{'descr': '<f8', 'fortran_order': False, }"), "key 'shape' is missing"},
        Malformed{"NoKeys", npy("{}"), "key 'descr' is missing"},
        Malformed{"ExtraKey", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'units': 'm'}"),
                  "key 'units' is unknown"},
        Malformed{"KeyTwice", npy("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': ()}"),
                  "key 'descr' comes twice"},
        Malformed{"KeyNotInQuotes", npy("{descr: '<f8'}"), "expected a key in quotes, found descr: '<f8'}"},
        Malformed{"NoColon", npy("{'descr' '<f8'}"), "expected ':'"},
        Malformed{"NoComma", npy("{'descr': '<f8' 'fortran_order': False}"), "expected ','"},
        Malformed{"TwoCommas", npy("{'descr': '<f8',, 'fortran_order': False}"), "expected a key in quotes"},
        Malformed{"QuoteNotClosed", npy("{'descr': '<f8}"), "a quote is not closed"},
        Malformed{"SomethingAfter", npy("{'descr': '<f8', 'fortran_order': False, 'shape': ()} x"),
                  "follows the dictionary"},
        Malformed{"NotUtf8", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (\xff\xfe,)}"), "the byte 0xff"},
        Malformed{"Zeros", npy(std::string(64, '\0')), "the byte 0x00"},
        Malformed{"OrderIsANumber", npy("{'descr': '<f8', 'fortran_order': 0, 'shape': ()}"),
                  "to be True or False, found 0"},
        Malformed{"OrderIsText", npy("{'descr': '<f8', 'fortran_order': 'True', 'shape': ()}"), "to be True or False"},
        Malformed{"OrderIsALongerWord", npy("{'descr': '<f8', 'fortran_order': Trueish, 'shape': ()}"),
                  "to be True or False"}),
    [](const auto& malformed) { return malformed.param.name; });

INSTANTIATE_TEST_SUITE_P(Descr, MalformedNpy,
                         testing::Values(Malformed{"Integer", with_descr("'<i8'"),
                                                   "type '<i8' cannot be read; expected floating"},
                                         Malformed{"Object", with_descr("'|O'"), "type '|O' cannot be read"},
                                         Malformed{"Complex", with_descr("'<c16'"), "type '<c16' cannot be read"},
                                         Malformed{"Half", with_descr("'<f2'"), "'<f4', '<f8', '>f4', '>f8'"},
                                         Malformed{"Text", with_descr("'<U8'"), "type '<U8' cannot be read"},
                                         Malformed{"Structured", with_descr("[('a', '<f8')]"), "structured values"},
                                         Malformed{"Empty", with_descr("''"), "type '' cannot be read"},
                                         Malformed{"OrderAlone", with_descr("'<'"), "type '<' cannot be read"},
                                         Malformed{"Escape", with_descr("'\\x3cf8'"), "escapes are not understood"},
                                         Malformed{"Number", with_descr("8"), "a type in quotes, found 8"}),
                         [](const auto& malformed) { return malformed.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Shape, MalformedNpy,
    testing::Values(
        Malformed{"ANumber", with_shape("3"), "to be a tuple, found 3"},
        Malformed{"ANumberInBrackets", with_shape("(1)", std::string(8, '\0')), "(1,) is one"},
        Malformed{"AList", with_shape("[1]"), "to be a tuple, found [1]"},
        Malformed{"Nothing", with_shape("None"), "a tuple"},
        Malformed{"Negative", with_shape("(-1, 2)"), "negative: -1"},
        Malformed{"AFraction", with_shape("(1.5,)"), "expected ',' or ')' in 'shape', found .5"},
        Malformed{"Text", with_shape("('1',)"), "expected a number in 'shape', found '1'"},
        Malformed{"OnlyAComma", with_shape("(,)"), "expected a number in 'shape'"},
        Malformed{"PastTheRange", with_shape("(99999999999999999999,)"), "too large"},
        Malformed{"HugeProduct", with_shape("(4294967296, 4294967296)"), "shape (4294967296, 4294967296) is too large"},
        Malformed{"ProductThatWrapsToZero", with_shape("(9223372036854775807, 2)"), "too large"},
        Malformed{"HugeBehindAZero", with_shape("(0, 9223372036854775807)"), "too large"},
        Malformed{"BytesThatWrapToZero", with_shape("(2305843009213693952,)"), "too large"},
        Malformed{"HugeButCountable", with_shape("(1000000000000000,)"),
                  "needs 8000000000000000 bytes of values, the file holds 0"},
        Malformed{"ManyDimensions", with_shape(ones(65)), "65 dimensions"},
        Malformed{"TooFewValues", with_shape("(2,)", std::string(15, '\0')),
                  "shape (2,) needs 16 bytes of values, the file holds 15"},
        Malformed{"TooManyValues", with_shape("(2,)", std::string(17, '\0')),
                  "needs 16 bytes of values, the file holds 17"},
        Malformed{"ValuesOfAnEmptyArray", with_shape("(0,)", "x"), "needs 0 bytes of values, the file holds 1"}),
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
