#include "wordsway/io/mapped_file.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/bytes.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using test::TemporaryFolder;

std::string text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(MappedFile, ShowsTheBytesOfTheFile) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), "some bytes");
  EXPECT_EQ(text_of(MappedFile(folder.path("x"))), "some bytes");
}

TEST(MappedFile, ShowsAnEmptyFileAsNoBytes) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), "");
  EXPECT_TRUE(MappedFile(folder.path("x")).bytes().empty());
}

TEST(MappedFile, KeepsItsBytesWhenMoved) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), "first");
  test::write_bytes(folder.path("y"), "second");
  MappedFile file(folder.path("x"));
  MappedFile moved(std::move(file));
  EXPECT_EQ(text_of(moved), "first");
  moved = MappedFile(folder.path("y"));
  EXPECT_EQ(text_of(moved), "second");
}

TEST(MappedFile, RefusesAPipeInsteadOfWaitingForIt) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  try {
    MappedFile file(folder.path("pipe"));
    FAIL() << "mapped a pipe";
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("it is not a regular file"));
  }
}

TEST(MappedFile, RefusesMissingFilesAndFolders) {
  const TemporaryFolder folder;
  EXPECT_THROW(MappedFile(folder.path("none")), FileError);
  EXPECT_THROW(MappedFile(folder.folder()), FileError);
}

}  // namespace
}  // namespace wordsway
