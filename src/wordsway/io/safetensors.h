// The tensors of a model: one safetensors file, or several listed by an index. Memory-mapped, so opening is cheap and
// only what is copied is read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/io/mapped_file.h"
#include "wordsway/io/safetensors_header.h"

namespace wordsway {

/// Immutable; may be read from several threads at once. Movable.
class SafeTensors {
 public:
  /// `path` is a .safetensors file, an index (*.index.json), or a folder with model.safetensors or
  /// model.safetensors.index.json (the first one found). Everything is checked here: headers, sizes, overlaps, and that
  /// the index and its files agree. Tensors of any type are listed; only copy_f32 minds their type.
  /// Throws FileError when a file is missing or unreadable and DataError when one is malformed.
  static SafeTensors open(const std::filesystem::path& path);

  std::vector<std::filesystem::path> paths() const;

  /// In alphabetical order.
  std::vector<std::string> names() const;
  bool contains(const std::string& name) const { return tensors_.count(name) > 0; }

  /// Throws DataError when there is no such tensor.
  const TensorInfo& info(const std::string& name) const;

  /// As info(name), and throws DataError when the tensor has another shape.
  const TensorInfo& info(const std::string& name, const std::vector<Index>& shape) const;

  /// The tensor as it lies in the file, row-major and little endian; not aligned. Valid as long as this object.
  std::span<const std::byte> bytes(const std::string& name) const;

  /// Row-major, exact. Takes F32, F16 and BF16; throws DataError on other types and InternalError unless values.size()
  /// is info(name).count.
  void copy_f32(const std::string& name, std::span<float> values) const;

 private:
  struct Shard {
    std::string name;  // for messages
    MappedFile file;
  };
  struct Entry {
    size_t shard;
    TensorInfo info;
  };

  explicit SafeTensors(std::string source) : source_(std::move(source)) {}
  static SafeTensors open_sharded(const std::filesystem::path& index);
  void add_shard(const std::filesystem::path& path);
  const Entry& entry(const std::string& name) const;

  std::string source_;  // what was opened, for messages
  std::vector<Shard> shards_;
  std::map<std::string, Entry> tensors_;
};

}  // namespace wordsway
