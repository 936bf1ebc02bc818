#include "wordsway/model/gguf_tensors.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/gguf_blocks.h"
#include "wordsway/io/json.h"

namespace wordsway {
namespace {

struct NamePair {
  const char *own, *gguf;
};

constexpr NamePair kNorms[] = {{"input_layernorm", "attn_norm"}, {"post_attention_layernorm", "ffn_norm"}};
constexpr NamePair kHeadNorms[] = {{"self_attn.q_norm", "attn_q_norm"}, {"self_attn.k_norm", "attn_k_norm"}};
constexpr NamePair kFeedForward[] = {
    {"mlp.gate_proj", "ffn_gate"}, {"mlp.up_proj", "ffn_up"}, {"mlp.down_proj", "ffn_down"}};

// Row `row` of Hugging Face lies there in the file.
Index stored_row(Index row, Index width) {
  const Index head = row / width, half = row % width / (width / 2), j = row % (width / 2);
  return head * width + 2 * j + half;
}

}  // namespace

GgufTensors::GgufTensors(std::shared_ptr<const GgufSet> set, const ModelConfig& config) : set_(std::move(set)) {
  add("model.embed_tokens.weight", "token_embd.weight");
  add("model.norm.weight", "output_norm.weight");
  add("lm_head.weight", "output.weight");
  add("rope_freqs.weight", "rope_freqs.weight");
  for (Index layer = 0; layer < config.layers; ++layer) add_layer(layer, config);
  refuse_other_tensors();
}

void GgufTensors::add(const std::string& name, const std::string& name_in_file, Index heads) {
  places_[name] = {name_in_file, heads};
}

void GgufTensors::add_layer(Index layer, const ModelConfig& config) {
  const std::string own = fmt::format("model.layers.{}.", layer), gguf = fmt::format("blk.{}.", layer);
  const std::string& architecture = config.architecture;
  const bool permuted = architecture == "llama" || architecture == "mistral";
  const bool biased = set_->contains("blk.0.attn_q.bias"), biased_output = biased && architecture != "qwen2",
             biased_feed_forward = architecture == "llama" && set_->contains("blk.0.ffn_gate.bias");
  const auto add_linear = [&](const std::string& name, const std::string& in_file, bool bias, Index heads = 0) {
    add(own + name + ".weight", gguf + in_file + ".weight", heads);
    if (bias) add(own + name + ".bias", gguf + in_file + ".bias", heads);
  };
  add_linear("self_attn.q_proj", "attn_q", biased, permuted ? config.attention.heads : 0);
  add_linear("self_attn.k_proj", "attn_k", biased, permuted ? config.attention.kv_heads : 0);
  add_linear("self_attn.v_proj", "attn_v", biased);
  add_linear("self_attn.o_proj", "attn_output", biased_output);
  for (const NamePair& part : kFeedForward) add_linear(part.own, part.gguf, biased_feed_forward);
  for (const NamePair& part : kNorms) add_linear(part.own, part.gguf, false);
  if (architecture != "qwen3") return;
  for (const NamePair& part : kHeadNorms) add_linear(part.own, part.gguf, false);
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
  // A bias: what is permuted are its values.
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
