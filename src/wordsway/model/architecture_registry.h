// The table of architectures, by the `model_type` of config.json. Filled by the build from the files in
// model/architectures/ (cmake/WordswayRegistry.cmake): a new architecture is one new file there.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/core/registry.h"
#include "wordsway/model/config.h"
#include "wordsway/model/layers/block.h"
#include "wordsway/model/layers/embedding.h"
#include "wordsway/model/next_word_head.h"
#include "wordsway/model/weights.h"
#include "wordsway/model/word_head.h"

namespace wordsway {

/// A model taken apart: what an architecture file puts together.
struct ModelParts {
  Embedding embedding;
  std::vector<std::unique_ptr<Block>> blocks;
  Index parameters_of_all_blocks = 0;          // numbers that blocks share and do not count
  std::optional<WordHead> word_head;           // of an encoder
  std::optional<NextWordHead> next_word_head;  // of a decoder
};

/// What an architecture file registers.
struct ArchitectureEntry {
  std::string summary;  // one line
  std::function<ModelConfig(const ConfigFile&)> read_config;
  /// The file is for keys that this architecture alone has.
  std::function<ModelParts(const ConfigFile&, const ModelConfig&, const Weights&)> build;
  bool normalisers = false;  // read_config reads those of attention; where it does not, a folder that asks for one is
                             // refused
};

using ArchitectureRegistry = Registry<ArchitectureEntry>;

/// All architectures there are; built on first use, thread-safe.
const ArchitectureRegistry& architecture_registry();

}  // namespace wordsway
