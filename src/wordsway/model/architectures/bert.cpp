// BERT (Devlin et al. 2019) and its relatives by training alone, such as MiniLM: post-norm encoder, positions from 0,
// token types. Its attention may have another normaliser than the softmax, which models/normalisers have.
#include "wordsway/model/bert_parts.h"

namespace wordsway {
namespace {

ModelConfig read_config(const ConfigFile& file) {
  ModelConfig config = read_bert_config(file);
  config.normaliser = read_normaliser(file);
  return config;
}

ModelParts build(const ConfigFile&, const ModelConfig& config, const Weights& weights) {
  ModelParts parts = build_bert_parts(config, weights.without_prefix("bert.", "embeddings.word_embeddings.weight"));
  const std::string head = "cls.predictions.";
  parts.masked_word_head = build_masked_word_head(
      config, weights, {head + "transform.dense", head + "transform.LayerNorm", head + "bias", head + "decoder"});
  return parts;
}

}  // namespace

void register_bert(ArchitectureRegistry& registry) {
  ArchitectureEntry entry;
  entry.title = "BERT and MiniLM";
  entry.summary = "BERT and MiniLM: post-norm encoder with token types";
  entry.read_config = read_config;
  entry.build = build;
  entry.has_normalisers = true;
  registry.add("bert", std::move(entry));
}

}  // namespace wordsway
