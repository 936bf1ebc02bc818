// Files that others change while they are read: what comes of it is an error, never a mixture and never a signal.
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/bytes.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/io/npy.h"

namespace {

// Happens before every read of this program, with the place in the file.
std::function<void(off_t)> before_read;  // NOLINT

}  // namespace

// Takes the place of the system's pread in this program.
extern "C" ssize_t pread(int descriptor, void* buffer, size_t count, off_t offset) {
  if (before_read) before_read(offset);
  return syscall(SYS_pread64, descriptor, buffer, count, offset);
}

namespace wordsway {
namespace {

constexpr Index kCount = 200'000;

class ChangingNpy : public testing::Test {
 protected:
  ChangingNpy() { write(1); }
  ~ChangingNpy() override { before_read = nullptr; }

  void write(double value) const {
    const std::vector<double> values(static_cast<size_t>(kCount), value);
    write_npy(folder_.path("new.npy"), values, {kCount / 100, 100});
    test::write_bytes(file_, test::read_bytes(folder_.path("new.npy")));  // in place, as numpy.save does
  }

  // Lets `change` happen once, when about half of the file has been read, then reads all of it.
  template <typename Read>
  std::string message_when(const std::function<void()>& change, const Read& read) const {
    bool done = false;
    before_read = [&](off_t offset) {
      if (offset > kCount * 4 && !done) {
        done = true;
        change();
      }
    };
    try {
      read();
    } catch (const FileError& error) {
      return error.what();
    }
    return "no error";
  }

  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path("x.npy");
};

TEST_F(ChangingNpy, SaysThatItWasShortened) {
  const auto shorten = [&] { std::filesystem::resize_file(file_, 1000); };
  const std::string message = file_.string() + " was shortened while it was being read";
  EXPECT_EQ(message_when(shorten, [&] { read_npy(file_); }), message);
  write(1);
  EXPECT_EQ(message_when(shorten, [&] { read_npy_matrix(file_); }), message);
}

TEST_F(ChangingNpy, SaysThatItWasOverwrittenHalfWay) {
  using namespace std::chrono_literals;
  const auto overwrite = [&] {
    write(2);
    // Two changes within a tick of the system's clock would carry the same time.
    std::filesystem::last_write_time(file_, std::filesystem::last_write_time(file_) + 1s);
  };
  const std::string message = file_.string() + " was changed while it was being read";
  EXPECT_EQ(message_when(overwrite, [&] { read_npy(file_); }), message);
  EXPECT_EQ(message_when(overwrite, [&] { read_npy_numbers(file_); }), message);
  EXPECT_EQ(message_when(overwrite, [&] { read_npy_matrix(file_); }), message);
}

TEST_F(ChangingNpy, IsReadAsItIsWhenNothingChanges) {
  EXPECT_EQ(message_when([] {}, [&] { EXPECT_EQ(read_npy(file_).values.back(), 1); }), "no error");
}

}  // namespace
}  // namespace wordsway
