#include "wordsway/io/atomic_file.h"

#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "support/bytes.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

namespace fs = std::filesystem;
using test::as_bytes;
using test::read_bytes;
using test::TemporaryFolder;
using testing::HasSubstr;

std::ptrdiff_t files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

std::string message_of_writing_to(const fs::path& path) {
  try {
    write_file_atomically(path, "content");
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(AtomicFile, AppearsOnCommit) {
  const TemporaryFolder folder;
  AtomicFile file(folder.path("x"));
  file.write(as_bytes("one "));
  file.write(as_bytes("two"));
  EXPECT_FALSE(fs::exists(folder.path("x")));
  file.commit();
  EXPECT_EQ(read_bytes(folder.path("x")), "one two");
  EXPECT_EQ(files_in(folder.folder()), 1);
}

TEST(AtomicFile, LeavesTheOldFileAndNoTraceWithoutCommit) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path("x"), "old");
  {
    AtomicFile file(folder.path("x"));
    file.write(as_bytes("new"));
  }
  EXPECT_EQ(read_bytes(folder.path("x")), "old");
  EXPECT_EQ(files_in(folder.folder()), 1);
}

TEST(AtomicFile, ReplacesAnOldFile) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path("x"), "a long old content");
  write_file_atomically(folder.path("x"), "new");
  EXPECT_EQ(read_bytes(folder.path("x")), "new");
}

TEST(AtomicFile, ReplacesWhatALinkPointsToAndKeepsTheLink) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path("target"), "old");
  fs::create_symlink("target", folder.path("link"));
  write_file_atomically(folder.path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(folder.path("link")));
  EXPECT_EQ(read_bytes(folder.path("target")), "new");
}

TEST(AtomicFile, NamesTheFolderThatIsNotThere) {
  const TemporaryFolder folder;
  const fs::path path = folder.path("none") / "x";
  EXPECT_EQ(message_of_writing_to(path), "cannot write " + path.string() + ": No such file or directory");
}

TEST(AtomicFile, RefusesToReplaceAFolder) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of_writing_to(folder.folder()), HasSubstr("Is a directory"));
}

TEST(AtomicFile, WritesADeviceInPlaceAndNeverReplacesIt) {
  write_file_atomically("/dev/null", "content");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

// Makes this process's files end at a size, which fails a write half way as a full disk does.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST(AtomicFile, LeavesTheOldFileAndNoTraceWhenAWriteFailsHalfWay) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path("x"), "old");
  {
    const FileSizeLimit limit(4);
    EXPECT_THAT(message_of_writing_to(folder.path("x")), HasSubstr("File too large"));
  }
  EXPECT_EQ(read_bytes(folder.path("x")), "old");
  EXPECT_EQ(files_in(folder.folder()), 1);
}

TEST(AtomicFile, SaysThatTheDiskIsFull) {
  EXPECT_EQ(message_of_writing_to("/dev/full"), "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace wordsway
