// Writes safetensors files.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "wordsway/core/matrix.h"

namespace wordsway {

struct TensorToWrite {
  std::string name;               // UTF-8, not "__metadata__"
  std::vector<Index> shape;       // its product is values.size()
  std::span<const float> values;  // row-major
  std::string dtype = "F32";      // or "F16", "BF16": rounded to nearest even
};

/// The tensors in the order given; the file appears complete or not at all (io/atomic_file.h).
/// Throws FileError when it cannot be written and DataError on a tensor that does not fit the comments above.
void write_safetensors(const std::filesystem::path& path, const std::vector<TensorToWrite>& tensors);

}  // namespace wordsway
