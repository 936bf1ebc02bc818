#include "wordsway/io/gguf.h"

#include <bit>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bytes.h"
#include "support/gguf_bytes.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "support/tensor_files.h"
#include "wordsway/core/error.h"
#include "wordsway/io/gguf_blocks.h"
#include "wordsway/io/safetensors.h"

namespace wordsway {
namespace {

using test::copy_f32;
using test::gguf_key;
using test::gguf_tensor;
using test::gguf_with_keys;
using test::gguf_with_tensors;
using test::GgufParts;
using test::message_of;
using test::TemporaryFolder;
using test::text;
using test::u32;
using test::u64;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::uint32_t> bits(const std::vector<float>& values) {
  std::vector<std::uint32_t> result;
  for (const float value : values) result.push_back(std::bit_cast<std::uint32_t>(value));
  return result;
}

// Opens a file of these bytes in a folder that lives as long as it.
struct Opened {
  explicit Opened(const std::string& content) : file((test::write_bytes(path, content), GgufFile::open(path))) {}
  TemporaryFolder folder;
  std::filesystem::path path = folder.path("x.gguf");
  GgufFile file;
};

// ------------------------------------------------------------------------------- as the package gguf writes and reads

std::filesystem::path golden() {
  return test::source_folder() / "tests/golden/gguf";
}

// Bit for bit, every type: products are exact in float32 (io/gguf_blocks.h), and the package rounds the differences of
// Q4_K and Q5_K to float32 as well.
TEST(GgufFile, ReadsEveryTypeAsThePackageDoes) {
  const GgufFile file = GgufFile::open(golden() / "types.gguf");
  const SafeTensors expected = SafeTensors::open(golden() / "expected.safetensors");
  EXPECT_EQ(file.names(), expected.names());
  for (const std::string& name : file.names()) {
    EXPECT_EQ(file.info(name).dtype, name.substr(0, name.find('.')));
    EXPECT_EQ(file.info(name).shape, expected.info(name).shape) << name;
    EXPECT_EQ(bits(copy_f32(file, name)), bits(copy_f32(expected, name))) << name;
  }
}

TEST(GgufFile, ReadsRowsAsItReadsTheWhole) {
  const GgufFile file = GgufFile::open(golden() / "types.gguf");
  for (const std::string& name : file.names()) {
    const std::vector<float> whole = copy_f32(file, name);
    const auto columns = static_cast<size_t>(file.info(name).shape.back());
    const size_t rows = whole.size() / columns;
    for (size_t first = 0; first <= rows; ++first) {
      std::vector<float> part((rows - first) * columns);
      file.copy_rows_f32(name, static_cast<Index>(first), static_cast<Index>(rows - first), part);
      EXPECT_EQ(bits(part), bits({whole.end() - static_cast<std::ptrdiff_t>(part.size()), whole.end()})) << name;
    }
  }
}

TEST(GgufMetadata, HasTheValuesThatThePackageWrote) {
  const GgufFile file = GgufFile::open(golden() / "types.gguf");
  const GgufMetadata& metadata = file.metadata();
  EXPECT_EQ(file.version(), 3U);
  EXPECT_EQ(metadata.text("general.architecture"), "llama");
  EXPECT_EQ(metadata.integer("test.u8"), 200);
  EXPECT_EQ(metadata.integer("test.i8"), -100);
  EXPECT_EQ(metadata.integer("test.u16"), 60000);
  EXPECT_EQ(metadata.integer("test.i16"), -30000);
  EXPECT_EQ(metadata.integer("test.u32"), 4000000000);
  EXPECT_EQ(metadata.integer("test.i32"), -2000000000);
  EXPECT_EQ(metadata.integer("test.u64"), std::numeric_limits<Index>::max());
  EXPECT_EQ(metadata.integer("test.i64"), std::numeric_limits<Index>::min());
  EXPECT_EQ(metadata.number("test.f32"), static_cast<double>(0.1F));
  EXPECT_EQ(metadata.number("test.f64"), 0.1);
  EXPECT_EQ(metadata.number("test.i16"), -30000);
  EXPECT_TRUE(metadata.flag("test.bool"));
  EXPECT_EQ(metadata.text("test.string"), "a café");
  EXPECT_THAT(metadata.texts("test.strings"), ElementsAre("one", "", "zwölf"));
  EXPECT_THAT(metadata.texts("test.tokens"), ElementsAre("\xe2\x96", std::string(1, '\0'), "ab"));
  EXPECT_THAT(metadata.integers("test.integers"), ElementsAre(1, -2, 3));
  EXPECT_THAT(metadata.numbers("test.integers"), ElementsAre(1, -2, 3));
  EXPECT_THAT(metadata.numbers("test.numbers"), ElementsAre(0.5, -0.25));
  EXPECT_THAT(metadata.flags("test.flags"), ElementsAre(true, false, true));
  EXPECT_EQ(metadata.keys().size(), 20U);
  EXPECT_TRUE(metadata.is_array("test.flags"));
  EXPECT_FALSE(metadata.is_array("test.bool"));
}

// ---------------------------------------------------------------------------------------------------------- metadata

TEST(GgufMetadata, NamesTheFileAndTheKeyThatIsMissing) {
  const Opened opened(GgufParts().bytes());
  EXPECT_FALSE(opened.file.metadata().contains("k"));
  EXPECT_EQ(message_of<DataError>([&] { opened.file.metadata().text("k"); }),
            opened.path.string() + ": there is no key \"k\"");
}

TEST(GgufMetadata, SaysWhichTypeWasExpected) {
  const Opened opened(gguf_with_keys({gguf_key("k", 4, u32(7)), gguf_key("list", 9, u32(8) + u64(0))}));
  const GgufMetadata& metadata = opened.file.metadata();
  const std::string start = opened.path.string() + ": the key \"k\" holds a value of type u32; expected ";
  EXPECT_EQ(message_of<DataError>([&] { metadata.text("k"); }), start + "a string");
  EXPECT_EQ(message_of<DataError>([&] { metadata.flag("k"); }), start + "a bool");
  EXPECT_EQ(message_of<DataError>([&] { metadata.integers("k"); }), start + "an array of integers");
  EXPECT_THAT(message_of<DataError>([&] { metadata.number("list"); }),
              HasSubstr("the key \"list\" holds an array of string; expected a number"));
  EXPECT_THAT(message_of<DataError>([&] { metadata.flags("list"); }), HasSubstr("expected an array of bool"));
  EXPECT_THAT(metadata.texts("list"), ElementsAre());
}

TEST(GgufMetadata, RefusesIntegersThatDoNotFit) {
  const GgufFile file = GgufFile::open(golden() / "types.gguf");
  EXPECT_THAT(message_of<DataError>([&] { file.metadata().integer("test.u64_large"); }),
              HasSubstr("the key \"test.u64_large\" holds an integer above 9223372036854775807"));
}

TEST(GgufMetadata, RefusesATextThatIsNotUtf8ButNotAToken) {
  const Opened opened(
      gguf_with_keys({gguf_key("name", 8, text("\xff")), gguf_key("tokens", 9, u32(8) + u64(1) + text("\xff"))}));
  EXPECT_THAT(message_of<DataError>([&] { opened.file.metadata().text("name"); }),
              HasSubstr("the key \"name\" holds a string that is not UTF-8"));
  EXPECT_THAT(opened.file.metadata().texts("tokens"), ElementsAre("\xff"));
}

// A front of many pieces: keys after a long vocabulary, and tensors after those.
TEST(GgufMetadata, ReadsLongVocabularies) {
  constexpr size_t kTokens = 200'000;
  std::string tokens = u32(8) + u64(kTokens);
  for (size_t i = 0; i < kTokens; ++i) tokens += text("token " + std::to_string(i));
  const Opened opened(gguf_with_keys({gguf_key("tokens", 9, tokens), gguf_key("after", 0, "\7")}));
  const std::vector<std::string> read = opened.file.metadata().texts("tokens");
  ASSERT_EQ(read.size(), kTokens);
  for (size_t i = 0; i < kTokens; i += 997) EXPECT_EQ(read[i], "token " + std::to_string(i));
  EXPECT_EQ(opened.file.metadata().integer("after"), 7);
  EXPECT_THAT(copy_f32(opened.file, "a"), ElementsAre(1, 2));
}

// ----------------------------------------------------------------------------------------------------------- tensors

TEST(GgufFile, ReadsVersionTwo) {
  GgufParts parts;
  parts.version = 2;
  const Opened opened(parts.bytes());
  EXPECT_EQ(opened.file.version(), 2U);
  EXPECT_THAT(opened.file.names(), ElementsAre("a", "b"));
  EXPECT_THAT(opened.file.info("a").shape, ElementsAre(1, 2));
  EXPECT_THAT(copy_f32(opened.file, "a"), ElementsAre(1, 2));
  EXPECT_THAT(copy_f32(opened.file, "b"), testing::Each(3));
}

TEST(GgufFile, ReadsFilesWithoutTensors) {
  GgufParts parts;
  parts.tensors.clear();
  parts.tensor_count = 0;
  parts.data.clear();
  EXPECT_TRUE(Opened(parts.bytes()).file.names().empty());
  parts.alignment = 1;  // no padding either
  EXPECT_TRUE(Opened(parts.bytes()).file.names().empty());
}

TEST(GgufFile, ReadsScalarsAndTensorsOfNoSizeAndPaddingAtTheEnd) {
  const Opened opened(gguf_with_tensors(
      {gguf_tensor("none", {0, 3}, 0, 16), gguf_tensor("scalar", {}, 0, 0), gguf_tensor("last", {1}, 0, 16)}, 32));
  EXPECT_THAT(opened.file.info("none").shape, ElementsAre(3, 0));
  EXPECT_THAT(copy_f32(opened.file, "none"), ElementsAre());
  EXPECT_THAT(copy_f32(opened.file, "scalar"), ElementsAre(0));
  opened.file.copy_rows_f32("none", 0, 0, {});
}

TEST(GgufFile, TakesAlignment32WhereNoneIsGiven) {
  GgufParts parts;
  parts.keys.clear();
  parts.key_count = 0;
  parts.tensors[1] = gguf_tensor("b", {32}, 8, 32);
  parts.data.insert(8, 16, '\0');
  parts.alignment = 32;
  EXPECT_THAT(copy_f32(Opened(parts.bytes()).file, "b"), testing::Each(3));
}

TEST(GgufFile, ListsTypesItDoesNotReadAndRefusesThemByName) {
  const Opened opened(gguf_with_tensors({gguf_tensor("a", {32}, 6, 0), gguf_tensor("b", {256}, 16, 32)}, 98));
  EXPECT_EQ(opened.file.info("b").dtype, "IQ2_XXS");
  EXPECT_EQ(message_of<DataError>([&] { copy_f32(opened.file, "a"); }),
            opened.path.string() +
                ": the tensor \"a\" is of type Q5_0; expected F32, F16, Q4_0, Q8_0, Q4_K, Q5_K, Q6_K or BF16");
  EXPECT_THAT(message_of<DataError>([&] { copy_f32(opened.file, "b"); }), HasSubstr("is of type IQ2_XXS"));
}

TEST(GgufFile, NamesTheTensorThatIsMissingOrOfAnotherShape) {
  const Opened opened(GgufParts().bytes());
  EXPECT_EQ(message_of<DataError>([&] { opened.file.info("nothing"); }),
            opened.path.string() + ": there is no tensor \"nothing\"");
  EXPECT_EQ(opened.file.info("a", {1, 2}).count, 2);
  EXPECT_THAT(message_of<DataError>([&] {
                opened.file.info("a", {2, 1});
              }),
              HasSubstr("the tensor \"a\" has shape (1, 2), expected (2, 1)"));
}

TEST(GgufFile, RefusesToCopyIntoTheWrongNumberOfValuesOrRows) {
  const Opened opened(GgufParts().bytes());
  std::vector<float> values(3);
  const auto rows = [&](Index first, Index count, size_t size) {
    opened.file.copy_rows_f32("a", first, count, std::span(values).first(size));
  };
  EXPECT_THROW(opened.file.copy_f32("a", values), UsageError);
  EXPECT_THROW(rows(0, 1, 3), UsageError);
  EXPECT_THROW(rows(0, 2, 2), UsageError);
  EXPECT_THROW(rows(1, 1, 2), UsageError);
  EXPECT_THROW(rows(-1, 1, 2), UsageError);
  EXPECT_THROW(rows(0, -1, 2), UsageError);
  EXPECT_THROW(rows(1, std::numeric_limits<Index>::max(), 2), UsageError);
  EXPECT_NO_THROW(rows(1, 0, 0));
}

// 2^16 values are read at once.
TEST(GgufFile, ReadsTensorsOfManyPieces) {
  constexpr size_t kBlocks = 5000;
  std::string blocks;
  for (size_t i = 0; i < kBlocks; ++i) blocks += std::string("\0\x3c", 2) + std::string(32, static_cast<char>(i % 100));
  GgufParts parts;
  parts.tensors = {gguf_tensor("a", {64, kBlocks / 2}, 8, 0)};
  parts.tensor_count = 1;
  parts.data = blocks;
  const Opened opened(parts.bytes());
  const std::vector<float> values = copy_f32(opened.file, "a");
  for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], static_cast<float>(i / 32 % 100)) << i;
  std::vector<float> rows(2400 * 64);
  opened.file.copy_rows_f32("a", 100, 2400, rows);
  EXPECT_TRUE(std::equal(rows.begin(), rows.end(), values.begin() + 6400));
}

