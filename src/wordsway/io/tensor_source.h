// Where the tensors of a model come from: files whose tensors have names and are read row by row, as they are stored.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "wordsway/io/source_files.h"
#include "wordsway/io/tensor_info.h"

namespace wordsway {

/// May be read from several threads at once.
class TensorSource {
 public:
  virtual ~TensorSource() = default;

  /// The files that hold the tensors, and the index where there is one, each as it was when it was opened.
  virtual std::vector<SourceFile> source_files() const = 0;
  /// Throws FileError when one of them is not as it was when it was opened. Called after the last copy, this says that
  /// what was copied belongs together.
  virtual void check_unchanged() const = 0;

  virtual std::map<std::string, TensorTotal> totals_by_type() const = 0;

  /// What the files call the tensor, for messages.
  virtual std::string name_in_file(const std::string& name) const { return name; }

  virtual bool contains(const std::string& name) const = 0;
  /// Throws DataError when there is no such tensor.
  virtual const TensorInfo& info(const std::string& name) const = 0;
  /// As info(name), and throws DataError when the tensor has another shape.
  virtual const TensorInfo& info(const std::string& name, const std::vector<Index>& shape) const = 0;

  /// The bytes of `rows` rows from `first_row` on, as they are stored. A row is a run of shape.back() values. Throws
  /// UsageError when there are no such rows or bytes.size() is not their size, FileError when the file cannot be read.
  virtual void copy_rows(const std::string& name, Index first_row, Index rows, std::span<std::byte> bytes) const = 0;
};

}  // namespace wordsway
