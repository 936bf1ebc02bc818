// A model with its tokenizer: what one has when a folder was read, and what one asks of it is asked of a text.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "wordsway/model/model_map.h"
#include "wordsway/model/transformer.h"
#include "wordsway/text/corpus/corpus.h"
#include "wordsway/text/corpus/encoded_texts.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

struct Model {
  std::shared_ptr<const Transformer> transformer;
  std::shared_ptr<const Tokenizer> tokenizer;

  /// The longest text in tokens, by the model and by its tokenizer.
  Index most_tokens() const;
};

/// Reads a Hugging Face folder. Throws what Transformer::load and load_tokenizer throw.
Model load_model(const std::filesystem::path& folder);

/// The output of the last block, every token of it.
ModelOutput last_layer(const Transformer& transformer);

/// Which output a name means: "0" (the embedding) to the number of layers, "last" or "pooled". Throws UsageError on
/// another.
ModelOutput parse_layer(const std::string& name, const Transformer& transformer);

/// What a model is, for people and programs: architecture, sizes, tokenizer, pooling.
Record describe_model(const Model& model);

/// Encodes texts in parallel, cut to what the model takes (Encoding::cut says which). Throws DataError when one has no
/// token at all.
std::vector<Encoding> encode_texts(const Model& model, const std::vector<LabelledText>& texts,
                                   bool special_tokens = true);

/// The ids alone, under the name that results give them.
EncodedTexts ids_of(const Model& model, const std::string& name, std::vector<Encoding> encodings);

}  // namespace wordsway
