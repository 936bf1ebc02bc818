// Qwen3 (Yang et al. 2025): Llama with RMS norms of queries and keys, head by head, before they turn; windows in the
// upper layers of some.
#include "wordsway/model/llama_parts.h"

namespace wordsway {
namespace {

ModelParts build(const ConfigFile& file, const ModelConfig& config, const Weights& weights) {
  LlamaKind kind;
  kind.qkv_bias = kind.output_bias = file.flag_or("attention_bias", false);
  kind.head_norms = true;
  kind.windows = read_optional_windows(file, config);
  return build_llama_parts(file, config, weights, kind);
}

}  // namespace

void register_qwen3(ArchitectureRegistry& registry) {
  ArchitectureEntry entry;
  entry.title = "Qwen3";
  entry.summary = "Qwen3: Llama's decoder with norms of queries and keys";
  entry.read_config = read_llama_config;
  entry.build = build;
  entry.is_decoder = true;
  LlamaGguf gguf;
  gguf.output_bias = gguf.head_norms = true;
  gguf.window = GgufWindow::kOptional;
  entry.gguf = llama_gguf_names("qwen3", gguf);
  entry.chat_templates = {"chatml"};
  registry.add("qwen3", std::move(entry));
}

}  // namespace wordsway
