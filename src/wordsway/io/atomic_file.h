// Files that appear complete or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wordsway {

// The temporary files of this process, listed where a signal handler can find them.

/// Keeps a name on the list as long as this object lives. A name that finds no room there, because 64 are listed
/// already or because it is longer than the system's paths, is left out: it is then not removed by a signal, nothing
/// worse.
///
/// Taking and giving back a place needs no lock, so several threads may do so at once.
class ListedTemporaryName {
 public:
  explicit ListedTemporaryName(const std::filesystem::path& name);
  ~ListedTemporaryName();
  ListedTemporaryName(const ListedTemporaryName&) = delete;
  ListedTemporaryName& operator=(const ListedTemporaryName&) = delete;

 private:
  int place_;  // -1 when there was no room
};

/// Removes every listed file. Safe inside a signal handler and meant for one that ends the process next: whoever writes
/// such a file then fails to commit it.
void unlink_temporary_files() noexcept;

/// Writes to a temporary file next to `target` and renames it there on commit(); without commit the destructor removes
/// it and the target stays as it was. A target that exists and is not a regular file (/dev/stdout, a pipe) is written
/// in place, never replaced. A symbolic link stays a link: the file it points to is replaced.
///
/// commit() returns when content and name are on the disk, where the file system can promise that: after a loss of
/// power there is the old file or the new one, whole. A signal handler removes temporary files with
/// unlink_temporary_files().
///
/// Every member throws FileError naming the target and the reason. One object belongs to one thread.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  /// Replaces the first bytes of what was written, such as a header that counts. Throws FileError also when the target
  /// is written in place: what is on its way through a pipe cannot be changed.
  void overwrite_begin(std::span<const std::byte> bytes);
  void commit();

 private:
  [[noreturn]] void throw_cannot_write(int error) const;

  std::filesystem::path named_;      // as the caller wrote it, for messages
  std::filesystem::path target_;     // with symbolic links resolved
  std::filesystem::path temporary_;  // empty when the target is written in place
  std::optional<ListedTemporaryName> listed_;
  int descriptor_ = -1;
};

/// Waits until the name of a new file is on the disk, where the file system can promise that. Throws FileError.
void sync_folder_of(const std::filesystem::path& file);

/// The whole content at once.
void write_file_atomically(const std::filesystem::path& target, std::string_view content);

}  // namespace wordsway
