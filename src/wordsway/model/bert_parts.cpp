#include "wordsway/model/bert_parts.h"

namespace wordsway {
namespace {

constexpr const char* kTokenTypes = "embeddings.token_type_embeddings.weight";

}  // namespace

Embedding build_bert_embedding(const ModelConfig& config, const Weights& weights) {
  const Index d = config.hidden_size;
  Embedding result;
  result.words = weights.table("embeddings.word_embeddings.weight", config.vocabulary, d);
  result.positions = weights.matrix("embeddings.position_embeddings.weight", config.position_rows, d);
  if (config.token_types > 0) {
    result.token_types = weights.matrix(kTokenTypes, config.token_types, d);
  }
  result.norm = weights.layer_norm("embeddings.LayerNorm", d, config.layer_norm_epsilon);
  result.padding_id = config.padding_id;
  return result;
}

PostNormWeights build_bert_layer(const ModelConfig& config, const Weights& weights, const std::string& layer,
                                 SelfAttention attention, const std::string& attention_norm) {
  const Index d = config.hidden_size, f = config.feed_forward_size;
  const double epsilon = config.layer_norm_epsilon;
  PostNormWeights result;
  result.attention = std::move(attention);
  result.attention_norm = weights.layer_norm(layer + attention_norm, d, epsilon);
  result.feed_forward.up = weights.linear(layer + "intermediate.dense", d, f);
  result.feed_forward.down = weights.linear(layer + "output.dense", f, d);
  result.feed_forward.activation = config.activation;
  result.output_norm = weights.layer_norm(layer + "output.LayerNorm", d, epsilon);
  return result;
}

ModelParts build_bert_parts(const ModelConfig& config, const Weights& weights) {
  if (config.token_types == 0 && weights.contains(kTokenTypes)) {
    weights.refuse(kTokenTypes, "is there, but config.json says that there are no token types (type_vocab_size 0)");
  }
  ModelParts parts;
  parts.embedding = build_bert_embedding(config, weights);
  const Index d = config.hidden_size;
  for (Index layer = 0; layer < config.layers; ++layer) {
    const std::string name = "encoder.layer." + std::to_string(layer) + ".", self = name + "attention.self.";
    SelfAttention attention;
    attention.heads = {config.attention};
    attention.heads.normaliser = config.normaliser;
    attention.qkv = weights.stacked({self + "query", self + "key", self + "value"}, d, {d, d, d});
    attention.output = weights.linear(name + "attention.output.dense", d, d);
    parts.blocks.push_back(std::make_unique<PostNormBlock>(
        build_bert_layer(config, weights, name, std::move(attention), "attention.output.LayerNorm")));
  }
  return parts;
}

std::optional<MaskedWordHead> build_masked_word_head(const ModelConfig& config, const Weights& weights,
                                                     const MaskedWordHeadNames& names) {
  if (!weights.contains(names.transform + ".weight")) return std::nullopt;
  const Index d = config.hidden_size;
  MaskedWordHead head;
  head.transform = weights.linear(names.transform, d, d);
  head.activation = config.activation;
  head.norm = weights.layer_norm(names.norm, d, config.layer_norm_epsilon);
  head.bias = weights.row(names.bias, config.vocabulary);
  if (!config.tied_decoder && weights.contains(names.decoder + ".weight")) {
    head.decoder = weights.table(names.decoder + ".weight", config.vocabulary, d);
    // An untied decoder has a bias of its own, and the head's is then unused.
    if (weights.contains(names.decoder + ".bias")) head.bias = weights.row(names.decoder + ".bias", config.vocabulary);
  }
  return head;
}

}  // namespace wordsway
