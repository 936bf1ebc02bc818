// Qwen2 and Qwen2.5 (Yang et al. 2024): Llama with biases of queries, keys and values, which no key of config.json
// names; windows in the upper layers of some.
#include "wordsway/model/llama_parts.h"

namespace wordsway {
namespace {

ModelParts build(const ConfigFile& file, const ModelConfig& config, const Weights& weights) {
  LlamaKind kind;
  kind.qkv_bias = true;
  kind.windows = read_optional_windows(file, config);
  return build_llama_parts(file, config, weights, kind);
}

}  // namespace

void register_qwen2(ArchitectureRegistry& registry) {
  ArchitectureEntry entry;
  entry.title = "Qwen2";
  entry.summary = "Qwen2: Llama's decoder with biases of queries, keys and values";
  entry.read_config = read_llama_config;
  entry.build = build;
  entry.is_decoder = true;
  LlamaGguf gguf;
  gguf.window = GgufWindow::kOptional;
  entry.gguf = llama_gguf_names("qwen2", gguf);
  entry.chat_templates = {"chatml"};
  registry.add("qwen2", std::move(entry));
}

}  // namespace wordsway
