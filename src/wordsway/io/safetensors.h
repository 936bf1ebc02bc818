// The tensors of a model: one safetensors file, or several listed by an index. Opening reads the headers alone; tensors
// are read when they are copied.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/io/input_file.h"
#include "wordsway/io/safetensors_header.h"
#include "wordsway/io/tensor_source.h"

namespace wordsway {

/// Immutable; may be read from several threads at once. Movable.
class SafeTensors : public TensorSource {
 public:
  /// `path` is a .safetensors file, an index (*.index.json), or a folder with model.safetensors or
  /// model.safetensors.index.json (the first one found). Everything is checked here: headers, sizes, overlaps, and that
  /// the index and its files agree. Tensors of any type are listed; only copy_f32 minds their type.
  /// Throws FileError when a file is missing or unreadable and DataError when one is malformed.
  static SafeTensors open(const std::filesystem::path& path);

  /// In alphabetical order.
  std::vector<std::string> names() const;
  bool contains(const std::string& name) const override { return tensors_.count(name) > 0; }

  /// Throws DataError when there is no such tensor.
  const TensorInfo& info(const std::string& name) const override;

  /// As info(name), and throws DataError when the tensor has another shape.
  const TensorInfo& info(const std::string& name, const std::vector<Index>& shape) const override;

  /// Row-major, exact. Takes F32, F16 and BF16; throws DataError on other types, FileError when the file cannot be read
  /// or is no longer as it was when it was opened, and UsageError unless values.size() is info(name).count.
  void copy_f32(const std::string& name, std::span<float> values) const;

  std::vector<SourceFile> source_files() const override;
  void check_unchanged() const override;
  std::map<std::string, TensorTotal> totals_by_type() const override;
  void copy_rows(const std::string& name, Index first_row, Index rows, std::span<std::byte> bytes) const override;

 private:
  struct Entry {
    size_t shard;
    TensorInfo info;
  };

  explicit SafeTensors(std::string source) : source_(std::move(source)) {}
  static SafeTensors open_sharded(const std::filesystem::path& index);
  void add_shard(const std::filesystem::path& path);
  const Entry& entry(const std::string& name) const;

  std::string source_;  // what was opened, for messages
  std::optional<InputFile> index_;
  std::vector<InputFile> shards_;
  std::map<std::string, Entry> tensors_;
};

}  // namespace wordsway
