// A model in GGUF: one file, or several called NAME-00001-of-00003.gguf, whose first holds the metadata and each of
// which holds some of the tensors (split.no, split.count and split.tensors.count among the keys of each).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "wordsway/io/gguf.h"
#include "wordsway/io/source_files.h"

namespace wordsway {

/// Whether a path means a GGUF file and no folder: by its ending, because the file may be missing.
bool is_gguf_path(const std::filesystem::path& path);

/// Immutable; may be read from several threads at once. Movable.
class GgufSet {
 public:
  /// Given one file of several, all are opened. Throws what GgufFile::open throws, FileError naming the file when one
  /// is missing, and DataError when they do not belong together.
  static GgufSet open(const std::filesystem::path& path);

  /// The first file.
  const std::filesystem::path& path() const { return files_.front().path(); }
  /// The name of the model: that of the file without .gguf and without the number of the part.
  std::string name() const;

  const GgufMetadata& metadata() const { return files_.front().metadata(); }

  /// The names of the tensors of all files, in alphabetical order.
  std::vector<std::string> names() const;
  bool contains(const std::string& tensor) const { return places_.count(tensor) > 0; }
  /// The file that holds the tensor. Throws DataError when there is none.
  const GgufFile& file_of(const std::string& tensor) const;

  /// All files as they were when they were opened; `what` is what they hold (io/source_files.h).
  std::vector<SourceFile> source_files(const std::string& what) const;
  /// Throws FileError when one of them is not as it was when it was opened.
  void check_unchanged() const;

 private:
  explicit GgufSet(std::vector<GgufFile> files);

  std::vector<GgufFile> files_;
  std::map<std::string, size_t> places_;  // tensor → file
};

}  // namespace wordsway
