#include "wordsway/io/input_file.h"

#include <chrono>
#include <filesystem>
#include <span>
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
using testing::HasSubstr;

std::string text_of(const InputFile& file, size_t offset, size_t count) {
  std::string text(count, '\0');
  file.read(offset, std::as_writable_bytes(std::span(text)));
  return text;
}

template <typename Action>
std::string file_error_of(const Action& action) {
  try {
    action();
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(InputFile, ReadsTheBytesOfTheFileWhereAsked) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), "some bytes");
  const InputFile file(folder.path("x"));
  EXPECT_EQ(file.size(), 10U);
  EXPECT_EQ(file.path(), folder.path("x"));
  EXPECT_EQ(text_of(file, 0, 10), "some bytes");
  EXPECT_EQ(text_of(file, 5, 3), "byt");
  EXPECT_EQ(text_of(file, 10, 0), "");
}

TEST(InputFile, ShowsAnEmptyFileAsNoBytes) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), "");
  EXPECT_EQ(InputFile(folder.path("x")).size(), 0U);
}

TEST(InputFile, KeepsItsFileWhenMoved) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), "first");
  test::write_bytes(folder.path("y"), "second");
  InputFile file(folder.path("x"));
  InputFile moved(std::move(file));
  EXPECT_EQ(text_of(moved, 0, 5), "first");
  moved = InputFile(folder.path("y"));
  EXPECT_EQ(text_of(moved, 0, 6), "second");
  EXPECT_EQ(moved.path(), folder.path("y"));
}

TEST(InputFile, RefusesAPipeInsteadOfWaitingForIt) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(file_error_of([&] { InputFile(folder.path("pipe")); }), HasSubstr("it is not a regular file"));
}

TEST(InputFile, RefusesMissingFilesAndFoldersByName) {
  const TemporaryFolder folder;
  EXPECT_EQ(file_error_of([&] { InputFile(folder.path("none")); }),
            "cannot read " + folder.path("none").string() + ": No such file or directory");
  EXPECT_EQ(file_error_of([&] { InputFile(folder.folder()); }),
            "cannot read " + folder.folder().string() + ": it is a folder, expected a file");
}

TEST(InputFile, SaysThatTheFileWasShortened) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), std::string(100'000, 'x'));
  const InputFile file(folder.path("x"));
  std::filesystem::resize_file(folder.path("x"), 10);
  EXPECT_EQ(text_of(file, 0, 10), "xxxxxxxxxx");
  EXPECT_EQ(file_error_of([&] { text_of(file, 90'000, 10'000); }),
            folder.path("x").string() + " was shortened while it was being read");
}

TEST(InputFile, NeverReadsBeyondTheSizeItHadWhenOpened) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), "12345");
  const InputFile file(folder.path("x"));
  EXPECT_THROW(text_of(file, 3, 3), InternalError);
  EXPECT_THROW(text_of(file, 6, 0), InternalError);
}

TEST(InputFile, TellsAChangedFileFromAnUntouchedOne) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), "before");
  const auto changed_by = [&](const auto& change) {
    const InputFile file(folder.path("x"));
    file.check_unchanged();
    change();
    return file_error_of([&] { file.check_unchanged(); });
  };
  using namespace std::chrono_literals;
  const std::string message = folder.path("x").string() + " was changed while it was being read";
  const auto old = std::filesystem::last_write_time(folder.path("x"));
  EXPECT_EQ(changed_by([] {}), "no error");
  EXPECT_EQ(changed_by([&] { test::write_bytes(folder.path("x"), "longer than before"); }), message);
  EXPECT_EQ(changed_by([&] { std::filesystem::last_write_time(folder.path("x"), old - 1h); }), message);
}

TEST(FileStamp, IsThatOfTheFileALinkPointsTo) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), "content");
  std::filesystem::create_symlink("x", folder.path("link"));
  EXPECT_EQ(stamp_of(folder.path("link")), InputFile(folder.path("x")).stamp());
  EXPECT_EQ(stamp_of(folder.path("x")).size, 7U);
}

TEST(FileStamp, DiffersBetweenFilesAndAfterAChange) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), "content");
  test::write_bytes(folder.path("y"), "content");
  const FileStamp before = stamp_of(folder.path("x"));
  EXPECT_NE(before, stamp_of(folder.path("y")));
  test::write_bytes(folder.path("x"), "other content");
  EXPECT_NE(before, stamp_of(folder.path("x")));
}

TEST(Paths, AreToldApart) {
  const TemporaryFolder folder;
  test::write_bytes(folder.path("x"), "");
  EXPECT_TRUE(path_exists(folder.path("x")));
  EXPECT_FALSE(path_is_folder(folder.path("x")));
  EXPECT_TRUE(path_is_folder(folder.folder()));
  EXPECT_FALSE(path_exists(folder.path("none")));
  EXPECT_FALSE(path_is_folder(folder.path("x") / "inside a file"));
}

TEST(Paths, ThatTheSystemRefusesAreFileErrors) {
  const std::string name(5000, 'x');
  EXPECT_EQ(file_error_of([&] { path_exists(name); }), "cannot read " + name + ": File name too long");
  EXPECT_EQ(file_error_of([&] { path_is_folder(name); }), "cannot read " + name + ": File name too long");
}

TEST(FileStamp, NamesTheFileThatIsMissing) {
  const TemporaryFolder folder;
  EXPECT_EQ(file_error_of([&] { stamp_of(folder.path("none")); }),
            "cannot read " + folder.path("none").string() + ": No such file or directory");
}

}  // namespace
}  // namespace wordsway
