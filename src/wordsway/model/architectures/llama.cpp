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
  registry.add("llama",
               {"Llama: pre-norm decoder with RMS norms, rotary positions and shared keys", read_llama_config, build});
}

}  // namespace wordsway
