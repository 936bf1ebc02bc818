// ModernBERT (Warner et al. 2024): pre-norm encoder with rotary positions and a gated feed-forward; every third layer
// looks at the whole text, the others at a window. The first layer has no norm before its attention.
#include <cmath>

#include "wordsway/model/architecture_registry.h"
#include "wordsway/model/layers/pre_norm_block.h"

namespace wordsway {
namespace {

using Limits = ConfigLimits;

ModelConfig read_config(const ConfigFile& file) {
  ModelConfig config;
  config.architecture = file.text("model_type");
  config.vocabulary = file.integer("vocab_size", 1, Limits::kVocabulary);
  config.hidden_size = file.integer("hidden_size", 1, Limits::kWidth);
  config.layers = file.integer("num_hidden_layers", 1, Limits::kLayers);
  config.attention = read_heads(file, "num_attention_heads", config.hidden_size);
  config.feed_forward_size = file.integer("intermediate_size", 1, Limits::kWidth);
  config.gated = true;
  config.position_rows = file.integer_or("max_position_embeddings", 8192, 1, Limits::kPositions);
  config.padding_id = file.integer_or("pad_token_id", 0, 0, config.vocabulary - 1);
  config.layer_norm_epsilon = file.number_or("norm_eps", 1e-5, 0, 1);
  config.activation = read_activation(file, "hidden_activation", "gelu");
  config.tied_decoder = file.flag_or("tie_word_embeddings", true);
  return config;
}

// Whether a layer looks at a window: by its name in `layer_types`, as Transformers 5 writes it, or by its number.
std::vector<bool> read_local_layers(const ConfigFile& file, const ModelConfig& config) {
  if (file.has("layer_types")) return read_sliding_layers(file, config.layers);
  std::vector<bool> local;
  const Index period = file.integer_or("global_attn_every_n_layers", 3, 1, Limits::kLayers);
  for (Index layer = 0; layer < config.layers; ++layer) local.push_back(layer % period != 0);
  return local;
}

// θ of a type of layer: from `rope_parameters`, or under its older key.
double read_theta(const ConfigFile& file, const std::string& layer_type, const std::string& old_key, double usual) {
  constexpr double kMost = 1e12;
  const double older = file.number_or(old_key, usual, 1, kMost);
  if (file.has("rope_scaling")) file.refuse("rope_scaling", "is not supported with ModernBERT");
  const std::optional<ConfigFile> all = file.object("rope_parameters");
  const std::optional<ConfigFile> own = all ? all->object(layer_type) : std::nullopt;
  if (!own) return older;
  if (const std::string type = own->text_or("rope_type", "default"); type != "default")
    own->refuse("rope_type", "must be \"default\", but is \"" + type + "\"");
  return own->number_or("rope_theta", older, 1, kMost);
}

struct LayerKinds {
  std::vector<bool> local;
  Index window;
  std::shared_ptr<const Rotary> global_rotary, local_rotary;
};

LayerKinds read_layer_kinds(const ConfigFile& file, const ModelConfig& config) {
  const auto rotary = [&](double theta) {
    return std::make_shared<const Rotary>(config.attention.width, theta, config.position_rows);
  };
  return {read_local_layers(file, config), file.integer_or("local_attention", 128, 2, Limits::kPositions) / 2,
          rotary(read_theta(file, "full_attention", "global_rope_theta", 160'000)),
          rotary(read_theta(file, "sliding_attention", "local_rope_theta", 10'000))};
}

// Which layers have a bias.
struct Biases {
  bool attention, feed_forward, norm;
};

PreNormWeights build_layer(const ModelConfig& config, const Weights& weights, Index layer, const LayerKinds& kinds,
                           const Biases& biases) {
  const Index d = config.hidden_size, f = config.feed_forward_size;
  const std::string name = "layers." + std::to_string(layer) + ".";
  const auto norm = [&](const std::string& of) {
    return weights.layer_norm(of, d, config.layer_norm_epsilon, biases.norm);
  };
  const bool local = kinds.local[static_cast<size_t>(layer)];
  PreNormWeights result;
  result.attention.heads = {config.attention, local ? std::optional(kinds.window) : std::nullopt};
  result.attention.qkv = weights.linear(name + "attn.Wqkv", d, config.attention.qkv_columns(), biases.attention);
  result.attention.output = weights.linear(name + "attn.Wo", d, d, biases.attention);
  result.attention.rotary = local ? kinds.local_rotary : kinds.global_rotary;
  result.feed_forward_norm = norm(name + "mlp_norm");
  result.feed_forward.up = weights.linear(name + "mlp.Wi", d, 2 * f, biases.feed_forward);
  result.feed_forward.down = weights.linear(name + "mlp.Wo", f, d, biases.feed_forward);
  result.feed_forward.activation = config.activation;
  result.feed_forward.gated = true;
  if (layer > 0) result.attention_norm = norm(name + "attn_norm");
  if (layer == config.layers - 1) result.final_norm = norm("final_norm");
  return result;
}

std::optional<MaskedWordHead> build_head(const ConfigFile& file, const ModelConfig& config, const Weights& weights,
                                         const Biases& biases) {
  if (!weights.contains("head.dense.weight") || !weights.contains("decoder.bias")) return std::nullopt;
  const Index d = config.hidden_size;
  MaskedWordHead head;
  head.transform = weights.linear("head.dense", d, d, file.flag_or("classifier_bias", false));
  head.activation = read_activation(file, "classifier_activation", "gelu");
  head.norm = weights.layer_norm("head.norm", d, config.layer_norm_epsilon, biases.norm);
  head.bias = weights.row("decoder.bias", config.vocabulary);
  if (!config.tied_decoder && weights.contains("decoder.weight"))
    head.decoder = weights.table("decoder.weight", config.vocabulary, d);
  return head;
}

ModelParts build(const ConfigFile& file, const ModelConfig& config, const Weights& weights) {
  const Weights body = weights.without_prefix("model.", "embeddings.tok_embeddings.weight");
  const Biases biases{file.flag_or("attention_bias", false), file.flag_or("mlp_bias", false),
                      file.flag_or("norm_bias", false)};
  ModelParts parts;
  parts.embedding.words = body.table("embeddings.tok_embeddings.weight", config.vocabulary, config.hidden_size);
  parts.embedding.norm = body.layer_norm("embeddings.norm", config.hidden_size, config.layer_norm_epsilon, biases.norm);
  parts.embedding.padding_id = config.padding_id;
  const LayerKinds kinds = read_layer_kinds(file, config);
  for (Index layer = 0; layer < config.layers; ++layer)
    parts.blocks.push_back(std::make_unique<PreNormBlock>(build_layer(config, body, layer, kinds, biases)));
  parts.masked_word_head = build_head(file, config, weights, biases);
  return parts;
}

}  // namespace

void register_modernbert(ArchitectureRegistry& registry) {
  ArchitectureEntry entry;
  entry.title = "ModernBERT";
  entry.summary = "ModernBERT: pre-norm encoder with rotary positions, local and global layers";
  entry.read_config = read_config;
  entry.build = build;
  registry.add("modernbert", std::move(entry));
}

}  // namespace wordsway
