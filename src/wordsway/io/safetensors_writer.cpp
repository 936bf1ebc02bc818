#include "wordsway/io/safetensors_writer.h"

#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wordsway/core/error.h"
#include "wordsway/io/array_shape.h"
#include "wordsway/io/atomic_file.h"
#include "wordsway/io/half_float.h"
#include "wordsway/io/json.h"
#include "wordsway/io/safetensors_header.h"

namespace wordsway {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kAlignment = 8;

std::string dump(const Json& header) {
  try {
    return header.dump();
  } catch (const Json::type_error&) {
    throw DataError("the names of tensors must be UTF-8; got one that is not");
  }
}

void check(const TensorToWrite& tensor, bool name_is_taken) {
  if (!is_convertible_to_f32(tensor.dtype))
    throw DataError(fmt::format("tensors are written as F32, F16 or BF16; got {}", json_quoted(tensor.dtype)));
  if (item_count(tensor.shape, sizeof(float)) != tensor.values.size())
    throw DataError(fmt::format("the shape of the tensor {} does not fit its {} values", json_quoted(tensor.name),
                                tensor.values.size()));
  if (name_is_taken || tensor.name == "__metadata__")
    throw DataError(
        fmt::format("the names of tensors must differ, and from __metadata__; got {} again", json_quoted(tensor.name)));
}

std::string header_of(const std::vector<TensorToWrite>& tensors) {
  Json header = Json::object();
  size_t offset = 0;
  for (const TensorToWrite& tensor : tensors) {
    check(tensor, header.contains(tensor.name));
    const size_t end = offset + tensor.values.size() * dtype_bits(tensor.dtype) / 8;
    header[tensor.name] = {{"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = dump(header);
  text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
  return text;
}

void write_values(AtomicFile& file, const TensorToWrite& tensor) {
  if (tensor.dtype == "F32") return file.write(std::as_bytes(tensor.values));
  const auto narrow = tensor.dtype == "F16" ? f16_from_float : bf16_from_float;
  std::vector<std::uint16_t> narrowed;
  narrowed.reserve(tensor.values.size());
  for (const float value : tensor.values) narrowed.push_back(narrow(value));
  file.write(std::as_bytes(std::span(narrowed)));
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, const std::vector<TensorToWrite>& tensors) {
  const std::string header = header_of(tensors);
  const std::uint64_t length = header.size();
  AtomicFile file(path);
  file.write(std::as_bytes(std::span(&length, 1)));
  file.write(std::as_bytes(std::span(header)));
  for (const TensorToWrite& tensor : tensors) write_values(file, tensor);
  file.commit();
}

}  // namespace wordsway
