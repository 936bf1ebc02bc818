#include "wordsway/io/atomic_file.h"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/bytes.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"

namespace {

// What the test wants to know of, or to happen at, every fsync of this program: nothing, or the errno to fail with.
std::function<int(bool of_folder)> at_fsync;  // NOLINT

}  // namespace

// Takes the place of the system's fsync in this program.
extern "C" int fsync(int descriptor) {
  struct stat status {};
  if (at_fsync && fstat(descriptor, &status) == 0) {
    errno = at_fsync(S_ISDIR(status.st_mode));
    if (errno != 0) return -1;
  }
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

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

// Lets at_fsync be `action` while it lives.
class WatchedSync {
 public:
  explicit WatchedSync(std::function<int(bool)> action) { at_fsync = std::move(action); }
  ~WatchedSync() { at_fsync = nullptr; }
};

TEST(AtomicFile, IsOnTheDiskBeforeItHasItsNameAndTheNameBeforeCommitReturns) {
  const TemporaryFolder folder;
  std::vector<std::string> seen;
  const WatchedSync watch([&](bool of_folder) {
    const bool named = fs::exists(folder.path("x"));
    seen.push_back(std::string(of_folder ? "folder" : "file") + (named ? " with the name" : " without the name"));
    return 0;
  });
  write_file_atomically(folder.path("x"), "content");
  EXPECT_THAT(seen, testing::ElementsAre("file without the name", "folder with the name"));
}

TEST(AtomicFile, LeavesTheOldFileAndNoTraceWhenItCannotBeBroughtToTheDisk) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path("x"), "old");
  {
    const WatchedSync watch([](bool of_folder) { return of_folder ? 0 : EIO; });
    EXPECT_THAT(message_of_writing_to(folder.path("x")), HasSubstr("Input/output error"));
  }
  EXPECT_EQ(read_bytes(folder.path("x")), "old");
  EXPECT_EQ(files_in(folder.folder()), 1);
}

TEST(AtomicFile, SaysThatTheNameCouldNotBeBroughtToTheDisk) {
  const TemporaryFolder folder;
  const WatchedSync watch([](bool of_folder) { return of_folder ? EIO : 0; });
  EXPECT_THAT(message_of_writing_to(folder.path("x")), HasSubstr("Input/output error"));
}

TEST(AtomicFile, MindsNoFileSystemThatCannotSync) {
  const TemporaryFolder folder;
  for (const int error : {EINVAL, EROFS, ENOTSUP}) {
    const WatchedSync watch([&](bool) { return error; });
    EXPECT_EQ(message_of_writing_to(folder.path("x")), "no error");
  }
  EXPECT_EQ(read_bytes(folder.path("x")), "content");
}

TEST(AtomicFile, TriesAgainWhenASignalInterruptsTheSync) {
  const TemporaryFolder folder;
  int calls = 0;
  const WatchedSync watch([&](bool) { return ++calls == 1 ? EINTR : 0; });
  EXPECT_EQ(message_of_writing_to(folder.path("x")), "no error");
  EXPECT_EQ(calls, 3);
}

TEST(AtomicFile, LosesItsTemporaryFileToASignalHandlerAndThenCannotBeCommitted) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path("x"), "old");
  AtomicFile file(folder.path("x"));
  EXPECT_EQ(files_in(folder.folder()), 2);
  unlink_temporary_files();
  EXPECT_EQ(files_in(folder.folder()), 1);
  EXPECT_THROW(file.commit(), FileError);
  EXPECT_EQ(read_bytes(folder.path("x")), "old");
}

TEST(AtomicFile, KeepsFilesThatWereCommittedWhenTemporaryOnesAreRemoved) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path("x"), "content");
  unlink_temporary_files();
  EXPECT_EQ(read_bytes(folder.path("x")), "content");
}

TEST(AtomicFile, FindsRoomForATemporaryNameAsOftenAsFilesAreWritten) {
  const TemporaryFolder folder;
  for (int i = 0; i < 200; ++i) {
    AtomicFile dropped(folder.path("x"));
    if (i % 3 == 0) unlink_temporary_files();
  }
  const AtomicFile file(folder.path("x"));
  unlink_temporary_files();
  EXPECT_EQ(files_in(folder.folder()), 0);
}

TEST(AtomicFile, MayBeOpenMoreOftenThanThereIsRoomForNames) {
  const TemporaryFolder folder;
  std::vector<std::unique_ptr<AtomicFile>> files;
  for (int i = 0; i < 100; ++i) files.push_back(std::make_unique<AtomicFile>(folder.path(std::to_string(i))));
  for (const auto& file : files) file->commit();
  EXPECT_EQ(files_in(folder.folder()), 100);
}

TEST(AtomicFile, SaysThatTheDiskIsFull) {
  EXPECT_EQ(message_of_writing_to("/dev/full"), "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace wordsway
