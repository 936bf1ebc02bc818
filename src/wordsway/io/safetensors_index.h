// The index of a model whose tensors are spread over several safetensors files (model.safetensors.index.json):
//
//   {"metadata": {...}, "weight_map": {"tensor": "model-00001-of-00002.safetensors", ...}}
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace wordsway {

/// Tensor to the file that holds it, a plain name next to the index (never a path that leads elsewhere).
/// `name` is what messages call the index. Throws DataError when it is malformed or lists nothing.
std::map<std::string, std::string> parse_safetensors_index(std::span<const std::byte> text, std::string_view name);

}  // namespace wordsway
