#include "wordsway/io/source_files.h"

#include <fstream>

#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/temporary_folder.h"
#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class SourceFilesTest : public testing::Test {
 protected:
  SourceFile file(const std::string& content) const {
    test::write_bytes(path_, content);
    return note_file("weights", path_);
  }
  // A cache for everything, however small and new.
  DigestCache eager() const { return {folder_.path("cache"), 0, -1'000'000'000}; }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path("model.safetensors");
};

TEST_F(SourceFilesTest, HaveTheDigestOfTheirBytes) {
  std::string content(3'000'000, 'a');
  const std::string digest = digest_of_file(file(content));
  EXPECT_TRUE(is_digest(digest)) << digest;
  Digest whole;
  whole.add_bytes(std::as_bytes(std::span(content)));
  EXPECT_EQ(digest, whole.text());
  content.back() = 'b';
  EXPECT_NE(digest, digest_of_file(file(content)));
  EXPECT_EQ(digest_of_file(file("")), Digest().text());
}

TEST_F(SourceFilesTest, AreRefusedWhenTheyWereChangedAfterTheyWereRead) {
  const SourceFile noted = file("first");
  test::write_bytes(path_, "second content");
  EXPECT_THAT([&] { digest_of_file(noted); },
              ThrowsMessage<FileError>(HasSubstr("was changed after it had been read")));
}

TEST_F(SourceFilesTest, AreListedWithWhatTheyHold) {
  const SourceFile noted = file("bytes");
  EXPECT_EQ(FileContent({noted}).fields(), (Record{{"weights in model.safetensors", digest_of_file(noted)}}));
  EXPECT_TRUE(FileContent().empty());
}

TEST_F(SourceFilesTest, AreCachedOnlyWhenTheyAreLargeAndOld) {
  const SourceFile noted = file("some weights");
  DigestCache cache = eager();
  cache.least_bytes = 1000;
  digest_of_file(noted, cache);
  EXPECT_FALSE(std::filesystem::exists(cache.folder)) << "too small";
  cache = eager();
  cache.least_age_ns = 60'000'000'000;
  digest_of_file(noted, cache);
  EXPECT_FALSE(std::filesystem::exists(cache.folder)) << "changed a moment ago";
  digest_of_file(noted, eager());
  EXPECT_TRUE(std::filesystem::exists(cache.folder));
}

TEST_F(SourceFilesTest, TakeWhatTheCacheKnowsOfTheSameStampAlone) {
  const SourceFile noted = file("some weights");
  const std::string digest = digest_of_file(noted, eager());
  const auto entry = std::filesystem::directory_iterator(eager().folder / "digests")->path();
  std::string line = test::read_bytes(entry);
  ASSERT_THAT(line, HasSubstr(digest));
  const std::string other = "xxh3:" + std::string(32, '1');
  test::write_bytes(entry, line.replace(line.find("xxh3:"), other.size(), other));
  EXPECT_EQ(digest_of_file(noted, eager()), other) << "the cache was asked";
  EXPECT_EQ(digest_of_file(noted), digest) << "a small file is always read";
  for (const std::string& broken : std::vector<std::string>{"", "nonsense\n", "1 2 3 4 5 " + other + "\n"}) {
    test::write_bytes(entry, broken);
    EXPECT_EQ(digest_of_file(noted, eager()), digest) << broken;
  }
}

TEST_F(SourceFilesTest, DoWithoutACacheThatCannotBeWritten) {
  const SourceFile noted = file("some weights");
  EXPECT_EQ(digest_of_file(noted, {"/dev/null/cache", 0, -1'000'000'000}), digest_of_file(noted));
}

}  // namespace
}  // namespace wordsway
