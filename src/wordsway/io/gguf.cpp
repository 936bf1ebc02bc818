#include "wordsway/io/gguf.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/io/array_shape.h"
#include "wordsway/io/gguf_blocks.h"
#include "wordsway/io/json.h"

namespace wordsway {

GgufFile GgufFile::open(const std::filesystem::path& path) {
  InputFile file(path);
  GgufHeader header = parse_gguf_header([&](size_t offset, std::span<std::byte> out) { file.read(offset, out); },
                                        file.size(), path.string());
  file.check_unchanged();
  return {std::move(file), std::move(header)};
}

std::vector<std::string> GgufFile::names() const {
  std::vector<std::string> result;
  for (const auto& [tensor, info] : header_.tensors) result.push_back(tensor);
  return result;
}

const TensorInfo& GgufFile::info(const std::string& name) const {
  const auto found = header_.tensors.find(name);
  if (found == header_.tensors.end())
    throw DataError(fmt::format("{}: there is no tensor {}", path().string(), json_quoted(name)));
  return found->second;
}

const TensorInfo& GgufFile::info(const std::string& name, const std::vector<Index>& shape) const {
  const TensorInfo& found = info(name);
  if (found.shape != shape) {
    throw DataError(fmt::format("{}: the tensor {} has shape {}, expected {}", path().string(), json_quoted(name),
                                format_shape(found.shape), format_shape(shape)));
  }
  return found;
}

void GgufFile::copy_f32(const std::string& name, std::span<float> values) const {
  const TensorInfo& found = info(name);
  if (values.size() != static_cast<size_t>(found.count)) {
    throw UsageError(
        fmt::format("the tensor {} has {} values; got room for {}", json_quoted(name), found.count, values.size()));
  }
  read_f32(name, 0, values);
}

void GgufFile::copy_rows_f32(const std::string& name, Index first_row, Index rows, std::span<float> values) const {
  const TensorInfo& found = info(name);
  const Index columns = found.shape.empty() ? 1 : found.shape.back();
  const Index all = columns == 0 ? 0 : found.count / columns;
  if (first_row < 0 || rows < 0 || first_row > all || rows > all - first_row) {
    throw UsageError(
        fmt::format("the tensor {} has {} rows; asked for {} from {} on", json_quoted(name), all, rows, first_row));
  }
  if (values.size() != static_cast<size_t>(rows * columns)) {
    throw UsageError(fmt::format("{} rows of the tensor {} have {} values; got room for {}", rows, json_quoted(name),
                                 rows * columns, values.size()));
  }
  read_f32(name, static_cast<size_t>(first_row * columns), values);
}

void GgufFile::copy_rows(const std::string& name, Index first_row, Index rows, std::span<std::byte> bytes) const {
  file_.read(offset_of_rows(name, info(name), first_row, rows, bytes.size()), bytes);
}

// Reads from value `begin` on, the first of a block. Piece by piece unless the bytes are the values, so that nothing is
// held twice and a piece stays in the cache.
void GgufFile::read_f32(const std::string& name, size_t begin, std::span<float> values) const {
  const TensorInfo& found = info(name);
  if (!is_readable_gguf_type(found.dtype)) {
    throw DataError(fmt::format("{}: the tensor {} is of type {}; expected {}", path().string(), json_quoted(name),
                                found.dtype, enumerate(readable_gguf_types(), "or")));
  }
  const GgufType& type = *find_gguf_type(found.dtype);
  const auto bytes_of = [&](size_t count) { return count / type.block_values * type.block_bytes; };
  size_t offset = found.offset + bytes_of(begin);
  if (found.dtype == "F32") {
    file_.read(offset, std::as_writable_bytes(values));
  } else {
    constexpr size_t kPiece = size_t{1} << 16;  // whole blocks of every type
    std::vector<std::byte> bytes(bytes_of(std::min(values.size(), kPiece)));
    for (; !values.empty(); values = values.subspan(std::min(kPiece, values.size()))) {
      const std::span<float> piece = values.first(std::min(kPiece, values.size()));
      const std::span<std::byte> read = std::span(bytes).first(bytes_of(piece.size()));
      file_.read(offset, read);
      gguf_blocks_to_f32(found.dtype, read, piece);
      offset += read.size();
    }
  }
  file_.check_unchanged();
}

}  // namespace wordsway
