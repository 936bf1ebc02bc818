// The model of a request, which output of it is looked at, and what goes before the texts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wordsway/ask/choices/text_input.h"
#include "wordsway/ask/context.h"
#include "wordsway/ask/fields.h"
#include "wordsway/audit/model.h"

namespace wordsway {

/// The model, and where it is computed.
struct ModelInput {
  ModelChoice model;
  Device device;

  /// Which model is meant where none is given, as the help says it.
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

/// Which output of a model is looked at, as a user names it.
struct OutputInput {
  std::string layer = "last", rows = "all";

  static void describe(Fields<OutputInput>& fields, const std::string& what = "Which output counts");
};

/// What goes before every text.
struct PromptInput {
  PromptChoice choice;

  static void describe(Fields<PromptInput>& fields);
};

/// The output that is named, with its prompt. Warns which pooling, prompt and length are used where a pooled vector is
/// asked for.
PromptedOutput prompted_output(const Model& model, const OutputInput& output, const PromptInput& prompt,
                               Context& context);

/// Warns, of a decoder, that a token changes nothing before it.
void warn_if_causal(const Model& model, Context& context);

/// encode_texts (audit/model.h), with warnings about texts that were cut or have no word.
std::vector<Encoding> encode_with_warnings(const Model& model, const std::vector<LabelledText>& texts, Context& context,
                                           const EncodeTextsOptions& options = {});

/// The same as ids alone, under the name that results give them.
EncodedTexts encode_corpus(const Model& model, const std::string& name, const std::vector<LabelledText>& texts,
                           Context& context, const EncodeTextsOptions& options = {});

}  // namespace wordsway
