#include "wordsway/io/safetensors.h"

#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/array_shape.h"
#include "wordsway/io/json_check.h"
#include "wordsway/io/safetensors_dtype.h"
#include "wordsway/io/safetensors_index.h"

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
  const auto files = parse_safetensors_index(MappedFile(index).bytes(), index.string());
  std::set<std::string> distinct;
  for (const auto& [tensor, file] : files) distinct.insert(file);
  SafeTensors result(index.string());
  for (const std::string& file : distinct) result.add_shard(index.parent_path() / file);
  for (const auto& [tensor, file] : files) {
    const auto found = result.tensors_.find(tensor);
    const std::string expected = (index.parent_path() / file).string();
    if (found == result.tensors_.end() || result.shards_[found->second.shard].name != expected) {
      throw DataError(fmt::format("{}: the tensor {} is not in {}", index.string(), json_quoted(tensor), expected));
    }
  }
  return result;
}

void SafeTensors::add_shard(const fs::path& path) {
  shards_.push_back({path.string(), MappedFile(path)});
  for (auto& [tensor, info] : parse_safetensors_header(shards_.back().file.bytes(), path.string())) {
    const auto [found, is_new] = tensors_.emplace(tensor, Entry{shards_.size() - 1, std::move(info)});
    if (!is_new) {
      throw DataError(fmt::format("{}: the tensor {} is in {} too", path.string(), json_quoted(tensor),
                                  shards_[found->second.shard].name));
    }
  }
}

std::vector<fs::path> SafeTensors::paths() const {
  std::vector<fs::path> result;
  if (source_.ends_with(".index.json")) result.emplace_back(source_);
  for (const Shard& shard : shards_) result.emplace_back(shard.name);
  return result;
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
    throw DataError(fmt::format("{}: the tensor {} has shape {}, expected {}", shards_[found.shard].name,
                                json_quoted(name), format_shape(found.info.shape), format_shape(shape)));
  }
  return found.info;
}

std::span<const std::byte> SafeTensors::bytes(const std::string& name) const {
  const Entry& found = entry(name);
  return shards_[found.shard].file.bytes().subspan(found.info.offset, found.info.size);
}

void SafeTensors::copy_f32(const std::string& name, std::span<float> values) const {
  const Entry& found = entry(name);
  if (!is_convertible_to_f32(found.info.dtype)) {
    throw DataError(fmt::format("{}: the tensor {} holds {} values; expected F32, F16 or BF16",
                                shards_[found.shard].name, json_quoted(name), found.info.dtype));
  }
  convert_to_f32(found.info.dtype, bytes(name), values);
}

}  // namespace wordsway
