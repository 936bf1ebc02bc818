// A regular file that is read at given places, and how to tell that it is no longer the file it was.
//
// Files are read, never mapped into memory: the system kills a process that touches a mapped page beyond the end of a
// file that someone else has shortened meanwhile, and saving an array over an old one does shorten it for a moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace wordsway {

/// Which file it is and when it was last changed. Two equal stamps mean the same content, as far as the system can say
/// without reading it: two changes within one tick of its clock (some milliseconds) may share a time.
struct FileStamp {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t mtime_ns = 0, ctime_ns = 0;  // of the content; of the content, the name or the rights
  bool operator==(const FileStamp&) const = default;
};

/// The stamp of the file that `path` names now, links followed. Throws FileError when there is none.
FileStamp stamp_of(const std::filesystem::path& path);

/// What `path` names now, links followed; nothing there is false. Both throw FileError when the system will not say, as
/// for a name that is too long or in a folder that may not be entered.
bool path_exists(const std::filesystem::path& path);
bool path_is_folder(const std::filesystem::path& path);

/// Open as long as this object. Movable; reading from several threads is safe.
class InputFile {
 public:
  /// Throws FileError when the file is missing, is not a regular file, or cannot be read.
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;

  const std::filesystem::path& path() const { return path_; }
  /// In bytes, as it was when the file was opened.
  size_t size() const { return static_cast<size_t>(stamp_.size); }
  /// As it was when the file was opened.
  FileStamp stamp() const { return stamp_; }

  /// Fills `out` with the bytes from `offset` on; all of them must lie before size(). Throws FileError when reading
  /// fails or when the file has become too short.
  void read(size_t offset, std::span<std::byte> out) const;

  /// Throws FileError when the file is not as it was when it was opened. Called after the last read, this says that the
  /// bytes read belong together.
  void check_unchanged() const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  FileStamp stamp_;
};

// Whole files in memory: tokenizer files, reviews.

/// The bytes of a file. Throws FileError when it cannot be read, DataError when it has more than `most_bytes`.
std::string read_small_file(const std::filesystem::path& file, std::uintmax_t most_bytes = std::uintmax_t{512} << 20);

}  // namespace wordsway
