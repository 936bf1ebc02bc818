// Models spread over several files, as model.safetensors.index.json lists them.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bytes.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/io/safetensors.h"
#include "wordsway/io/safetensors_writer.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ShardedSafeTensors : public testing::Test {
 protected:
  void write_shard(const std::string& file, const std::string& tensor, float value) {
    write_safetensors(folder_.path(file), {{tensor, {1}, std::span(&value, 1)}});
  }
  void write_index(const std::string& text) { test::write_bytes(folder_.path("model.safetensors.index.json"), text); }
  SafeTensors open() const { return SafeTensors::open(folder_.folder()); }

  template <typename Expected>
  std::string message() const {
    try {
      open();
    } catch (const Expected& error) {
      return error.what();
    }
    return "no error";
  }

  test::TemporaryFolder folder_;
};

TEST_F(ShardedSafeTensors, AreReadAsOne) {
  write_shard("one.safetensors", "a", 1);
  write_shard("two.safetensors", "b", 2);
  write_index(R"({"metadata": {"total_size": 8}, "weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})");
  const SafeTensors tensors = open();
  EXPECT_THAT(tensors.names(), ElementsAre("a", "b"));
  float value = 0;
  tensors.copy_f32("b", std::span(&value, 1));
  EXPECT_EQ(value, 2);
}

TEST_F(ShardedSafeTensors, TellWhichFilesTheyCameFromTheIndexFirst) {
  write_shard("one.safetensors", "a", 1);
  write_shard("two.safetensors", "b", 2);
  write_index(R"({"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})");
  const auto files = open().source_files();
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(file.path.filename().string());
  EXPECT_THAT(names, ElementsAre("model.safetensors.index.json", "one.safetensors", "two.safetensors"));
  for (const auto& file : files) EXPECT_EQ(file.stamp, stamp_of(file.path));
}

TEST_F(ShardedSafeTensors, NoticeThatTheIndexWasChanged) {
  write_shard("one.safetensors", "a", 1);
  write_index(R"({"weight_map": {"a": "one.safetensors"}})");
  const SafeTensors tensors = open();
  write_index(R"({"weight_map": {"a": "another.safetensors"}})");
  EXPECT_THROW(tensors.check_unchanged(), FileError);
}

TEST_F(ShardedSafeTensors, NameTheShardThatIsMissing) {
  write_shard("one.safetensors", "a", 1);
  write_index(R"({"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})");
  EXPECT_THAT(message<FileError>(), HasSubstr("two.safetensors: No such file"));
}

TEST_F(ShardedSafeTensors, NameTheTensorThatIsNotInItsShard) {
  write_shard("one.safetensors", "a", 1);
  write_index(R"({"weight_map": {"a": "one.safetensors", "b": "one.safetensors"}})");
  EXPECT_THAT(message<DataError>(), HasSubstr("index.json: the tensor \"b\" is not in "));
}

TEST_F(ShardedSafeTensors, NameTheTensorThatIsInAnotherShard) {
  write_shard("one.safetensors", "a", 1);
  write_shard("two.safetensors", "b", 2);
  write_index(R"({"weight_map": {"a": "two.safetensors", "b": "one.safetensors"}})");
  EXPECT_THAT(message<DataError>(),
              HasSubstr("the tensor \"a\" is not in " + folder_.path("two.safetensors").string()));
}

TEST_F(ShardedSafeTensors, NameTheTensorThatIsInTwoShards) {
  write_shard("one.safetensors", "a", 1);
  write_shard("two.safetensors", "a", 2);
  write_index(R"({"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})");
  EXPECT_THAT(message<DataError>(), HasSubstr("two.safetensors: the tensor \"a\" is in "));
}

TEST_F(ShardedSafeTensors, NameTheShardThatIsMalformed) {
  test::write_bytes(folder_.path("one.safetensors"), "short");
  write_index(R"({"weight_map": {"a": "one.safetensors"}})");
  EXPECT_THAT(message<DataError>(), HasSubstr("one.safetensors: a safetensors file has at least 8 bytes"));
}

// Caches of the hub keep their files elsewhere and link to them, so a link is followed wherever it leads.
TEST_F(ShardedSafeTensors, MayBeLinksToOtherFolders) {
  const test::TemporaryFolder elsewhere;
  const float value = 3;
  write_safetensors(elsewhere.path("blob"), {{"a", {1}, std::span(&value, 1)}});
  std::filesystem::create_symlink(elsewhere.path("blob"), folder_.path("one.safetensors"));
  write_index(R"({"weight_map": {"a": "one.safetensors"}})");
  EXPECT_THAT(open().names(), ElementsAre("a"));
  std::filesystem::remove(folder_.path("one.safetensors"));
  std::filesystem::create_symlink("one.safetensors", folder_.path("one.safetensors"));
  EXPECT_THAT(message<FileError>(), HasSubstr("one.safetensors"));
}

TEST_F(ShardedSafeTensors, RefuseMalformedIndexes) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "the index is malformed: it is not valid JSON"},
      {"[]", "no weight_map"},
      {R"({"metadata": {}})", "no weight_map"},
      {R"({"weight_map": []})", "no weight_map"},
      {R"({"weight_map": {}})", "no weight_map"},
      {R"({"weight_map": {"a": 1}})", "the file of the tensor \"a\" is not a plain file name"},
      {R"({"weight_map": {"a": ""}})", "not a plain file name"},
      {R"({"weight_map": {"a": ".."}})", "not a plain file name"},
      {R"({"weight_map": {"a": "/etc/passwd"}})", "not a plain file name"},
      {R"({"weight_map": {"a": "../other/model.safetensors"}})", "not a plain file name"},
      {R"({"weight_map": {"a": "x\u0000.safetensors"}})", "not a plain file name"},
      {R"({"weight_map": {"a": "x", "a": "y"}})", "the key \"a\" comes twice"}};
  for (const auto& [index, fault] : cases) {
    write_index(index);
    EXPECT_THAT(message<DataError>(), HasSubstr(fault)) << index;
  }
}

}  // namespace
}  // namespace wordsway
