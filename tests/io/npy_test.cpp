#include "wordsway/io/npy.h"

#include <cmath>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bytes.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using namespace std::string_literals;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::IsEmpty;

NpyArray parse(const std::string& content) {
  return parse_npy(test::as_bytes(content), "test.npy");
}

// A version 1.0 file with this dictionary and these values.
std::string npy(const std::string& dictionary, const std::string& values) {
  return "\x93NUMPY\x01\x00"s + static_cast<char>(dictionary.size() & 0xff) +
         static_cast<char>(dictionary.size() >> 8) + dictionary + values;
}

// What numpy.save (NumPy 2.4) writes for float64 [[1, 2, 3], [4, 5, 6]].
std::string saved_by_numpy() {
  return "\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"s + std::string(58, ' ') +
         "\n\x00\x00\x00\x00\x00\x00\xf0?\x00\x00\x00\x00\x00\x00\x00@\x00\x00\x00\x00\x00\x00\x08@"s +
         "\x00\x00\x00\x00\x00\x00\x10@\x00\x00\x00\x00\x00\x00\x14@\x00\x00\x00\x00\x00\x00\x18@"s;
}

TEST(ReadNpy, ReadsWhatNumpyWrites) {
  const NpyArray array = parse(saved_by_numpy());
  EXPECT_THAT(array.shape, ElementsAre(2, 3));
  EXPECT_THAT(array.values, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(ReadNpy, TurnsFortranOrderIntoCOrder) {
  // numpy.save of numpy.asfortranarray(float32 [[1, 2, 3], [4, 5, 6]]): the values go down the columns.
  const std::string content = npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
                                  "\x00\x00\x80?\x00\x00\x80@\x00\x00\x00@\x00\x00\xa0@\x00\x00@@\x00\x00\xc0@"s);
  const NpyArray array = parse(content);
  EXPECT_THAT(array.shape, ElementsAre(2, 3));
  EXPECT_THAT(array.values, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(ReadNpy, TurnsFortranOrderOfThreeDimensionsIntoCOrder) {
  std::string values;
  for (const char letter : "abcdefghijklmnopqrstuvwx"s) values += "\x00\x00\x80"s + letter;
  const std::string fortran = npy("{'descr':'<f4','fortran_order':True,'shape':(2,3,4)}", values);
  const std::string c = npy("{'descr':'<f4','fortran_order':False,'shape':(24,)}", values);
  const NpyArray array = parse(fortran);
  const NpyArray stored = parse(c);
  ASSERT_EQ(array.values.size(), 24U);
  for (size_t i = 0; i < 2; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      for (size_t k = 0; k < 4; ++k) EXPECT_EQ(array.values[(i * 3 + j) * 4 + k], stored.values[i + 2 * (j + 3 * k)]);
    }
  }
}

TEST(ReadNpy, ReadsBothByteOrders) {
  const std::string tail = "', 'fortran_order': False, 'shape': (1,), }";
  EXPECT_THAT(parse(npy("{'descr': '>f4" + tail, "?\xc0\x00\x00"s)).values, ElementsAre(1.5));
  EXPECT_THAT(parse(npy("{'descr': '>f8" + tail, "?\xf8\x00\x00\x00\x00\x00\x00"s)).values, ElementsAre(1.5));
  for (const char* order : {"<", "=", "|", ""}) {
    EXPECT_THAT(parse(npy("{'descr': '"s + order + "f4" + tail, "\x00\x00\xc0?"s)).values, ElementsAre(1.5));
  }
}

TEST(ReadNpy, ReadsVersionsTwoAndThree) {
  for (const char version : {'\x02', '\x03'}) {
    const std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n";
    const std::string content = "\x93NUMPY"s + version + "\x00"s + static_cast<char>(dictionary.size()) +
                                "\x00\x00\x00"s + dictionary + "\x00\x00\xc0?"s;
    EXPECT_THAT(parse(content).values, ElementsAre(1.5));
  }
}

TEST(ReadNpy, LeavesKeyOrderSpacesQuotesAndTrailingCommasFree) {
  for (const char* dictionary : {"{'shape':(1,),'fortran_order':False,'descr':'<f4'}",
                                 "{\"shape\": (1,), 'descr': \"<f4\", 'fortran_order': True}",
                                 " { 'descr' : '<f4' ,\n 'fortran_order' : False , 'shape' : ( 1 , ) , } \n ",
                                 "{'descr': '<f4', 'fortran_order': False, 'shape': (1L,), }"}) {
    EXPECT_THAT(parse(npy(dictionary, "\x00\x00\xc0?"s)).values, ElementsAre(1.5)) << dictionary;
  }
}

TEST(ReadNpy, ReadsASingleNumberAsAnArrayWithoutDimensions) {
  const NpyArray array = parse(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "\x00\x00\xc0?"s));
  EXPECT_THAT(array.shape, IsEmpty());
  EXPECT_THAT(array.values, ElementsAre(1.5));
}

TEST(ReadNpy, ReadsArraysWithoutValues) {
  for (const char* order : {"True", "False"}) {
    const NpyArray array = parse(npy("{'descr': '<f8', 'fortran_order': "s + order + ", 'shape': (0, 3), }", ""));
    EXPECT_THAT(array.shape, ElementsAre(0, 3));
    EXPECT_THAT(array.values, IsEmpty());
  }
}

TEST(WriteNpy, WritesTheBytesNumpyWrites) {
  const TemporaryFolder folder;
  Matrix X(2, 3);
  X << 1, 2, 3, 4, 5, 6;
  write_npy(folder.path("x.npy"), X);
  EXPECT_EQ(test::read_bytes(folder.path("x.npy")), saved_by_numpy());
}

TEST(WriteNpy, RoundTripsEveryBitOfADouble) {
  const TemporaryFolder folder;
  const std::vector<double> values = {
      0.0, -0.0, 1.0 / 3, 5e-324, std::numeric_limits<double>::max(), -std::numeric_limits<double>::infinity()};
  write_npy(folder.path("x.npy"), values, {3, 1, 2});
  const NpyArray array = read_npy(folder.path("x.npy"));
  EXPECT_THAT(array.shape, ElementsAre(3, 1, 2));
  EXPECT_EQ(array.values, values);
  EXPECT_TRUE(std::signbit(array.values[1]));
}

TEST(WriteNpy, RoundTripsFloatsOfFourBytes) {
  const TemporaryFolder folder;
  const std::vector<float> values = {0.1F, std::nanf(""), 1e-45F};
  write_npy(folder.path("x.npy"), values, {3});
  const NpyArray array = read_npy(folder.path("x.npy"));
  EXPECT_EQ(array.values[0], static_cast<double>(0.1F));
  EXPECT_TRUE(std::isnan(array.values[1]));
  EXPECT_EQ(array.values[2], static_cast<double>(1e-45F));
}

TEST(WriteNpy, RoundTripsSingleNumbersAndEmptyArrays) {
  const TemporaryFolder folder;
  write_npy(folder.path("number.npy"), std::vector<double>{2.5}, {});
  write_npy(folder.path("empty.npy"), std::vector<double>{}, {4, 0});
  EXPECT_THAT(read_npy(folder.path("number.npy")).values, ElementsAre(2.5));
  EXPECT_THAT(read_npy(folder.path("empty.npy")).shape, ElementsAre(4, 0));
}

TEST(WriteNpy, RefusesAShapeThatDoesNotFit) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_npy(folder.path("x.npy"), std::vector<double>{1, 2, 3}, {2, 2}), DataError);
  EXPECT_FALSE(std::filesystem::exists(folder.path("x.npy")));
}

