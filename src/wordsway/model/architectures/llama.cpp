// Llama 2 and 3 (Touvron et al. 2023) and what was built like them: a decoder with RMS norms, rotary positions and a
// gated feed-forward.
#include "wordsway/model/llama_parts.h"

namespace wordsway {
namespace {

ModelParts build(const ConfigFile& file, const ModelConfig& config, const Weights& weights) {
  LlamaKind kind;
  kind.qkv_bias = kind.output_bias = file.flag_or("attention_bias", false);
  kind.feed_forward_bias = file.flag_or("mlp_bias", false);
  return build_llama_parts(file, config, weights, kind);
}

}  // namespace

void register_llama(ArchitectureRegistry& registry) {
  ArchitectureEntry entry;
  entry.title = "Llama";
  entry.summary = "Llama: pre-norm decoder with RMS norms, rotary positions and shared keys";
  entry.read_config = read_llama_config;
  entry.build = build;
  entry.is_decoder = true;
  LlamaGguf gguf;
  gguf.interleaved = gguf.output_bias = gguf.feed_forward_bias = true;
  entry.gguf = llama_gguf_names("llama", gguf);
  entry.chat_templates = {"llama2", "llama3"};
  registry.add("llama", std::move(entry));
}

}  // namespace wordsway
