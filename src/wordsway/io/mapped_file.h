// A whole file as read-only bytes, mapped into memory: opening a file of gigabytes costs nothing until bytes are read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace wordsway {

/// Read-only view of a regular file, alive as long as this object. Movable; reading from several threads is safe.
/// The file must not be shortened by others meanwhile: the system ends a process that reads past the new end.
class MappedFile {
 public:
  /// Throws FileError when the file is missing, is not a regular file, or cannot be read.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;  // empty for an empty file, which cannot be mapped
};

/// Tells the system that these bytes of a mapped file will not be read again soon, so that they stop counting as this
/// process's memory. Reading them later still works. Never fails: it is advice.
void drop_pages(std::span<const std::byte> bytes);

}  // namespace wordsway
