// Files that appear complete or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace wordsway {

/// Writes to a temporary file next to `target` and renames it there on commit(); without commit the destructor removes
/// it and the target stays as it was. A target that exists and is not a regular file (/dev/stdout, a pipe) is written
/// in place, never replaced. A symbolic link stays a link: the file it points to is replaced.
///
/// Every member throws FileError naming the target and the reason. One object belongs to one thread.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void commit();

 private:
  [[noreturn]] void throw_cannot_write(int error) const;

  std::filesystem::path named_;      // as the caller wrote it, for messages
  std::filesystem::path target_;     // with symbolic links resolved
  std::filesystem::path temporary_;  // empty when the target is written in place
  int descriptor_ = -1;
};

/// The whole content at once.
void write_file_atomically(const std::filesystem::path& target, std::string_view content);

}  // namespace wordsway
