// MPNet (Song et al. 2020): BERT's encoder with a bias of scores by distance, the same in all layers; positions start
// at 2 and skip padding, whose id is 1 whatever the config says; no token types.
#include "wordsway/model/bert_parts.h"

namespace wordsway {
namespace {

constexpr Index kPadding = 1, kBuckets = 32;

ModelConfig read_config(const ConfigFile& file) {
  ModelConfig config = read_bert_config(file);
  config.token_types = 0;
  config.padding_id = kPadding;
  config.position_offset = kPadding + 1;
  if (config.most_tokens() < 1)
    file.refuse("max_position_embeddings", "must be at least 3, but is " + std::to_string(config.position_rows));
  if (file.integer_or("relative_attention_num_buckets", kBuckets, 1, ConfigLimits::kWidth) != kBuckets)
    file.refuse("relative_attention_num_buckets", "must be 32; distances are sorted into so many");
  return config;
}

ModelParts build(const ConfigFile&, const ModelConfig& config, const Weights& weights) {
  const Weights body = weights.without_prefix("mpnet.", "embeddings.word_embeddings.weight");
  const Index d = config.hidden_size;
  ModelParts parts;
  parts.embedding = build_bert_embedding(config, body);
  parts.embedding.positions_skip_padding = true;
  const auto bias = std::make_shared<const RelativeBias>(
      body.matrix("encoder.relative_attention_bias.weight", kBuckets, config.attention.heads));
  for (Index layer = 0; layer < config.layers; ++layer) {
    const std::string name = "encoder.layer." + std::to_string(layer) + ".", self = name + "attention.attn.";
    SelfAttention attention;
    attention.heads = {config.attention, std::nullopt, bias};
    attention.qkv = body.stacked({self + "q", self + "k", self + "v"}, d, {d, d, d});
    attention.output = body.linear(self + "o", d, d);
    parts.blocks.push_back(std::make_unique<PostNormBlock>(
        build_bert_layer(config, body, name, std::move(attention), "attention.LayerNorm")));
  }
  parts.parameters_of_all_blocks = bias->size();
  parts.masked_word_head = build_masked_word_head(
      config, weights, {"lm_head.dense", "lm_head.layer_norm", "lm_head.bias", "lm_head.decoder"});
  if (parts.masked_word_head) parts.masked_word_head->activation = ActivationKind::kGelu;  // whatever hidden_act says
  return parts;
}

}  // namespace

void register_mpnet(ArchitectureRegistry& registry) {
  ArchitectureEntry entry;
  entry.title = "MPNet";
  entry.summary = "MPNet: post-norm encoder with a bias of scores by distance";
  entry.read_config = read_config;
  entry.build = build;
  registry.add("mpnet", std::move(entry));
}

}  // namespace wordsway
