// The model of a request, the output to look at, and the prompt before the texts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wordsway/ask/choices/text_input.h"
#include "wordsway/ask/context.h"
#include "wordsway/ask/fields.h"
#include "wordsway/audit/model.h"
#include "wordsway/run/study.h"

namespace wordsway {

/// A model and the device that computes it.
struct ModelInput {
  ModelChoice model;
  Device device;

  /// The model to use if none is given, as the help says.
  struct Usual {
    std::string model = "builtin";
    bool is_decoder = false;
    bool has_device = true;
  };
  static void describe(Fields<ModelInput>& fields, const Usual& usual);
  static void describe(Fields<ModelInput>& fields) { describe(fields, Usual()); }

  /// An empty choice means the built-in encoder.
  std::shared_ptr<const Model> open(Context& context) const { return context.model(model, device); }
  /// An empty choice means the built-in decoder.
  std::shared_ptr<const Model> open_decoder(Context& context) const {
    return context.model(model, device, "builtin-decoder");
  }
  bool is_builtin() const { return model.loaded == nullptr && (model.name.empty() || model.name == "builtin"); }
};

/// The fields `device` and `precision`.
void describe_device(Fields<Device>& fields);

/// Values of {layer} besides numbers: last, and the readouts (model/readout.h) that are not of every layer.
std::vector<std::string> layer_choices();

/// The output of a model to look at, as a user names it.
struct OutputInput {
  std::string layer = "last", rows = "all";

  static void describe(Fields<OutputInput>& fields, const std::string& what = "Which output counts");
};

/// The prompt before every text.
struct PromptInput {
  PromptChoice choice;

  static void describe(Fields<PromptInput>& fields);
};

/// Finds the named output and its prompt. For a pooled vector, says which pooling, prompt and length are used.
PromptedOutput prompted_output(const Model& model, const OutputInput& output, const PromptInput& prompt,
                               Context& context);

/// Warns if the model is a decoder, in which a token changes nothing before it.
void warn_if_causal(const Model& model, Context& context);

/// Encodes texts as encode_texts does (audit/model.h), and warns about texts that were cut or have no word.
std::vector<Encoding> encode_with_warnings(const Model& model, const std::vector<LabelledText>& texts, Context& context,
                                           const EncodeTextsOptions& options = {});

/// Encodes texts to ids alone, under the name that results use.
EncodedTexts encode_corpus(const Model& model, const std::string& name, const std::vector<LabelledText>& texts,
                           Context& context, const EncodeTextsOptions& options = {});

/// Identifies the model and the texts by content: what the rows of a study depend on besides settings_of(request). The
/// fields `model` and `input` are labels.
StudyContent content_of(const Model& model, const std::vector<LabelledText>& texts);

}  // namespace wordsway
