// Mistral (Jiang et al. 2023): Llama without biases; where `sliding_window` is set, a token sees itself and the window
// − 1 tokens before it. Transformers takes 4096 where the key is missing, and no window where it is null.
#include "wordsway/model/llama_parts.h"

namespace wordsway {
namespace {

ModelParts build(const ConfigFile& file, const ModelConfig& config, const Weights& weights) {
  LlamaKind kind;
  kind.windows = read_windows(file, config, 4096);
  return build_llama_parts(file, config, weights, kind);
}

}  // namespace

void register_mistral(ArchitectureRegistry& registry) {
  registry.add("mistral", {"Mistral: Llama's decoder with a window in every layer or none", read_llama_config, build});
}

}  // namespace wordsway
