// Options that say which model a command works on and which of its outputs.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "options/common.h"
#include "wordsway/model/model_map.h"
#include "wordsway/model/transformer.h"
#include "wordsway/text/corpus/corpus.h"
#include "wordsway/text/corpus/encoded_texts.h"

namespace CLI {
class App;
}

namespace wordsway::app {

/// A model with its tokenizer.
struct LoadedModel {
  std::shared_ptr<const Transformer> transformer;
  std::shared_ptr<const Tokenizer> tokenizer;

  /// The longest text in tokens, by the model and by its tokenizer.
  Index most_tokens() const;
};

/// Adds -m/--model; `standard` says in its help which model is taken without it.
void add_model_option(CLI::App& command, std::string& folder, const std::string& standard = "builtin");

/// The folder of a model; of the built-in one for "builtin" and for nothing. Throws FileError, with how to get the
/// folder, when there is none of this name and the name could be one of the Hugging Face hub.
std::filesystem::path model_folder(const std::string& folder);
LoadedModel load_model(const std::string& folder);

/// "0", "3", "last" or "pooled". Throws UsageError on another, or a layer the model does not have.
ModelOutput parse_output(const std::string& layer, const Transformer& transformer);

/// Encodes texts in parallel, cut to what the model takes; how many were cut, and which have no word, is said on
/// stderr. Throws DataError when one has no token at all.
std::vector<Encoding> encode_texts(const LoadedModel& model, const std::vector<LabelledText>& texts,
                                   const CommonOptions& common, bool special_tokens = true);

/// The same as ids alone, under the name that results give them.
EncodedTexts encode_corpus(const LoadedModel& model, const std::string& name, const std::vector<LabelledText>& texts,
                           const CommonOptions& common);

}  // namespace wordsway::app
