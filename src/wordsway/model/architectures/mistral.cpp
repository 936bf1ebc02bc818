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
  ArchitectureEntry entry;
  entry.title = "Mistral";
  entry.summary = "Mistral: Llama's decoder with a window in every layer or none";
  entry.read_config = read_llama_config;
  entry.build = build;
  entry.is_decoder = true;
  LlamaGguf gguf;  // the architecture llama with a window
  gguf.interleaved = gguf.output_bias = true;
  gguf.window = GgufWindow::kAlways;
  entry.gguf = llama_gguf_names("llama", gguf);
  entry.chat_templates = {"mistral"};
  registry.add("mistral", std::move(entry));
}

}  // namespace wordsway
