#include "wordsway/io/mapped_file.h"

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
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

class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& path)
      // Without O_NONBLOCK, opening a named pipe would wait for a writer before we can refuse it.
      : value_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (value_ < 0) throw_cannot_read(path, errno);
  }
  ~Descriptor() { close(value_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value() const { return value_; }

 private:
  int value_;
};

size_t regular_file_size(const Descriptor& file, const std::filesystem::path& path) {
  struct stat status {};
  if (fstat(file.value(), &status) != 0) throw_cannot_read(path, errno);
  if (S_ISDIR(status.st_mode)) throw_cannot_read(path, "it is a folder, expected a file");
  if (!S_ISREG(status.st_mode)) throw_cannot_read(path, "it is not a regular file");
  return static_cast<size_t>(status.st_size);
}

void unmap(std::span<const std::byte> bytes) {
  if (!bytes.empty()) munmap(const_cast<std::byte*>(bytes.data()), bytes.size());
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const Descriptor file(path);
  const size_t size = regular_file_size(file, path);
  if (size == 0) return;
  void* start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value(), 0);
  if (start == MAP_FAILED) throw_cannot_read(path, errno);
  bytes_ = {static_cast<const std::byte*>(start), size};
}

MappedFile::~MappedFile() {
  unmap(bytes_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this != &other) {
    unmap(bytes_);
    bytes_ = std::exchange(other.bytes_, {});
  }
  return *this;
}

void drop_pages(std::span<const std::byte> bytes) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(bytes.data()) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size()) / page * page;
  if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace wordsway
