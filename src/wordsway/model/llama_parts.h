// What the decoders of Llama's family share: RMS norms before attention and feed-forward, rotary positions, heads that
// share keys and values, a gated feed-forward. Llama, Mistral, Qwen2 and Qwen3 differ in biases, windows and in norms
// of queries and keys.
#pragma once

#include <optional>
#include <vector>

#include "wordsway/model/architecture_registry.h"

namespace wordsway {

/// How one of them differs from the others.
struct LlamaKind {
  bool qkv_bias = false, output_bias = false, feed_forward_bias = false;
  bool head_norms = false;                         // queries and keys are normalised before they turn
  std::vector<std::optional<Index>> windows = {};  // of every layer, as Attention has it; empty: no layer has one
};

/// The keys that all of them have. `num_key_value_heads` and `head_dim` may be missing: every head then has its own
/// keys, and the heads share the hidden size. Throws DataError naming file and key on a missing, absurd or unsupported
/// value.
ModelConfig read_llama_config(const ConfigFile& file);

/// The window of all layers where `sliding_window` is a number (Mistral): a query sees itself and as many tokens before
/// it as make up that number. `standard` is the number where the key is not there at all; null means no window.
std::vector<std::optional<Index>> read_windows(const ConfigFile& file, const ModelConfig& config,
                                               std::optional<Index> standard = {});
/// The window of each layer where it counts with `use_sliding_window` alone (Qwen2, Qwen3): in the layers that
/// `layer_types` names, or else in those from `max_window_layers` on.
std::vector<std::optional<Index>> read_optional_windows(const ConfigFile& file, const ModelConfig& config);

/// How the GGUF files of one of them differ from the others'.
struct LlamaGguf {
  bool interleaved = false;                             // rows of queries and keys (gguf_names.h)
  bool output_bias = false, feed_forward_bias = false;  // of files that have others
  bool head_norms = false;
  GgufWindow window = GgufWindow::kNever;
};

GgufNames llama_gguf_names(const std::string& architecture, const LlamaGguf& kind);

/// Tensors with or without "model." before their names. Without `lm_head.weight` in a model that is not tied there is
/// no next-word head.
ModelParts build_llama_parts(const ConfigFile& file, const ModelConfig& config, const Weights& weights,
                             const LlamaKind& kind);

}  // namespace wordsway
