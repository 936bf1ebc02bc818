// Options that say which model a command works on.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "options/common.h"
#include "options/texts.h"
#include "wordsway/audit/model.h"

namespace CLI {
class App;
}

namespace wordsway::app {

/// Adds -m/--model; `standard` says in its help which model is taken without it.
void add_model_option(CLI::App& command, std::string& folder, const std::string& standard = "builtin");

/// The folder of a model; of the built-in ones for "builtin" (and for nothing), "builtin-decoder" and the names that
/// normaliser_models() gives, such as "builtin-softmax-4-seed-1" (builtin_data.h). Throws FileError, with how to get
/// the folder, when there is none of this name and the name could be one of the Hugging Face hub.
std::filesystem::path model_folder(const std::string& folder);
/// What it holds, on the device that is asked for.
Model open_model(const std::string& folder, const Device& device = {});

/// Adds --device and --precision.
void add_device_options(CLI::App& command, Device& device);

/// Adds -m/--model for commands that need a decoder; without it they take the built-in one.
void add_decoder_option(CLI::App& command, std::string& folder);
Model open_decoder(const std::string& folder, const Device& device = {});

/// What goes before every text, for models that want it.
using PromptOptions = PromptChoice;

/// Adds --prompt-name and --prompt.
void add_prompt_options(CLI::App& command, PromptOptions& options);

/// Says on stderr, where a pooled vector is asked for, which pooling, prompt and length are used and which file said
/// so.
void tell_sentence_use(const Model& model, bool pooled, const std::string& prompt, const CommonOptions& common);

/// Says on stderr, of a decoder, that a token moves nothing before it.
void tell_causal(const Model& model, const CommonOptions& common);

/// Which output of a model counts, as a user names it.
struct OutputOptions {
  std::string layer = "last", rows = "all";
};

/// Adds --layer and --rows; `what` says what they are for.
void add_output_kind_options(CLI::App& command, OutputOptions& options,
                             const std::string& what = "Which output counts");

/// The output that --layer and --rows name, with its prompt; says what tell_sentence_use says.
PromptedOutput prompted_output(const Model& model, const OutputOptions& output, const PromptOptions& options,
                               const CommonOptions& common);

/// What was noticed about texts that are encoded batch by batch, to be told at the end.
class EncodingRemarks {
 public:
  /// The next texts.
  void add(const std::vector<Encoding>& encodings);
  Index texts() const { return texts_; }
  /// Says on stderr how many texts were cut, and which have no word.
  void tell(const Model& model, const CommonOptions& common) const;

 private:
  WordlessTexts wordless_;
  Index cut_ = 0, texts_ = 0;
};

/// What encode_texts gives (audit/model.h); how many texts were cut, and which have no word, is said on stderr.
std::vector<Encoding> encode_with_remark(const Model& model, const std::vector<LabelledText>& texts,
                                         const CommonOptions& common, const EncodeTextsOptions& options = {});

/// The same as ids alone, under the name that results give them.
EncodedTexts encode_corpus(const Model& model, const std::string& name, const std::vector<LabelledText>& texts,
                           const CommonOptions& common, const EncodeTextsOptions& options = {});

}  // namespace wordsway::app
