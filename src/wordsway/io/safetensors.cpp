#include "wordsway/io/safetensors.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/array_shape.h"
#include "wordsway/io/json.h"
#include "wordsway/io/safetensors_header.h"

namespace wordsway {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

fs::path weights_in(const fs::path& folder) {
  for (const char* name : {"model.safetensors", "model.safetensors.index.json"}) {
    if (is_there(folder / name)) return folder / name;
  }
  const bool has_pickle = is_there(folder / "pytorch_model.bin");
  throw FileError(fmt::format("{} holds neither model.safetensors nor model.safetensors.index.json{}", folder.string(),
                              has_pickle ? "; pytorch_model.bin is a pickle and is not read: convert it" : ""));
}

std::vector<std::byte> whole_index(const InputFile& file) {
  constexpr size_t kMostBytes = 100'000'000;  // as a header's
  if (file.size() > kMostBytes) {
    throw DataError(
        fmt::format("{}: the index has {} bytes; at most {} are read", file.path().string(), file.size(), kMostBytes));
  }
  std::vector<std::byte> bytes(file.size());
  file.read(0, bytes);
  file.check_unchanged();
  return bytes;
}

TensorTable read_header(const InputFile& file) {
  const std::string name = file.path().string();
  std::vector<std::byte> front(std::min(file.size(), kSafetensorsLengthBytes));
  file.read(0, front);
  front.resize(safetensors_header_end(front, file.size(), name));
  file.read(kSafetensorsLengthBytes, std::span(front).subspan(kSafetensorsLengthBytes));
  return parse_safetensors_header(front, file.size(), name);
}

// Piece by piece unless the bytes are the values, so that nothing is held twice.
void read_f32(const InputFile& file, const TensorInfo& info, std::span<float> values) {
  if (info.dtype == "F32") return file.read(info.offset, std::as_writable_bytes(values));
  constexpr size_t kPiece = size_t{1} << 16;
  const size_t item_size = dtype_bits(info.dtype) / 8;
  std::vector<std::byte> bytes(std::min(values.size(), kPiece) * item_size);
  for (size_t begin = 0; begin < values.size(); begin += kPiece) {
    const std::span<float> piece = values.subspan(begin, std::min(kPiece, values.size() - begin));
    const std::span<std::byte> read = std::span(bytes).first(piece.size() * item_size);
    file.read(info.offset + begin * item_size, read);
    convert_to_f32(info.dtype, read, piece);
  }
}

}  // namespace

SafeTensors SafeTensors::open(const fs::path& path) {
  std::error_code error;
  const fs::path weights = fs::is_directory(path, error) ? weights_in(path) : path;
  if (weights.string().ends_with(".index.json")) return open_sharded(weights);
  SafeTensors result(weights.string());
  result.add_shard(weights);
  return result;
}

SafeTensors SafeTensors::open_sharded(const fs::path& index) {
  SafeTensors result(index.string());
  result.index_.emplace(index);
  const auto files = parse_safetensors_index(whole_index(*result.index_), index.string());
  std::set<std::string> distinct;
  for (const auto& [tensor, file] : files) distinct.insert(file);
  for (const std::string& file : distinct) result.add_shard(index.parent_path() / file);
  for (const auto& [tensor, file] : files) {
    const auto found = result.tensors_.find(tensor);
    const fs::path expected = index.parent_path() / file;
    if (found == result.tensors_.end() || result.shards_[found->second.shard].path() != expected) {
      throw DataError(
          fmt::format("{}: the tensor {} is not in {}", index.string(), json_quoted(tensor), expected.string()));
    }
  }
  return result;
}

void SafeTensors::add_shard(const fs::path& path) {
  const InputFile& file = shards_.emplace_back(path);
  for (auto& [tensor, info] : read_header(file)) {
    const auto [found, is_new] = tensors_.emplace(tensor, Entry{shards_.size() - 1, std::move(info)});
    if (!is_new) {
      throw DataError(fmt::format("{}: the tensor {} is in {} too", path.string(), json_quoted(tensor),
                                  shards_[found->second.shard].path().string()));
    }
  }
}

std::vector<std::string> SafeTensors::names() const {
  std::vector<std::string> result;
  for (const auto& [tensor, entry] : tensors_) result.push_back(tensor);
  return result;
}

const SafeTensors::Entry& SafeTensors::entry(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw DataError(fmt::format("{}: there is no tensor {}", source_, json_quoted(name)));
  return found->second;
}

const TensorInfo& SafeTensors::info(const std::string& name) const {
  return entry(name).info;
}

const TensorInfo& SafeTensors::info(const std::string& name, const std::vector<Index>& shape) const {
  const Entry& found = entry(name);
  if (found.info.shape != shape) {
    throw DataError(fmt::format("{}: the tensor {} has shape {}, expected {}", shards_[found.shard].path().string(),
                                json_quoted(name), format_shape(found.info.shape), format_shape(shape)));
  }
  return found.info;
}

void SafeTensors::copy_f32(const std::string& name, std::span<float> values) const {
  const Entry& found = entry(name);
  if (!is_convertible_to_f32(found.info.dtype)) {
    throw DataError(fmt::format("{}: the tensor {} holds {} values; expected F32, F16 or BF16",
                                shards_[found.shard].path().string(), json_quoted(name), found.info.dtype));
  }
  if (values.size() != static_cast<size_t>(found.info.count))
    throw UsageError(fmt::format("the tensor {} has {} values; got room for {}", json_quoted(name), found.info.count,
                                 values.size()));
  read_f32(shards_[found.shard], found.info, values);
  shards_[found.shard].check_unchanged();
}

void SafeTensors::copy_rows(const std::string& name, Index first_row, Index rows, std::span<std::byte> bytes) const {
  const Entry& found = entry(name);
  shards_[found.shard].read(offset_of_rows(name, found.info, first_row, rows, bytes.size()), bytes);
}

std::map<std::string, TensorTotal> SafeTensors::totals_by_type() const {
  std::map<std::string, TensorTotal> totals;
  for (const auto& [tensor, entry] : tensors_) {
    TensorTotal& total = totals[entry.info.dtype];
    total.values += static_cast<size_t>(entry.info.count);
    total.bytes += entry.info.size;
  }
  return totals;
}

std::vector<SourceFile> SafeTensors::source_files() const {
  std::vector<SourceFile> result;
  if (index_) result.push_back({"weights", index_->path(), index_->stamp()});
  for (const InputFile& shard : shards_) result.push_back({"weights", shard.path(), shard.stamp()});
  return result;
}

void SafeTensors::check_unchanged() const {
  if (index_) index_->check_unchanged();
  for (const InputFile& shard : shards_) shard.check_unchanged();
}

}  // namespace wordsway
