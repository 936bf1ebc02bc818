// Where a tensor lies in a file of weights, and what it is.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "wordsway/core/matrix.h"

namespace wordsway {

struct TensorInfo {
  std::string dtype;         // as the format names it: "F32", "F16", "BF16", "I64", "Q4_K", ...
  std::vector<Index> shape;  // row-major; empty for a single number
  Index count = 1;           // product of the shape
  size_t offset = 0;         // of the first byte, from the start of the file
  size_t size = 0;           // in bytes
};

using TensorTable = std::map<std::string, TensorInfo>;

/// All tensors of one type together.
struct TensorTotal {
  size_t values = 0, bytes = 0;
};

/// Where `rows` rows from `first_row` on begin in the file; a row is a run of shape.back() values. Throws UsageError
/// when there are no such rows or when they do not have `bytes` bytes.
size_t offset_of_rows(const std::string& name, const TensorInfo& info, Index first_row, Index rows, size_t bytes);

}  // namespace wordsway