TEST(GgufFile, LeavesValuesThatAreNotFiniteToItsCaller) {
  GgufParts parts;
  parts.data.replace(16, 2, "\x00\x7c", 2);  // an infinite scale
  const Opened opened(parts.bytes());
  EXPECT_TRUE(std::isinf(copy_f32(opened.file, "b")[0]));
}

TEST(GgufFile, SaysThatItsFileWasShortenedOrChanged) {
  const Opened opened(GgufParts().bytes());
  opened.file.check_unchanged();
  test::write_bytes(opened.path, GgufParts().bytes() + "more");
  const std::string changed = opened.path.string() + " was changed while it was being read";
  EXPECT_EQ(message_of<FileError>([&] { copy_f32(opened.file, "a"); }), changed);
  EXPECT_EQ(message_of<FileError>([&] { opened.file.check_unchanged(); }), changed);
  std::filesystem::resize_file(opened.path, 100);
  EXPECT_EQ(message_of<FileError>([&] { copy_f32(opened.file, "b"); }),
            opened.path.string() + " was shortened while it was being read");
}

TEST(GgufFile, StaysReadableWhenMovedAndKnowsItsFile) {
  Opened opened(GgufParts().bytes());
  const GgufFile moved = std::move(opened.file);
  EXPECT_THAT(copy_f32(moved, "a"), ElementsAre(1, 2));
  EXPECT_EQ(moved.path(), opened.path);
  EXPECT_EQ(moved.stamp(), stamp_of(opened.path));
}

TEST(GgufFile, SaysThatThereIsNoFile) {
  const TemporaryFolder folder;
  EXPECT_THROW(GgufFile::open(folder.path("none.gguf")), FileError);
  EXPECT_THROW(GgufFile::open(folder.folder()), FileError);
}

}  // namespace
}  // namespace wordsway