TEST(NpyRowWriter, WritesTheSameFileAsAllAtOnce) {
  const TemporaryFolder folder;
  std::vector<float> values(3 * 2 * 5000);
  for (size_t k = 0; k < values.size(); ++k) values[k] = 0.5f * static_cast<float>(k);
  write_npy(folder.path("whole.npy"), std::span<const float>(values), {5000, 3, 2});
  for (const std::optional<Index> rows : {std::optional<Index>(5000), std::optional<Index>()}) {
    NpyRowWriter<float> writer(folder.path("rows.npy"), {3, 2}, rows);
    writer.append(std::span<const float>(values).first(6));
    writer.append(std::span<const float>(values).subspan(6));
    EXPECT_EQ(writer.rows(), 5000);
    EXPECT_FALSE(std::filesystem::exists(folder.path("rows.npy"))) << "appears when it is complete";
    writer.commit();
    EXPECT_EQ(test::read_bytes(folder.path("rows.npy")), test::read_bytes(folder.path("whole.npy")));
    std::filesystem::remove(folder.path("rows.npy"));
  }
}

TEST(NpyRowWriter, RefusesPartsOfRowsAndAnotherNumberOfThem) {
  const TemporaryFolder folder;
  const std::vector<double> three = {1, 2, 3};
  {
    NpyRowWriter<double> writer(folder.path("a.npy"), {2}, 2);
    EXPECT_THROW(writer.append(three), DataError);
    writer.append(std::span(three).first(2));
    EXPECT_THROW(writer.commit(), DataError);
  }
  EXPECT_THROW(NpyRowWriter<double>(folder.path("a.npy"), {0}), DataError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.folder())) << "nothing is left of a file that was not committed";
}

