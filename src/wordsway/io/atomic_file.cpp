#include "wordsway/io/atomic_file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "wordsway/core/error.h"

namespace wordsway {

namespace {

namespace fs = std::filesystem;

fs::path with_links_resolved(const fs::path& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const fs::path resolved = fs::weakly_canonical(path, error);
  return error ? path : resolved;
}

bool must_be_written_in_place(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

// Unique among the threads of this process and the processes of this machine; O_EXCL catches the rest.
fs::path temporary_name(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  const std::string name = fmt::format(".{}.{}-{}.tmp", target.filename().string(), getpid(), counter.fetch_add(1));
  return target.parent_path() / name;
}

// 0, or what went wrong. Devices, pipes and some file systems have nothing to sync and say so.
int sync_error(int descriptor) {
  while (fsync(descriptor) != 0) {
    if (errno == EINTR) continue;
    const bool cannot = errno == EINVAL || errno == EROFS || errno == ENOTSUP;
    return cannot ? 0 : errno;
  }
  return 0;
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& target) : named_(target), target_(with_links_resolved(target)) {
  constexpr mode_t kModeBeforeUmask = 0666;
  if (must_be_written_in_place(target_)) {
    descriptor_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    temporary_ = temporary_name(target_);
    listed_.emplace(temporary_);
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kModeBeforeUmask);
  }
  if (descriptor_ < 0) throw_cannot_write(errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  ensure(descriptor_ >= 0, "an atomic file is not written after its commit");
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_cannot_write(errno);
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
}

void AtomicFile::overwrite_begin(std::span<const std::byte> bytes) {
  ensure(descriptor_ >= 0, "an atomic file is not written after its commit");
  if (temporary_.empty()) throw_cannot_write(ESPIPE);
  for (off_t place = 0; !bytes.empty();) {
    const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), place);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_cannot_write(errno);
    bytes = bytes.subspan(static_cast<size_t>(written));
    place += written;
  }
}

void AtomicFile::commit() {
  ensure(descriptor_ >= 0, "an atomic file is committed once");
  const int failure = sync_error(descriptor_);
  const int descriptor = std::exchange(descriptor_, -1);
  if (close(descriptor) != 0) throw_cannot_write(errno);
  if (failure != 0) throw_cannot_write(failure);
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), target_.c_str()) != 0) throw_cannot_write(errno);
  temporary_.clear();
  listed_.reset();
  sync_folder_of(target_);
}

void AtomicFile::throw_cannot_write(int error) const {
  throw FileError(fmt::format("cannot write {}: {}", named_.string(), std::generic_category().message(error)));
}

void sync_folder_of(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // a folder that may be written but not read
  const int failure = sync_error(descriptor);
  close(descriptor);
  if (failure != 0)
    throw FileError(fmt::format("cannot write {}: {}", folder.string(), std::generic_category().message(failure)));
}

void write_file_atomically(const fs::path& target, std::string_view content) {
  AtomicFile file(target);
  file.write(std::as_bytes(std::span(content)));
  file.commit();
}

namespace {

// A place goes free → taken → listed → free. A handler takes it from listed to removing to removed, so that it never
// reads a name that its owner is writing, and the owner of a removed one frees it.
enum State : int { kFree, kTaken, kListed, kRemoving, kRemoved };

struct Place {
  std::atomic<int> state{kFree};
  std::array<char, PATH_MAX> name{};

  bool moves(int from, int to) { return state.compare_exchange_strong(from, to); }
};
static_assert(std::atomic<int>::is_always_lock_free, "a handler may touch only what is lock-free");

constexpr int kPlaces = 64;
constinit std::array<Place, kPlaces> places{};

int list(const std::string& name) {
  if (name.size() >= PATH_MAX) return -1;
  for (int i = 0; i < kPlaces; ++i) {
    Place& place = places[static_cast<size_t>(i)];
    if (!place.moves(kFree, kTaken)) continue;
    std::memcpy(place.name.data(), name.c_str(), name.size() + 1);
    place.state = kListed;
    return i;
  }
  return -1;
}

}  // namespace

ListedTemporaryName::ListedTemporaryName(const std::filesystem::path& name) : place_(list(name.string())) {}

ListedTemporaryName::~ListedTemporaryName() {
  if (place_ < 0) return;
  Place& place = places[static_cast<size_t>(place_)];
  // A place whose file is being removed right now stays lost; the process is about to end.
  if (!place.moves(kListed, kFree)) place.moves(kRemoved, kFree);
}

void unlink_temporary_files() noexcept {
  const int saved_errno = errno;
  for (Place& place : places) {
    if (!place.moves(kListed, kRemoving)) continue;
    unlink(place.name.data());
    place.state = kRemoved;
  }
  errno = saved_errno;
}

}  // namespace wordsway
