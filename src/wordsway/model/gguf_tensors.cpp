#include "wordsway/model/gguf_tensors.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/gguf_blocks.h"
#include "wordsway/io/json.h"
#include "wordsway/model/architecture_registry.h"

namespace wordsway {
namespace {

// The row in the file that holds row `row` of Hugging Face.
Index stored_row(Index row, Index width) {
  const Index head = row / width, half = row % width / (width / 2), j = row % (width / 2);
  return head * width + 2 * j + half;
}

}  // namespace

GgufTensors::GgufTensors(std::shared_ptr<const GgufSet> set, const ModelConfig& config) : set_(std::move(set)) {
  const GgufNames& names = architecture_registry().get(config.architecture).gguf.value();
  for (const GgufName& tensor : names.tensors) places_[tensor.own] = {tensor.gguf, 0};
  for (Index layer = 0; layer < config.layers; ++layer) add_layer(layer, names, config.attention);
  refuse_other_tensors();
}

void GgufTensors::add_layer(Index layer, const GgufNames& names, const AttentionShape& shape) {
  const std::string own = fmt::format("{}{}.", names.layer_prefix, layer), gguf = fmt::format("blk.{}.", layer);
  const auto has_bias = [&](GgufBias bias) {
    return (bias == GgufBias::kWithQueries && set_->contains("blk.0.attn_q.bias")) ||
           (bias == GgufBias::kWithGate && set_->contains("blk.0.ffn_gate.bias"));
  };
  for (const GgufLayerTensor& tensor : names.layer_tensors) {
    const Index heads = tensor.rows == GgufRows::kInterleavedQueries ? shape.heads
                        : tensor.rows == GgufRows::kInterleavedKeys  ? shape.kv_heads
                                                                     : 0;
    places_[own + tensor.own + ".weight"] = {gguf + tensor.gguf + ".weight", heads};
    if (has_bias(tensor.bias)) places_[own + tensor.own + ".bias"] = {gguf + tensor.gguf + ".bias", heads};
  }
}

void GgufTensors::refuse_other_tensors() const {
  std::set<std::string> known;
  for (const auto& [name, place] : places_) known.insert(place.name);
  for (const std::string& name : set_->names()) {
    if (!known.contains(name))
      throw DataError(fmt::format("{}: the tensor {} is none that this architecture has in so many layers",
                                  set_->file_of(name).path().string(), json_quoted(name)));
  }
}

std::map<std::string, TensorTotal> GgufTensors::totals_by_type() const {
  std::map<std::string, TensorTotal> totals;
  for (const std::string& name : set_->names()) {
    const TensorInfo& tensor = set_->file_of(name).info(name);
    TensorTotal& total = totals[tensor.dtype];
    total.values += static_cast<size_t>(tensor.count);
    total.bytes += tensor.size;
  }
  return totals;
}

GgufTensors::Place GgufTensors::place(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? Place{name, 0} : found->second;
}

bool GgufTensors::contains(const std::string& name) const {
  const auto found = places_.find(name);
  return found != places_.end() && set_->contains(found->second.name);
}

const TensorInfo& GgufTensors::info(const std::string& name) const {
  const std::string in_file = place(name).name;
  return set_->file_of(in_file).info(in_file);
}

const TensorInfo& GgufTensors::info(const std::string& name, const std::vector<Index>& shape) const {
  const std::string in_file = place(name).name;
  return set_->file_of(in_file).info(in_file, shape);
}

void GgufTensors::copy_rows(const std::string& name, Index first_row, Index rows, std::span<std::byte> bytes) const {
  const auto [in_file, heads] = place(name);
  const GgufFile& file = set_->file_of(in_file);
  const TensorInfo& tensor = file.info(in_file);
  if (heads == 0) return file.copy_rows(in_file, first_row, rows, bytes);
  offset_of_rows(in_file, tensor, first_row, rows, bytes.size());  // throws unless there are such rows

  const Index width = tensor.shape.front() / heads;
  if (width % 2 != 0 || tensor.shape.front() % heads != 0)
    throw DataError(fmt::format("{}: the tensor {} has {} rows, which are not {} heads of an even width",
                                file.path().string(), json_quoted(in_file), tensor.shape.front(), heads));
  if (tensor.shape.size() > 1) {
    const size_t row_bytes = rows == 0 ? 0 : bytes.size() / static_cast<size_t>(rows);
    for (Index row = first_row; row < first_row + rows; ++row, bytes = bytes.subspan(row_bytes))
      file.copy_rows(in_file, stored_row(row, width), 1, bytes.first(row_bytes));
    return;
  }
  // A bias: its values are permuted.
  if (find_gguf_type(tensor.dtype)->block_values != 1)
    throw DataError(fmt::format("{}: the tensor {} is of type {}; expected one without blocks", file.path().string(),
                                json_quoted(in_file), tensor.dtype));
  std::vector<std::byte> stored(bytes.size());
  file.copy_rows(in_file, first_row, rows, stored);
  const auto value_bytes = static_cast<std::ptrdiff_t>(find_gguf_type(tensor.dtype)->block_bytes);
  for (Index i = 0; i < tensor.count * rows; ++i)
    std::copy_n(stored.begin() + stored_row(i, width) * value_bytes, value_bytes, bytes.begin() + i * value_bytes);
}

}  // namespace wordsway
