// The files that something was made of, by content: what tells a model folder from another one of the same name.
//
// Nothing is read when a file is noted; it is read whole when somebody asks for its content, which is when a journal is
// kept. A file that was changed in between is refused: its content would not be what was loaded.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "wordsway/core/record.h"
#include "wordsway/io/input_file.h"

namespace wordsway {

/// A file as it was when it was read.
struct SourceFile {
  std::string what;  // plural, for sentences such as "the WEIGHTS in model.safetensors are others"
  std::filesystem::path path;
  FileStamp stamp;
};

/// To be called before the file is read. Throws FileError when there is no such file.
SourceFile note_file(std::string what, const std::filesystem::path& path);

/// Digests of large files that were computed before, in files of their own below a folder.
struct DigestCache {
  std::filesystem::path folder;  // empty: no cache

  // Smaller files are read faster than anybody could be deceived about; a file changed a moment ago could be changed
  // again without its times showing it.
  std::uint64_t least_bytes = 1'000'000'000;
  std::int64_t least_age_ns = 60'000'000'000;

  /// $XDG_CACHE_HOME/wordsway, or ~/.cache/wordsway; no cache where neither is known.
  static DigestCache of_user();
};

/// The digest of a file's bytes. The cache is asked and told only about files that are large and old enough; one that
/// cannot be read or written does no harm. Throws FileError when the file cannot be read, or is not as `stamp` says.
std::string digest_of_file(const SourceFile& file, const DigestCache& cache = DigestCache::of_user());

/// The content of the files that one thing was made of, read at the first question and at most once. Thread-safe.
class FileContent {
 public:
  FileContent() = default;
  explicit FileContent(std::vector<SourceFile> files) : files_(std::move(files)) {}

  /// No files: the thing was put together in memory, and there is nothing to identify it by.
  bool empty() const { return files_.empty(); }

  /// One field for each file, "WHAT in NAME" with its digest. Throws what digest_of_file throws.
  Record fields() const;

 private:
  std::vector<SourceFile> files_;
  mutable std::mutex mutex_;
  mutable Record fields_;
};

}  // namespace wordsway
