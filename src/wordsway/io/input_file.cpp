#include "wordsway/io/input_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wordsway/core/error.h"

namespace wordsway {

namespace {

[[noreturn]] void throw_cannot_read(const std::filesystem::path& path, std::string_view reason) {
  throw FileError(fmt::format("cannot read {}: {}", path.string(), reason));
}

[[noreturn]] void throw_cannot_read(const std::filesystem::path& path, int error) {
  throw_cannot_read(path, std::generic_category().message(error));
}

std::int64_t nanoseconds(const timespec& time) {
  constexpr std::int64_t kPerSecond = 1'000'000'000;
  return static_cast<std::int64_t>(time.tv_sec) * kPerSecond + time.tv_nsec;
}

FileStamp stamp_from(const struct stat& status) {
  return {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size), nanoseconds(status.st_mtim),
          nanoseconds(status.st_ctim)};
}

struct stat status_of(int descriptor, const std::filesystem::path& path) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) throw_cannot_read(path, errno);
  if (S_ISDIR(status.st_mode)) throw_cannot_read(path, "it is a folder, expected a file");
  if (!S_ISREG(status.st_mode)) throw_cannot_read(path, "it is not a regular file");
  return status;
}

std::filesystem::file_status status_at(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::none) throw_cannot_read(path, error.message());
  return status;
}

// Closes the descriptor when a constructor throws.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value() const { return value_; }
  int release() { return std::exchange(value_, -1); }

 private:
  int value_;
};

}  // namespace

FileStamp stamp_of(const std::filesystem::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) throw_cannot_read(path, errno);
  return stamp_from(status);
}

bool path_exists(const std::filesystem::path& path) {
  return std::filesystem::exists(status_at(path));
}

bool path_is_folder(const std::filesystem::path& path) {
  return std::filesystem::is_directory(status_at(path));
}

InputFile::InputFile(const std::filesystem::path& path) : path_(path) {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer before we can refuse it.
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.value() < 0) throw_cannot_read(path, errno);
  stamp_ = stamp_from(status_of(file.value(), path));
  descriptor_ = file.release();
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), stamp_(other.stamp_) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  if (this != &other) {
    if (descriptor_ >= 0) close(descriptor_);
    path_ = std::move(other.path_);
    descriptor_ = std::exchange(other.descriptor_, -1);
    stamp_ = other.stamp_;
  }
  return *this;
}

void InputFile::read(size_t offset, std::span<std::byte> out) const {
  ensure(offset <= size() && out.size() <= size() - offset, "a file is read where it has bytes");
  while (!out.empty()) {
    const ssize_t got = pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_cannot_read(path_, errno);
    if (got == 0) throw FileError(fmt::format("{} was shortened while it was being read", path_.string()));
    offset += static_cast<size_t>(got);
    out = out.subspan(static_cast<size_t>(got));
  }
}

void InputFile::check_unchanged() const {
  if (stamp_from(status_of(descriptor_, path_)) != stamp_) {
    throw FileError(fmt::format("{} was changed while it was being read", path_.string()));
  }
}

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;

}  // namespace

std::string read_small_file(const std::filesystem::path& file, std::uintmax_t most_bytes) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw FileError(fmt::format("{}: cannot be opened: {}", file.string(), std::strerror(errno)));
  std::string bytes;
  // Read rather than ask for the size: a pipe has none and a growing file changes it.
  while (stream) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kChunk);
    stream.read(bytes.data() + before, kChunk);
    bytes.resize(before + static_cast<std::size_t>(stream.gcount()));
    if (bytes.size() > most_bytes)
      throw DataError(fmt::format("{}: has more than {} MiB", file.string(), most_bytes >> 20));
  }
  if (stream.bad() || !stream.eof()) throw FileError(fmt::format("{}: reading failed", file.string()));
  return bytes;
}

}  // namespace wordsway
