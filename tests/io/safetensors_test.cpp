#include "wordsway/io/safetensors.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bytes.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/io/safetensors_writer.h"

namespace wordsway {
namespace {

using namespace std::string_literals;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<float> copy(const SafeTensors& tensors, const std::string& name) {
  std::vector<float> values(static_cast<size_t>(tensors.info(name).count));
  tensors.copy_f32(name, values);
  return values;
}

template <typename Expected, typename Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Expected& error) {
    return error.what();
  }
  return "no error";
}

// What safetensors 0.8 writes for float32 [[1, 2, 3], [4, 5, 6]] and float16 [0.5, -2].
std::string saved_by_python() {
  return "\x98\x00\x00\x00\x00\x00\x00\x00"s +
         R"({"__metadata__":{"format":"pt"},"weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)" +
         R"("bias":{"dtype":"F16","shape":[2],"data_offsets":[24,28]}} )" +
         "\x00\x00\x80?\x00\x00\x00@\x00\x00@@\x00\x00\x80@\x00\x00\xa0@\x00\x00\xc0@\x00"s + "8\x00\xc0"s;
}

TEST(SafeTensors, ReadsWhatPythonWrites) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("model.safetensors"), saved_by_python());
  const SafeTensors tensors = SafeTensors::open(folder.path("model.safetensors"));
  EXPECT_THAT(tensors.names(), ElementsAre("bias", "weight"));
  EXPECT_THAT(tensors.info("weight").shape, ElementsAre(2, 3));
  EXPECT_EQ(tensors.info("bias").dtype, "F16");
  EXPECT_THAT(copy(tensors, "weight"), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(copy(tensors, "bias"), ElementsAre(0.5F, -2));
  EXPECT_EQ(tensors.info("bias").size, 4U);
}

TEST(SafeTensors, FindsTheFileInAFolder) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("model.safetensors"), saved_by_python());
  EXPECT_TRUE(SafeTensors::open(folder.folder()).contains("weight"));
}

TEST(SafeTensors, RoundTripsEveryTypeItWrites) {
  const TemporaryFolder folder;
  const std::vector<float> values = {1.0F / 3, -65504, 1e-7F};
  write_safetensors(folder.path("x"), {{"full", {3}, values},
                                       {"half", {3, 1}, values, "F16"},
                                       {"brain", {1, 3}, values, "BF16"},
                                       {"scalar", {}, std::span(values).first(1)},
                                       {"none", {0, 5}, {}}});
  const SafeTensors tensors = SafeTensors::open(folder.path("x"));
  EXPECT_EQ(copy(tensors, "full"), values);
  EXPECT_THAT(copy(tensors, "half"), ElementsAre(0x1.554p-2F, -65504, 0x1p-23F));
  EXPECT_THAT(copy(tensors, "brain"), ElementsAre(0x1.56p-2F, -65536, 0x1.aep-24F));
  EXPECT_THAT(copy(tensors, "scalar"), ElementsAre(values[0]));
  EXPECT_THAT(tensors.info("none").shape, ElementsAre(0, 5));
  EXPECT_EQ(tensors.info("brain").offset % 2, 0U);
}

TEST(SafeTensors, ListsTypesItCannotConvertAndRefusesOnlyToConvertThem) {
  const TemporaryFolder folder;
  const std::string header = R"({"position_ids":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})";
  test::write_bytes(folder.path("x"),
                    static_cast<char>(header.size()) + std::string(7, '\0') + header + std::string(8, '\1'));
  const SafeTensors tensors = SafeTensors::open(folder.path("x"));
  EXPECT_EQ(tensors.info("position_ids").dtype, "I64");
  EXPECT_THAT(message_of<DataError>([&] { copy(tensors, "position_ids"); }),
              HasSubstr("the tensor \"position_ids\" holds I64 values; expected F32, F16 or BF16"));
}

TEST(SafeTensors, NamesTheTensorThatIsMissing) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), saved_by_python());
  const SafeTensors tensors = SafeTensors::open(folder.path("x"));
  EXPECT_EQ(message_of<DataError>([&] { tensors.info("nothing"); }),
            folder.path("x").string() + ": there is no tensor \"nothing\"");
}

TEST(SafeTensors, SaysWhichShapeWasExpected) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), saved_by_python());
  const SafeTensors tensors = SafeTensors::open(folder.path("x"));
  EXPECT_EQ(tensors.info("weight", {2, 3}).count, 6);
  EXPECT_THAT(message_of<DataError>([&] {
                tensors.info("weight", {3, 2});
              }),
              HasSubstr("the tensor \"weight\" has shape (2, 3), expected (3, 2)"));
}

TEST(SafeTensors, RefusesToCopyIntoTheWrongNumberOfValues) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), saved_by_python());
  const SafeTensors tensors = SafeTensors::open(folder.path("x"));
  std::vector<float> values(5);
  EXPECT_THROW(tensors.copy_f32("weight", values), UsageError);
}

