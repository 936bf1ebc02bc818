// DistilBERT (Sanh et al. 2019): BERT's encoder under other names, without token types; ε is 1e-12, always.
#include "wordsway/model/bert_parts.h"

namespace wordsway {
namespace {

ModelConfig read_config(const ConfigFile& file) {
  using Limits = ConfigLimits;
  ModelConfig config;
  config.architecture = file.text("model_type");
  config.vocabulary = file.integer("vocab_size", 1, Limits::kVocabulary);
  config.hidden_size = file.integer("dim", 1, Limits::kWidth);
  config.layers = file.integer("n_layers", 1, Limits::kLayers);
  config.attention = read_heads(file, "n_heads", config.hidden_size);
  config.feed_forward_size = file.integer("hidden_dim", 1, Limits::kWidth);
  config.position_rows = file.integer("max_position_embeddings", 1, Limits::kPositions);
  config.padding_id = file.integer_or("pad_token_id", 0, 0, config.vocabulary - 1);
  config.activation = read_activation(file, "activation", "gelu");
  config.tied_decoder = file.flag_or("tie_word_embeddings", true);
  return config;
}

PostNormWeights build_layer(const ModelConfig& config, const Weights& weights, Index layer) {
  const Index d = config.hidden_size, f = config.feed_forward_size;
  const std::string name = "transformer.layer." + std::to_string(layer) + ".", attention = name + "attention.";
  PostNormWeights result;
  result.attention.heads = {config.attention};
  result.attention.qkv = weights.stacked({attention + "q_lin", attention + "k_lin", attention + "v_lin"}, d, {d, d, d});
  result.attention.output = weights.linear(attention + "out_lin", d, d);
  result.attention_norm = weights.layer_norm(name + "sa_layer_norm", d, config.layer_norm_epsilon);
  result.feed_forward.up = weights.linear(name + "ffn.lin1", d, f);
  result.feed_forward.down = weights.linear(name + "ffn.lin2", f, d);
  result.feed_forward.activation = config.activation;
  result.output_norm = weights.layer_norm(name + "output_layer_norm", d, config.layer_norm_epsilon);
  return result;
}

ModelParts build(const ConfigFile&, const ModelConfig& config, const Weights& weights) {
  const Weights body = weights.without_prefix("distilbert.", "embeddings.word_embeddings.weight");
  ModelParts parts;
  parts.embedding = build_bert_embedding(config, body);
  for (Index layer = 0; layer < config.layers; ++layer) {
    parts.blocks.push_back(std::make_unique<PostNormBlock>(build_layer(config, body, layer)));
  }
  parts.masked_word_head = build_masked_word_head(
      config, weights, {"vocab_transform", "vocab_layer_norm", "vocab_projector.bias", "vocab_projector"});
  return parts;
}

}  // namespace

void register_distilbert(ArchitectureRegistry& registry) {
  ArchitectureEntry entry;
  entry.title = "DistilBERT";
  entry.summary = "DistilBERT: post-norm encoder without token types";
  entry.read_config = read_config;
  entry.build = build;
  registry.add("distilbert", std::move(entry));
}

}  // namespace wordsway
