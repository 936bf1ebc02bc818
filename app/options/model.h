// Options that say which model a command works on and which of its outputs.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "options/common.h"
#include "wordsway/model/encoder.h"
#include "wordsway/model/model_map.h"
#include "wordsway/text/tokenizer.h"

namespace CLI {
class App;
}

namespace wordsway::app {

/// A model with its tokenizer.
struct LoadedModel {
  std::shared_ptr<const Encoder> encoder;
  std::shared_ptr<const Tokenizer> tokenizer;

  /// The longest text in tokens, by the model and by its tokenizer.
  Index most_tokens() const;
};

/// Adds -m/--model.
void add_model_option(CLI::App& command, std::string& folder);

/// Throws UsageError when no folder is given.
std::filesystem::path model_folder(const std::string& folder);
LoadedModel load_model(const std::string& folder);

/// "0", "3", "last" or "pooled". Throws UsageError on another, or a layer the model does not have.
ModelOutput parse_output(const std::string& layer, const Encoder& encoder);

/// Encodes a text, cut to what the model takes (said on stderr). Throws DataError when it has no token at all.
Encoding encode_for(const LoadedModel& model, const std::string& text, bool special_tokens,
                    const CommonOptions& common);

/// An encoding whose tokens are written next to each other, for headings.
std::string shown(const std::vector<std::string>& pieces);

}  // namespace wordsway::app
