#include "wordsway/model/config.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

constexpr const char *kNormaliserKey = "attention_normaliser", *kBetaKey = "attention_beta";

}  // namespace

ActivationKind read_activation(const ConfigFile& file, const std::string& key, const std::string& fallback) {
  try {
    return layer_activation_named(file.text_or(key, fallback));
  } catch (const UsageError& unknown) {
    file.refuse(key, fmt::format("is not supported: {}", unknown.what()));
  }
}

NormaliserSpec read_normaliser(const ConfigFile& file) {
  constexpr double kSmallest = 1e-6, kLargest = 1e6;
  NormaliserSpec result;
  try {
    result.kind = model_normaliser_named(file.text_or(kNormaliserKey, "softmax"));
  } catch (const UsageError& unknown) {
    file.refuse(kNormaliserKey, fmt::format("is not supported: {}", unknown.what()));
  }
  result.beta = static_cast<float>(file.number_or(kBetaKey, 1, kSmallest, kLargest));
  return result;
}

void refuse_normaliser(const ConfigFile& file, const std::string& supporting) {
  for (const char* key : {kNormaliserKey, kBetaKey})
    if (file.has(key))
      file.refuse(key, fmt::format("is not supported for the architecture {}: only {} has another normaliser of "
                                   "attention than the softmax",
                                   file.text("model_type"), supporting));
}

AttentionShape read_heads(const ConfigFile& file, const std::string& heads_key, Index hidden_size) {
  const Index heads = file.integer(heads_key, 1, ConfigLimits::kWidth);
  if (hidden_size % heads != 0)
    file.refuse(heads_key, fmt::format("must divide the hidden size {}, but is {}", hidden_size, heads));
  return AttentionShape::with_own_keys(heads, hidden_size / heads);
}

std::vector<bool> read_sliding_layers(const ConfigFile& file, Index layers) {
  std::vector<bool> sliding;
  for (const std::string& type : file.texts("layer_types", ConfigLimits::kLayers)) {
    if (type != "full_attention" && type != "sliding_attention")
      file.refuse("layer_types", "names '" + type + "'; supported are full_attention and sliding_attention");
    sliding.push_back(type == "sliding_attention");
  }
  if (static_cast<Index>(sliding.size()) != layers)
    file.refuse("layer_types", "must name a type for each of the " + std::to_string(layers) + " layers");
  return sliding;
}

double ModelConfig::forward_flops(Index n, Index blocks) const {
  const auto d = static_cast<double>(hidden_size), f = static_cast<double>(feed_forward_size);
  const auto context = static_cast<double>(attention.context_columns());
  const double projections = 2 * d * (static_cast<double>(attention.qkv_columns()) + context);
  const auto tokens = static_cast<double>(n), seen = causal ? (tokens + 1) / 2 : tokens;
  return static_cast<double>(blocks) * tokens * (projections + (gated ? 6 : 4) * d * f + 4 * seen * context);
}

ModelConfig read_bert_config(const ConfigFile& file) {
  using Limits = ConfigLimits;
  ModelConfig config;
  config.architecture = file.text("model_type");
  config.vocabulary = file.integer("vocab_size", 1, Limits::kVocabulary);
  config.hidden_size = file.integer("hidden_size", 1, Limits::kWidth);
  config.layers = file.integer("num_hidden_layers", 1, Limits::kLayers);
  config.attention = read_heads(file, "num_attention_heads", config.hidden_size);
  config.feed_forward_size = file.integer("intermediate_size", 1, Limits::kWidth);
  config.position_rows = file.integer("max_position_embeddings", 1, Limits::kPositions);
  config.token_types = file.integer_or("type_vocab_size", 2, 0, Limits::kVocabulary);
  config.padding_id = file.integer_or("pad_token_id", 0, 0, config.vocabulary - 1);
  config.layer_norm_epsilon = file.number_or("layer_norm_eps", 1e-12, 0, 1);
  config.activation = read_activation(file, "hidden_act", "gelu");
  config.tied_decoder = file.flag_or("tie_word_embeddings", true);
  if (const std::string kind = file.text_or("position_embedding_type", "absolute"); kind != "absolute") {
    file.refuse("position_embedding_type", "must be \"absolute\", but is \"" + kind + "\"");
  }
  if (file.flag_or("is_decoder", false)) file.refuse("is_decoder", "is true: only encoders are supported");
  return config;
}

}  // namespace wordsway
