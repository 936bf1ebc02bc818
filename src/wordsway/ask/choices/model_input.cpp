#include "wordsway/ask/choices/model_input.h"

#include <fmt/format.h>

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/model/architecture_registry.h"

namespace wordsway {

void describe_device(Fields<Device>& fields) {
  fields.custom(
      {.name = "device",
       .kind = FieldKind::kChoice,
       .role = FieldRole::kResource,
       .help = "Where to compute: cpu, or cuda for an NVIDIA GPU, in a build that has it",
       .default_text = "cpu",
       .choices = {"cpu", "cuda"},
       .front_ends = {FrontEnd::kShell, FrontEnd::kPython}},
      [](const FieldInfo& field, Device& device, const Given& given) {
        device.kind = device_named(take_choice(field, given));
      },
      [](const Device& device) { return to_string(device.kind); });
  fields.custom(
      {.name = "precision",
       .kind = FieldKind::kChoice,
       .role = FieldRole::kResource,
       .help = "Precision of matrix products on a GPU: f32, as accurate as the CPU; tf32 or bf16, faster",
       .default_text = "f32",
       .choices = {"f32", "tf32", "bf16"},
       .front_ends = {FrontEnd::kShell, FrontEnd::kPython}},
      [](const FieldInfo& field, Device& device, const Given& given) {
        device.precision = precision_named(take_choice(field, given));
      },
      [](const Device& device) { return to_string(device.precision); });
  // The CPU has one precision. An option that is accepted and has no effect would mislead.
  fields.check([](const Device& device, const GivenNames& given) {
    if (given.contains("precision") && device.is_cpu())
      throw UsageError("{precision} is for products on a GPU and needs {device} cuda");
  });
}

void ModelInput::describe(Fields<ModelInput>& fields, const Usual& usual) {
  const std::string help = usual.is_decoder
                               ? "Folder of a decoder as Hugging Face stores it: " + enumerate(decoder_titles(), "or") +
                                     "; or a GGUF file, "
                                     "FILE.gguf; or builtin-decoder, the small Llama that comes with wordsway and "
                                     "answers questions about film "
                                     "reviews"
                               : "Folder of a model as Hugging Face stores it: config.json, model.safetensors, "
                                 "tokenizer.json or vocab.txt; or "
                                 "a GGUF file, FILE.gguf, of a " +
                                     enumerate(gguf_titles(), "or") +
                                     "; or builtin or builtin-decoder, the "
                                     "small models that come with wordsway";
  fields.model("model", &ModelInput::model, help)
      .short_flag("m", true)
      .by_default(usual.is_decoder ? "builtin-decoder" : usual.model)
      .choices(usual.is_decoder ? std::vector<std::string>{"builtin-decoder"}
                                : std::vector<std::string>{"builtin", "builtin-decoder"},
               false);
  if (!usual.has_device) return;
  fields.include_described(&ModelInput::device, describe_device);
}

std::vector<std::string> layer_choices() {
  std::vector<std::string> names = names_of_layer_readouts();
  names.insert(names.begin(), "last");
  return names;
}

void OutputInput::describe(Fields<OutputInput>& fields, const std::string& what) {
  fields.label("layer", &OutputInput::layer, layer_choices(),
               what +
                   ": 0 for the embedding, 1 and up for the layers, last; pooled for the vector of the text; of "
                   "decoders also logits, those of the word after the text");
  fields.choice("rows", &OutputInput::rows, names_of_row_readouts(),
                "Which rows of the layer: all, or last for the last token's alone, where a decoder has seen the whole "
                "text");
}

void PromptInput::describe(Fields<PromptInput>& fields) {
  const auto text_of = [](std::optional<std::string> PromptChoice::*member) {
    return [member](const FieldInfo& field, PromptInput& input, const Given& given) {
      input.choice.*member = take_text(field, given);
    };
  };
  fields.custom({.name = "prompt_name",
                 .help = "Put the model's prompt of this name before every text: one of "
                         "config_sentence_transformers.json",
                 .default_text = "the model's default prompt where a pooled vector is asked for, else none"},
                text_of(&PromptChoice::name), [](const PromptInput& input) { return input.choice.name.value_or(""); });
  fields.custom({.name = "prompt",
                 .help = "Put this before every text; \"\" for nothing",
                 .default_text = "as --prompt-name says"},
                text_of(&PromptChoice::text), [](const PromptInput& input) { return input.choice.text.value_or(""); });
}

PromptedOutput prompted_output(const Model& model, const OutputInput& output, const PromptInput& prompt,
                               Context& context) {
  PromptedOutput result = prompted_output(model, output.layer, output.rows, prompt.choice);
  if (result.output.is_pooled()) context.warn(describe_sentence_use(model, result.prompt));
  return result;
}

void warn_if_causal(const Model& model, Context& context) {
  if (!model.transformer->is_decoder()) return;
  context.warn(fmt::format(
      "{} is a decoder: a token sees itself and what comes before it, so rows before a token that changes stay as they "
      "are",
      model.transformer->name()));
}

std::vector<Encoding> encode_with_warnings(const Model& model, const std::vector<LabelledText>& texts, Context& context,
                                           const EncodeTextsOptions& options) {
  auto encodings = encode_texts(model, texts, options);
  for (const Encoding& encoding : encodings) context.check_length(encoding.size());
  EncodingWarnings warnings;
  warnings.add(encodings);
  warnings.tell(context, model.most_tokens());
  return encodings;
}

EncodedTexts encode_corpus(const Model& model, const std::string& name, const std::vector<LabelledText>& texts,
                           Context& context, const EncodeTextsOptions& options) {
  return ids_of(model, name, encode_with_warnings(model, texts, context, options));
}

StudyContent content_of(const Model& model, const std::vector<LabelledText>& texts) {
  Record content = content_of(model);
  Digest digest;
  for (const LabelledText& text : texts) digest.add(text.text);
  content.set("texts", digest.text());
  return {content, {{"model"}, {"input"}}};
}

}  // namespace wordsway
