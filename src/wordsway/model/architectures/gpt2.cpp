// GPT-2 (Radford et al. 2019): pre-norm decoder with a table of positions; linear layers are stored as [in, out].
#include "wordsway/model/architecture_registry.h"
#include "wordsway/model/layers/pre_norm_block.h"

namespace wordsway {
namespace {

using Limits = ConfigLimits;

ModelConfig read_config(const ConfigFile& file) {
  ModelConfig config;
  config.architecture = file.text("model_type");
  config.vocabulary = file.integer("vocab_size", 1, Limits::kVocabulary);
  config.hidden_size = file.integer("n_embd", 1, Limits::kWidth);
  config.layers = file.integer("n_layer", 1, Limits::kLayers);
  config.attention = read_heads(file, "n_head", config.hidden_size);
  config.causal = true;
  config.feed_forward_size = file.integer_or("n_inner", 4 * config.hidden_size, 1, 4 * Limits::kWidth);
  config.position_rows = file.integer("n_positions", 1, Limits::kPositions);
  config.layer_norm_epsilon = file.number_or("layer_norm_epsilon", 1e-5, 0, 1);
  config.activation = read_activation(file, "activation_function", "gelu_new");
  config.tied_decoder = file.flag_or("tie_word_embeddings", true);
  if (!file.flag_or("scale_attn_weights", true)) file.refuse("scale_attn_weights", "must be true");
  for (const char* key : {"scale_attn_by_inverse_layer_idx", "add_cross_attention"})
    if (file.flag_or(key, false)) file.refuse(key, "is true, which is not supported");
  return config;
}

PreNormWeights build_layer(const ModelConfig& config, const Weights& weights, Index layer) {
  const Index d = config.hidden_size, f = config.feed_forward_size;
  const std::string name = "h." + std::to_string(layer) + ".";
  const auto norm = [&](const std::string& of) { return weights.layer_norm(of, d, config.layer_norm_epsilon); };
  PreNormWeights result;
  result.attention_norm = norm(name + "ln_1");
  result.attention.heads.shape = config.attention;
  result.attention.heads.causal = true;
  result.attention.qkv = weights.transposed_linear(name + "attn.c_attn", d, 3 * d);
  result.attention.output = weights.transposed_linear(name + "attn.c_proj", d, d);
  result.feed_forward_norm = norm(name + "ln_2");
  result.feed_forward.up = weights.transposed_linear(name + "mlp.c_fc", d, f);
  result.feed_forward.down = weights.transposed_linear(name + "mlp.c_proj", f, d);
  result.feed_forward.activation = config.activation;
  if (layer == config.layers - 1) result.final_norm = norm("ln_f");
  return result;
}

ModelParts build(const ConfigFile&, const ModelConfig& config, const Weights& weights) {
  const Weights body = weights.without_prefix("transformer.", "wte.weight");
  ModelParts parts;
  parts.embedding.words = body.table("wte.weight", config.vocabulary, config.hidden_size);
  parts.embedding.positions = body.matrix("wpe.weight", config.position_rows, config.hidden_size);
  for (Index layer = 0; layer < config.layers; ++layer)
    parts.blocks.push_back(std::make_unique<PreNormBlock>(build_layer(config, body, layer)));
  parts.next_word_head = build_next_word_head(config, weights);
  return parts;
}

}  // namespace

void register_gpt2(ArchitectureRegistry& registry) {
  ArchitectureEntry entry;
  entry.title = "GPT-2";
  entry.summary = "GPT-2: pre-norm decoder with a table of positions";
  entry.read_config = read_config;
  entry.build = build;
  entry.is_decoder = true;
  registry.add("gpt2", std::move(entry));
}

}  // namespace wordsway
