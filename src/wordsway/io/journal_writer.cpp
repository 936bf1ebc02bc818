#include "wordsway/io/journal_writer.h"

#include <cerrno>
#include <chrono>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wordsway/core/error.h"
#include "wordsway/io/atomic_file.h"

namespace wordsway {
namespace {

constexpr double kSecondsBetweenSyncs = 5;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

JournalWriter::JournalWriter(const std::filesystem::path& path, const JournalHeader& header)
    : path_(path), fingerprint_(header.identity.fingerprint()) {
  open_locked();
  try {
    if (size_ > 0) found_ = read_journal(path_);
    is_new_ = found_.whole_bytes == 0;
    if (!is_new_) {
      check_identity(found_.header, header.identity, path_);
      fingerprint_ = found_.header.fingerprint;
    }
    if (size_ != found_.whole_bytes) cut(found_.whole_bytes);
    if (is_new_) write_whole(header_line(header) + "\n");
    sync();
    if (is_new_) sync_folder_of(path_);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

JournalWriter::~JournalWriter() {
  fdatasync(descriptor_);
  close(descriptor_);
}

void JournalWriter::open_locked() {
  // A pipe would block and a device has no rows to resume from.
  struct stat status {};
  if (stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    throw FileError(fmt::format("cannot write {}: a journal must be a regular file", path_.string()));
  constexpr mode_t kModeBeforeUmask = 0666;
  descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, kModeBeforeUmask);
  if (descriptor_ < 0) throw_cannot("write", errno);
  // Some network file systems have no locks; there the user keeps the writers apart.
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(descriptor_);
    throw FileError(
        fmt::format("{} is being written by another wordsway; wait for it or choose another --out", path_.string()));
  }
  if (fstat(descriptor_, &status) != 0) {
    const int error = errno;
    close(descriptor_);
    throw_cannot("read", error);
  }
  size_ = status.st_size;
}

void JournalWriter::cut(std::int64_t offset) {
  if (ftruncate(descriptor_, offset) != 0) throw_cannot("shorten", errno);
  size_ = offset;
}

void JournalWriter::append(const std::vector<Record>& rows) {
  std::string text;
  for (const Record& row : rows) text += row_line(row, fingerprint_) + "\n";
  write_whole(text);
  if (now() - last_sync_ > kSecondsBetweenSyncs) sync();
}

void JournalWriter::write_whole(const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(descriptor_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int error = written < 0 ? errno : ENOSPC;
      // Half a row helps nobody; if even shortening fails, the torn line is dropped when the journal is read.
      if (done > 0 && ftruncate(descriptor_, size_) != 0) throw_cannot("write", error);
      throw_cannot("write", error);
    }
    done += static_cast<size_t>(written);
  }
  size_ += static_cast<std::int64_t>(text.size());
}

void JournalWriter::sync() {
  last_sync_ = now();
  if (fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) throw_cannot("write", errno);
  check_in_place();
}

void JournalWriter::check_in_place() const {
  struct stat open_file {
  }, named{};
  if (fstat(descriptor_, &open_file) != 0) throw_cannot("read", errno);
  const bool there = stat(path_.c_str(), &named) == 0;
  if (there && named.st_dev == open_file.st_dev && named.st_ino == open_file.st_ino) return;
  throw FileError(fmt::format("{} was {} while this run was writing to it; its rows are lost, run the command again",
                              path_.string(), there ? "replaced" : "removed"));
}

void JournalWriter::throw_cannot(const char* verb, int error) const {
  throw FileError(fmt::format("cannot {} {}: {}", verb, path_.string(), std::generic_category().message(error)));
}

}  // namespace wordsway