TEST(SafeTensors, StaysReadableWhenMoved) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), saved_by_python());
  SafeTensors tensors = SafeTensors::open(folder.path("x"));
  const SafeTensors moved = std::move(tensors);
  EXPECT_THAT(copy(moved, "bias"), ElementsAre(0.5F, -2));
}

TEST(SafeTensors, ReadsTensorsOfManyPieces) {
  const TemporaryFolder folder;
  std::vector<float> values(200'003);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 251) - 100;
  const auto count = static_cast<Index>(values.size());
  write_safetensors(folder.path("x"),
                    {{"f32", {count}, values}, {"f16", {count}, values, "F16"}, {"bf16", {count}, values, "BF16"}});
  const SafeTensors tensors = SafeTensors::open(folder.path("x"));
  for (const char* name : {"f32", "f16", "bf16"}) EXPECT_EQ(copy(tensors, name), values) << name;
}

TEST(SafeTensors, SaysThatItsFileWasShortened) {
  const TemporaryFolder folder;
  const std::vector<float> values(100'000, 1);
  write_safetensors(folder.path("x"), {{"a", {100'000}, values}, {"b", {100'000}, values, "F16"}});
  const SafeTensors tensors = SafeTensors::open(folder.path("x"));
  std::filesystem::resize_file(folder.path("x"), 1000);
  const std::string message = folder.path("x").string() + " was shortened while it was being read";
  EXPECT_EQ(message_of<FileError>([&] { copy(tensors, "a"); }), message);
  EXPECT_EQ(message_of<FileError>([&] { copy(tensors, "b"); }), message);
}

TEST(SafeTensors, SaysThatItsFileWasChangedAfterItWasOpened) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), saved_by_python());
  const SafeTensors tensors = SafeTensors::open(folder.path("x"));
  tensors.check_unchanged();
  test::write_bytes(folder.path("x"), saved_by_python() + "more");
  const std::string message = folder.path("x").string() + " was changed while it was being read";
  EXPECT_EQ(message_of<FileError>([&] { copy(tensors, "bias"); }), message);
  EXPECT_EQ(message_of<FileError>([&] { tensors.check_unchanged(); }), message);
}

TEST(SafeTensors, CopiesRowsAsTheyAreStored) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), saved_by_python());
  const SafeTensors tensors = SafeTensors::open(folder.path("x"));
  std::vector<float> row(3);
  tensors.copy_rows("weight", 1, 1, std::as_writable_bytes(std::span(row)));
  EXPECT_THAT(row, ElementsAre(4, 5, 6));
  std::vector<std::uint16_t> halves(2);
  tensors.copy_rows("bias", 0, 1, std::as_writable_bytes(std::span(halves)));
  EXPECT_THAT(halves, ElementsAre(0x3800, 0xc000));
  const auto totals = tensors.totals_by_type();
  EXPECT_EQ(totals.at("F32").bytes, 24U);
  EXPECT_EQ(totals.at("F32").values, 6U);
  EXPECT_EQ(totals.at("F16").bytes, 4U);
  std::vector<std::byte> bytes(12);
  EXPECT_THROW(tensors.copy_rows("weight", 2, 1, bytes), UsageError);
  EXPECT_THROW(tensors.copy_rows("weight", -1, 1, bytes), UsageError);
  EXPECT_THROW(tensors.copy_rows("weight", 0, 2, bytes), UsageError);
}

TEST(SafeTensors, TellsWhichFileItCameFrom) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("model.safetensors"), saved_by_python());
  const auto files = SafeTensors::open(folder.folder()).source_files();
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].path, folder.path("model.safetensors"));
  EXPECT_EQ(files[0].stamp, stamp_of(folder.path("model.safetensors")));
}

TEST(SafeTensors, SaysWhatAFolderWithoutWeightsLacks) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("pytorch_model.bin"), "a pickle");
  const std::string message = message_of<FileError>([&] { SafeTensors::open(folder.folder()); });
  EXPECT_THAT(message, HasSubstr("holds neither model.safetensors nor model.safetensors.index.json"));
  EXPECT_THAT(message, HasSubstr("pytorch_model.bin is a pickle"));
}

TEST(WriteSafetensors, RefusesTensorsThatDoNotFit) {
  const TemporaryFolder folder;
  const std::vector<float> values = {1, 2};
  EXPECT_THROW(write_safetensors(folder.path("x"), {{"a", {3}, values}}), DataError);
  EXPECT_THROW(write_safetensors(folder.path("x"), {{"a", {2}, values}, {"a", {2}, values}}), DataError);
  EXPECT_THROW(write_safetensors(folder.path("x"), {{"a", {2}, values, "I64"}}), DataError);
  EXPECT_THROW(write_safetensors(folder.path("x"), {{"\xff", {2}, values}}), DataError);
  EXPECT_FALSE(std::filesystem::exists(folder.path("x")));
}

}  // namespace
}  // namespace wordsway