TEST(NpyRowWriter, ToAPipeNeedsTheNumberOfRows) {
  const std::vector<double> row = {1};
  NpyRowWriter<double> known("/dev/null", {}, 1), unknown("/dev/null", {});
  known.append(row);
  unknown.append(row);
  EXPECT_NO_THROW(known.commit());
  EXPECT_THROW(unknown.commit(), FileError);
}

TEST(ReadNpyMatrix, GivesRowsAsRows) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x.npy"), saved_by_numpy());
  const Matrix X = read_npy_matrix(folder.path("x.npy"));
  ASSERT_EQ(X.rows(), 2);
  EXPECT_EQ(X(0, 2), 3);
  EXPECT_EQ(X(1, 0), 4);
}

// Long enough to be read in several pieces; value k of the file is k.
std::string numbered(const std::string& shape, bool fortran, Index count) {
  std::string values;
  for (Index k = 0; k < count; ++k) {
    const auto value = static_cast<float>(k);
    values.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return npy("{'descr': '<f4', 'fortran_order': "s + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }",
             values);
}

TEST(ReadNpy, ReadsArraysOfManyPieces) {
  const NpyArray array = parse(numbered("(70, 30, 50)", false, 105'000));
  ASSERT_EQ(array.values.size(), 105'000U);
  for (size_t k = 0; k < array.values.size(); ++k) ASSERT_EQ(array.values[k], static_cast<double>(k));
}

TEST(ReadNpy, ReadsArraysOfManyPiecesInFortranOrder) {
  const NpyArray array = parse(numbered("(70, 30, 50)", true, 105'000));
  ASSERT_EQ(array.values.size(), 105'000U);
  for (size_t i = 0; i < 70; ++i)
    for (size_t j = 0; j < 30; ++j)
      for (size_t k = 0; k < 50; ++k)
        ASSERT_EQ(array.values[(i * 30 + j) * 50 + k], static_cast<double>(i + 70 * (j + 30 * k)));
}

TEST(ReadNpyMatrix, ReadsFortranOrder) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x.npy"), numbered("(300, 200)", true, 60'000));
  const Matrix X = read_npy_matrix(folder.path("x.npy"));
  for (Index i = 0; i < 300; ++i)
    for (Index j = 0; j < 200; ++j) ASSERT_EQ(X(i, j), static_cast<double>(i + 300 * j));
}

TEST(ReadNpyMatrix, RefusesOtherThanTwoDimensions) {
  const TemporaryFolder folder;
  write_npy(folder.path("x.npy"), std::vector<double>{1, 2, 3}, {3});
  try {
    read_npy_matrix(folder.path("x.npy"));
    FAIL() << "a vector passed for a matrix";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("found shape (3,)"));
  }
}

}  // namespace
}  // namespace wordsway
