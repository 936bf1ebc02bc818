// The table of architectures, by the `model_type` of config.json. The build fills it from the files in
// model/architectures/ (cmake/WordswayRegistry.cmake): a new architecture is one new file there
// (docs/adding_an_architecture.md), and messages, documentation and tests take its names from the table.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/core/registry.h"
#include "wordsway/model/config.h"
#include "wordsway/model/gguf_names.h"
#include "wordsway/model/layers/block.h"
#include "wordsway/model/layers/embedding.h"
#include "wordsway/model/masked_word_head.h"
#include "wordsway/model/next_word_head.h"
#include "wordsway/model/weights.h"

namespace wordsway {

/// The parts of a model, which an architecture's file puts together.
struct ModelParts {
  Embedding embedding;
  std::vector<std::unique_ptr<Block>> blocks;
  Index parameters_of_all_blocks = 0;              // numbers that blocks share and do not count
  std::optional<MaskedWordHead> masked_word_head;  // of an encoder
  std::optional<NextWordHead> next_word_head;      // of a decoder
};

/// What an architecture file registers.
struct ArchitectureEntry {
  std::string title;    // of its models: "Qwen3"
  std::string summary;  // one line
  std::function<ModelConfig(const ConfigFile&)> read_config;
  /// The file is for keys that this architecture alone has.
  std::function<ModelParts(const ConfigFile&, const ModelConfig&, const Weights&)> build;
  bool is_decoder = false;
  bool has_normalisers = false;     // reads the keys of attention normalisers; other architectures refuse them
  std::optional<GgufNames> gguf{};  // how GGUF files store it; without a value: not read from them
  /// Names of the chat templates (audit/chat_template.h) that its chat models were trained with.
  std::vector<std::string> chat_templates{};
  std::string same_as{};  // the entry of which this is another name; empty: none
};

using ArchitectureRegistry = Registry<ArchitectureEntry>;

/// All architectures; built on first use, thread-safe.
const ArchitectureRegistry& architecture_registry();

/// Titles of the decoders, and of the architectures that are read from GGUF files.
std::vector<std::string> decoder_titles();
std::vector<std::string> gguf_titles();
/// Values of general.architecture in such files.
std::vector<std::string> gguf_architectures();

}  // namespace wordsway
