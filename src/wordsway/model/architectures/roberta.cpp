// RoBERTa (Liu et al. 2019), XLM-RoBERTa and CamemBERT: BERT's encoder; positions start after the padding id and skip
// padding.
#include "wordsway/model/bert_parts.h"

namespace wordsway {
namespace {

ModelConfig read_config(const ConfigFile& file) {
  ModelConfig config = read_bert_config(file);
  config.padding_id = file.integer_or("pad_token_id", 1, 0, config.vocabulary - 1);
  config.position_offset = config.padding_id + 1;
  if (config.most_tokens() < 1) {
    file.refuse("max_position_embeddings",
                "must exceed the padding id by at least 2, but is " + std::to_string(config.position_rows));
  }
  return config;
}

ModelParts build(const ConfigFile&, const ModelConfig& config, const Weights& weights) {
  ModelParts parts = build_bert_parts(config, weights.without_prefix("roberta.", "embeddings.word_embeddings.weight"));
  parts.embedding.positions_skip_padding = true;
  parts.masked_word_head = build_masked_word_head(
      config, weights, {"lm_head.dense", "lm_head.layer_norm", "lm_head.bias", "lm_head.decoder"});
  if (parts.masked_word_head) parts.masked_word_head->activation = ActivationKind::kGelu;  // whatever hidden_act says
  return parts;
}

void add(ArchitectureRegistry& registry, const std::string& name, const std::string& title,
         const std::string& same_as = "") {
  ArchitectureEntry entry;
  entry.title = title;
  entry.summary = title + ": post-norm encoder whose positions skip padding";
  entry.read_config = read_config;
  entry.build = build;
  entry.same_as = same_as;
  registry.add(name, std::move(entry));
}

}  // namespace

void register_roberta(ArchitectureRegistry& registry) {
  add(registry, "roberta", "RoBERTa");
  add(registry, "xlm-roberta", "XLM-RoBERTa");
  add(registry, "camembert", "CamemBERT", "roberta");
}

}  // namespace wordsway
