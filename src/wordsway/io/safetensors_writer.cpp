#include "wordsway/io/safetensors_writer.h"

#include <cstdint>

#include <nlohmann/json.hpp>

#include "wordsway/core/error.h"
#include "wordsway/io/array_shape.h"
#include "wordsway/io/atomic_file.h"
#include "wordsway/io/half_float.h"
#include "wordsway/io/safetensors_header.h"

namespace wordsway {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kAlignment = 8;

std::string dump(const Json& header) {
  try {
    return header.dump();
  } catch (const Json::type_error&) {
    throw InternalError("the names of tensors to write are UTF-8");
  }
}

std::string header_of(const std::vector<TensorToWrite>& tensors) {
  Json header = Json::object();
  size_t offset = 0;
  for (const TensorToWrite& tensor : tensors) {
    ensure(is_convertible_to_f32(tensor.dtype), "tensors are written as F32, F16 or BF16");
    ensure(item_count(tensor.shape, sizeof(float)) == tensor.values.size(), "the shape of a tensor fits its values");
    ensure(!header.contains(tensor.name) && tensor.name != "__metadata__", "tensors to write have distinct names");
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
