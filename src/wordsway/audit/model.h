// A model with its tokenizer: what one has when a folder was read, and what one asks of it is asked of a text.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordsway/core/device.h"
#include "wordsway/model/model_map.h"
#include "wordsway/model/transformer.h"
#include "wordsway/text/corpus/corpus.h"
#include "wordsway/text/corpus/encoded_texts.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

struct Model {
  std::shared_ptr<const Transformer> transformer;
  std::shared_ptr<const Tokenizer> tokenizer;
  SentenceSettings sentence = {};  // how sentence-transformers would use it
  /// The ids that end a text of a decoder, from generation_config.json, else config.json. If neither says so, this is
  /// empty, and the tokenizer's end of text ends it.
  std::vector<int> end_of_text = {};

  /// The longest text in tokens, special ones included: what sentence_*_config.json says, else what the tokenizer says,
  /// never more than the model has positions for.
  Index most_tokens() const;
};

/// Reads a Hugging Face folder, or a GGUF file with its tokenizer. Throws what Transformer::load and load_tokenizer
/// throw, and for another device than the processor what make_cuda_engine throws.
Model load_model(const std::filesystem::path& folder, const Device& device = {});

/// What rows depend on through a model: its weights, its configuration and its tokenizer, as digests.
Record content_of(const Model& model);

/// What rows and journals say of the device that a model computes on: `device` and `precision`; nothing on the
/// processor.
Record device_fields(const Transformer& transformer);

/// People who know Transformers expect that a name of the Hugging Face hub is enough. Throws FileError, with how to get
/// the folder, when there is no file or folder of this name and it could be such a name. `then` is what to do with the
/// folder: "give -m".
void check_not_hub_name(const std::string& name, const std::string& then);

/// The output of the last block, every token of it.
ModelOutput last_layer(const Transformer& transformer);

/// The output that {layer} and {rows} name: "0" (the embedding) to the number of layers, "last", or a readout
/// (model/readout.h) that the model has, such as "pooled" or "logits"; of a layer "all" rows or the "last". Throws
/// UsageError on other names.
ModelOutput parse_layer(const std::string& name, const Transformer& transformer, const std::string& rows = "all");

/// What an attention makes of its scores, as pictures call it: "softmax", "softmax, β = 4", "sigmoid", …
std::string normaliser_label(const NormaliserSpec& normaliser);

/// What a model is, for people and programs: architecture, sizes, tokenizer, pooling.
Record describe_model(const Model& model);

/// Which file said what pooling, prompt, normalisation and length are, in one line.
std::string describe_sentence_use(const Model& model, const std::string& prompt);

/// The text of a prompt: that of its name in config_sentence_transformers.json, or the folder's default one where no
/// name is given; empty where there is none. Throws UsageError when there is no prompt of this name.
std::string prompt_named(const Model& model, const std::optional<std::string>& name);

/// What a user says about the prompt: the name of one, its text, or nothing.
struct PromptChoice {
  std::optional<std::string> name = {}, text = {};
};

/// The prompt to be used: the one that was asked for, else, for a pooled vector, the model's default one. Throws
/// UsageError when a name and a text were given, or the name is unknown.
std::string choose_prompt(const Model& model, const PromptChoice& choice, bool pooled);

/// How many tokens of a text are its prompt's and not pooled, the leading special ones included: 0 where the model
/// pools them too. Counted as sentence-transformers does, from the prompt alone.
Index unpooled_tokens(const Model& model, const std::string& prompt);

/// Which output of a model is asked for, and what goes before the texts.
struct PromptedOutput {
  ModelOutput output;
  std::string prompt;
};

/// The output that `layer` and `rows` name (parse_layer), with its prompt (choose_prompt).
PromptedOutput prompted_output(const Model& model, const std::string& layer, const std::string& rows,
                               const PromptChoice& choice);

struct EncodeTextsOptions {
  bool special_tokens = true;
  /// Goes before every text. Its tokens belong to no word, and places count from the begin of the text itself.
  std::string prompt = {};
};

/// Encodes texts in parallel, cut to what the model takes (Encoding::cut says which). Words are those of the tokenizer;
/// where it takes more than one for a word, what stands between spaces. Throws DataError when a text has no token at
/// all.
std::vector<Encoding> encode_texts(const Model& model, std::span<const LabelledText> texts,
                                   const EncodeTextsOptions& options = {});

/// The ids alone, under the name that results give them.
EncodedTexts ids_of(const Model& model, const std::string& name, std::vector<Encoding> encodings);

}  // namespace wordsway
