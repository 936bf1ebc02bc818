// A model in one GGUF file, as llama.cpp and its relatives read it: keys and values, and tensors that are often
// quantised. Opening reads the front alone; tensors are read, and turned into float32, when they are copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/io/gguf_header.h"
#include "wordsway/io/gguf_metadata.h"
#include "wordsway/io/input_file.h"
#include "wordsway/io/tensor_info.h"

namespace wordsway {

/// Immutable; may be read from several threads at once. Movable.
class GgufFile {
 public:
  /// Everything but the values of the tensors is checked here. Tensors of any known type are listed; only copying minds
  /// their type. Throws FileError when the file is missing or unreadable and DataError when it is malformed.
  static GgufFile open(const std::filesystem::path& path);

  /// 2 or 3.
  std::uint32_t version() const { return header_.version; }
  const GgufMetadata& metadata() const { return header_.metadata; }

  /// The names of the tensors, in alphabetical order.
  std::vector<std::string> names() const;
  bool contains(const std::string& name) const { return header_.tensors.count(name) > 0; }

  /// Throws DataError when there is no such tensor.
  const TensorInfo& info(const std::string& name) const;

  /// As info(name), and throws DataError when the tensor has another shape.
  const TensorInfo& info(const std::string& name, const std::vector<Index>& shape) const;

  /// Row-major. Takes the readable types of io/gguf_blocks.h; throws DataError on other
  /// types, FileError when the file cannot be read or is no longer as it was when it was opened, and UsageError unless
  /// values.size() is info(name).count.
  void copy_f32(const std::string& name, std::span<float> values) const;

  /// Copies `rows` rows from `first_row` on, so that a large tensor need never be in memory as a whole. A row is a run
  /// of shape.back() values. Throws UsageError when there are no such rows or values.size() is not their size.
  void copy_rows_f32(const std::string& name, Index first_row, Index rows, std::span<float> values) const;

  /// The bytes of these rows as they are stored: whole blocks. Throws as copy_rows_f32 does.
  void copy_rows(const std::string& name, Index first_row, Index rows, std::span<std::byte> bytes) const;

  const std::filesystem::path& path() const { return file_.path(); }
  /// As it was when the file was opened.
  FileStamp stamp() const { return file_.stamp(); }

  /// Throws FileError when the file is not as it was when it was opened. Called after the last copy, this says that
  /// what was copied belongs together.
  void check_unchanged() const { file_.check_unchanged(); }

 private:
  GgufFile(InputFile file, GgufHeader header) : file_(std::move(file)), header_(std::move(header)) {}
  void read_f32(const std::string& name, size_t begin, std::span<float> values) const;

  InputFile file_;
  GgufHeader header_;
};

}  // namespace wordsway
