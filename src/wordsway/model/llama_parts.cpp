#include "wordsway/model/llama_parts.h"

#include <fmt/format.h>

#include "wordsway/model/layers/pre_norm_block.h"
#include "wordsway/model/rope.h"

namespace wordsway {
namespace {

using Limits = ConfigLimits;

AttentionShape read_shape(const ConfigFile& file, Index hidden_size) {
  const Index heads = file.integer("num_attention_heads", 1, Limits::kWidth);
  const Index kv_heads = file.integer_or("num_key_value_heads", heads, 1, heads);
  if (heads % kv_heads != 0)
    file.refuse("num_key_value_heads", fmt::format("must divide the {} heads, but is {}", heads, kv_heads));
  if (!file.has("head_dim") && hidden_size % heads != 0)
    file.refuse("num_attention_heads", fmt::format("must divide the hidden size {}, but is {}", hidden_size, heads));
  return {heads, kv_heads, file.integer_or("head_dim", hidden_size / heads, 1, Limits::kWidth)};
}

SelfAttention build_attention(const ModelConfig& config, const Weights& weights, const std::string& name,
                              const LlamaKind& kind) {
  const Index d = config.hidden_size;
  const AttentionShape& shape = config.attention;
  const Index queries = shape.context_columns(), keys = shape.kv_heads * shape.width;
  SelfAttention attention;
  attention.heads.shape = shape;
  attention.heads.causal = true;
  attention.qkv =
      weights.stacked({name + "q_proj", name + "k_proj", name + "v_proj"}, d, {queries, keys, keys}, kind.qkv_bias);
  attention.output = weights.linear(name + "o_proj", queries, d, kind.output_bias);
  if (!kind.head_norms) return attention;
  HeadNorms norms;
  norms.queries = weights.rms_norm(name + "q_norm", shape.width, config.layer_norm_epsilon);
  norms.keys = weights.rms_norm(name + "k_norm", shape.width, config.layer_norm_epsilon);
  attention.head_norms = std::move(norms);
  return attention;
}

FeedForward build_feed_forward(const ModelConfig& config, const Weights& weights, const std::string& name, bool bias) {
  const Index d = config.hidden_size, f = config.feed_forward_size;
  FeedForward result;
  result.up = weights.stacked({name + "gate_proj", name + "up_proj"}, d, {f, f}, bias);
  result.down = weights.linear(name + "down_proj", f, d, bias);
  result.activation = config.activation;
  result.gated = true;
  return result;
}

PreNormWeights build_layer(const ModelConfig& config, const Weights& weights, Index layer, const LlamaKind& kind) {
  const std::string name = "layers." + std::to_string(layer) + ".";
  const auto norm = [&](const std::string& of) {
    return weights.rms_norm(of, config.hidden_size, config.layer_norm_epsilon);
  };
  PreNormWeights result;
  result.attention_norm = norm(name + "input_layernorm");
  result.attention = build_attention(config, weights, name + "self_attn.", kind);
  if (!kind.windows.empty()) result.attention.heads.window = kind.windows[static_cast<size_t>(layer)];
  result.feed_forward_norm = norm(name + "post_attention_layernorm");
  result.feed_forward = build_feed_forward(config, weights, name + "mlp.", kind.feed_forward_bias);
  if (layer == config.layers - 1) result.final_norm = norm("norm");
  return result;
}

// A GGUF file has the scaling of Llama 3 as divisors of the frequencies.
RowF build_frequencies(const ConfigFile& file, const ModelConfig& config, const Weights& weights) {
  const RowF frequencies = read_rope_frequencies(file, config.attention.width);
  const std::string divisors = "rope_freqs.weight";
  if (!weights.contains(divisors)) return frequencies;
  const RowF row = weights.row(divisors, config.attention.width / 2);
  if (!(row.array() > 0).all()) weights.refuse(divisors, "holds a divisor that is not above 0");
  return frequencies.cwiseQuotient(row);
}

}  // namespace

ModelConfig read_llama_config(const ConfigFile& file) {
  ModelConfig config;
  config.architecture = file.text("model_type");
  config.vocabulary = file.integer("vocab_size", 1, Limits::kVocabulary);
  config.hidden_size = file.integer("hidden_size", 1, Limits::kWidth);
  config.layers = file.integer("num_hidden_layers", 1, Limits::kLayers);
  config.attention = read_shape(file, config.hidden_size);
  config.causal = true;
  config.feed_forward_size = file.integer("intermediate_size", 1, Limits::kWidth);
  config.gated = true;
  config.position_rows = file.integer("max_position_embeddings", 1, Limits::kPositions);
  config.layer_norm_epsilon = file.number_or("rms_norm_eps", 1e-6, 0, 1);
  config.activation = read_activation(file, "hidden_act", "silu");
  config.tied_decoder = file.flag_or("tie_word_embeddings", false);
  return config;
}

std::vector<std::optional<Index>> read_windows(const ConfigFile& file, const ModelConfig& config,
                                               std::optional<Index> standard) {
  const bool is_given = file.has("sliding_window");
  if (!is_given && (!standard || file.is_null("sliding_window"))) return {};
  const Index before = (is_given ? file.integer("sliding_window", 1, Limits::kPositions) : *standard) - 1;
  return std::vector<std::optional<Index>>(static_cast<size_t>(config.layers), before);
}

std::vector<std::optional<Index>> read_optional_windows(const ConfigFile& file, const ModelConfig& config) {
  if (!file.flag_or("use_sliding_window", false)) return {};
  std::vector<std::optional<Index>> windows = read_windows(file, config);
  if (windows.empty()) return {};
  const Index full = file.integer_or("max_window_layers", 28, 0, Limits::kLayers);
  std::vector<bool> sliding;
  for (Index layer = 0; layer < config.layers; ++layer) sliding.push_back(layer >= full);
  if (file.has("layer_types")) sliding = read_sliding_layers(file, config.layers);
  for (size_t layer = 0; layer < windows.size(); ++layer)
    if (!sliding[layer]) windows[layer].reset();
  return windows;
}

GgufNames llama_gguf_names(const std::string& architecture, const LlamaGguf& kind) {
  const GgufRows queries = kind.interleaved ? GgufRows::kInterleavedQueries : GgufRows::kAsTheyAre;
  const GgufRows keys = kind.interleaved ? GgufRows::kInterleavedKeys : GgufRows::kAsTheyAre;
  const GgufBias output = kind.output_bias ? GgufBias::kWithQueries : GgufBias::kNone;
  const GgufBias feed_forward = kind.feed_forward_bias ? GgufBias::kWithGate : GgufBias::kNone;
  GgufNames names;
  names.architecture = architecture;
  names.integers = {{"hidden_size", "embedding_length"},           {"num_hidden_layers", "block_count"},
                    {"intermediate_size", "feed_forward_length"},  {"num_attention_heads", "attention.head_count"},
                    {"max_position_embeddings", "context_length"}, {"num_key_value_heads", "attention.head_count_kv"},
                    {"head_dim", "attention.key_length"}};
  names.numbers = {{"rms_norm_eps", "attention.layer_norm_rms_epsilon"}, {"rope_theta", "rope.freq_base"}};
  names.required_number = "attention.layer_norm_rms_epsilon";
  names.window = kind.window;
  names.tensors = {{"model.embed_tokens.weight", "token_embd.weight"},
                   {"model.norm.weight", "output_norm.weight"},
                   {"lm_head.weight", "output.weight"},
                   {"rope_freqs.weight", "rope_freqs.weight"}};
  names.layer_prefix = "model.layers.";
  names.layer_tensors = {{"self_attn.q_proj", "attn_q", GgufBias::kWithQueries, queries},
                         {"self_attn.k_proj", "attn_k", GgufBias::kWithQueries, keys},
                         {"self_attn.v_proj", "attn_v", GgufBias::kWithQueries},
                         {"self_attn.o_proj", "attn_output", output},
                         {"mlp.gate_proj", "ffn_gate", feed_forward},
                         {"mlp.up_proj", "ffn_up", feed_forward},
                         {"mlp.down_proj", "ffn_down", feed_forward},
                         {"input_layernorm", "attn_norm"},
                         {"post_attention_layernorm", "ffn_norm"}};
  if (!kind.head_norms) return names;
  names.layer_tensors.push_back({"self_attn.q_norm", "attn_q_norm"});
  names.layer_tensors.push_back({"self_attn.k_norm", "attn_k_norm"});
  return names;
}

ModelParts build_llama_parts(const ConfigFile& file, const ModelConfig& config, const Weights& weights,
                             const LlamaKind& kind) {
  const Weights body = weights.without_prefix("model.", "embed_tokens.weight");
  ModelParts parts;
  parts.embedding.words = body.table("embed_tokens.weight", config.vocabulary, config.hidden_size);
  const auto rotary = std::make_shared<const Rotary>(build_frequencies(file, config, weights), config.position_rows);
  for (Index layer = 0; layer < config.layers; ++layer) {
    PreNormWeights block = build_layer(config, body, layer, kind);
    block.attention.rotary = rotary;
    parts.blocks.push_back(std::make_unique<PreNormBlock>(std::move(block)));
  }
  parts.next_word_head = build_next_word_head(config, weights);
  return parts;
}

}  // namespace wordsway
