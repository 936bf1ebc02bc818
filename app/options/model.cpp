#include "options/model.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "options/builtin_data.h"
#include "options/numbers.h"
#include "options/texts.h"
#include "wordsway/core/error.h"

namespace wordsway::app {

void add_model_option(CLI::App& command, std::string& folder, const std::string& standard) {
  command
      .add_option(
          "-m,--model", folder,
          "Folder of a model as Hugging Face stores it: config.json, model.safetensors, tokenizer.json or vocab.txt; "
          "or "
          "a GGUF file, FILE.gguf, of a Llama, Mistral, Qwen2 or Qwen3; or builtin or builtin-decoder, the small "
          "models that come with wordsway (default: " +
              standard + ")")
      ->check(such_as({kBuiltinEncoder, kBuiltinDecoder}));
}

std::filesystem::path model_folder(const std::string& folder) {
  if (folder.empty()) return builtin_model_folder();
  if (const std::string builtin = builtin_folder_named(folder); !builtin.empty()) return builtin_model_folder(builtin);
  check_not_hub_name(folder, "give -m");
  return folder;
}

Model open_model(const std::string& folder, const Device& device) {
  return load_model(model_folder(folder), device);
}

void add_device_options(CLI::App& command, Device& device) {
  command
      .add_option_function<std::string>(
          "--device", [&device](const std::string& name) { device.kind = device_named(name); },
          "Where to compute: cpu, or cuda for an NVIDIA GPU, in a build that has it (default: cpu)")
      ->check(one_of("device", {"cpu", "cuda"}));
  // After --device, whatever their order on the command line: options are read in the order of their definition.
  command
      .add_option_function<std::string>(
          "--precision",
          [&device](const std::string& name) {
            if (device.is_cpu()) throw UsageError("--precision is for products on a GPU and needs --device cuda");
            device.precision = precision_named(name);
          },
          "Of matrix products on a GPU: f32, as accurate as here; tf32 or bf16, faster (default: f32)")
      ->check(one_of("precision", {"f32", "tf32", "bf16"}));
}

void add_decoder_option(CLI::App& command, std::string& folder) {
  command
      .add_option(
          "-m,--model", folder,
          "Folder of a decoder as Hugging Face stores it: GPT-2, Llama, Mistral, Qwen2 or Qwen3; or a GGUF file, "
          "FILE.gguf; or builtin-decoder, the small Llama that comes with wordsway and answers questions "
          "about film reviews (default: builtin-decoder)")
      ->check(such_as({kBuiltinDecoder}));
}

Model open_decoder(const std::string& folder, const Device& device) {
  return open_model(folder.empty() ? kBuiltinDecoder : folder, device);
}

void add_prompt_options(CLI::App& command, PromptOptions& options) {
  command.add_option("--prompt-name", options.name,
                     "Put the model's prompt of this name before every text: one of config_sentence_transformers.json "
                     "(default: the model's default prompt where a pooled vector is asked for, else none)");
  command.add_option("--prompt", options.text,
                     "Put this before every text; \"\" for nothing (default: as --prompt-name says)");
}

void tell_sentence_use(const Model& model, bool pooled, const std::string& prompt, const CommonOptions& common) {
  if (pooled) say(common, describe_sentence_use(model, prompt));
}

void tell_causal(const Model& model, const CommonOptions& common) {
  if (!model.transformer->is_decoder()) return;
  say(common, fmt::format("{} is a decoder: a token sees itself and what comes before it, so rows before a token that "
                          "changes stay as they are",
                          model.transformer->name()));
}

void add_output_kind_options(CLI::App& command, OutputOptions& options, const std::string& what) {
  command
      .add_option("--layer", options.layer,
                  what +
                      ": 0 for the embedding, 1 and up for the layers, last; pooled for the vector of the text; of "
                      "decoders also logits, those of the word after the text")
      ->check(such_as({"last", "pooled", "logits"}))
      ->capture_default_str();
  command
      .add_option("--rows", options.rows,
                  "Which rows of the layer: all, or last for the last token's alone, where a decoder has seen the "
                  "whole text")
      ->check(one_of("rows", {"all", "last"}))
      ->capture_default_str();
}

PromptedOutput prompted_output(const Model& model, const OutputOptions& output, const PromptOptions& options,
                               const CommonOptions& common) {
  PromptedOutput result = prompted_output(model, output.layer, output.rows, options);
  tell_sentence_use(model, result.output.is_pooled(), result.prompt, common);
  return result;
}

void EncodingRemarks::add(const std::vector<Encoding>& encodings) {
  wordless_.add(encodings);
  texts_ += static_cast<Index>(encodings.size());
  cut_ += std::count_if(encodings.begin(), encodings.end(), [](const Encoding& text) { return text.cut; });
}

void EncodingRemarks::tell(const Model& model, const CommonOptions& common) const {
  wordless_.tell(common);
  if (cut_ > 0)
    say(common,
        fmt::format("{} of {} texts were cut to the {} tokens the model takes", cut_, texts_, model.most_tokens()));
}

std::vector<Encoding> encode_with_remark(const Model& model, const std::vector<LabelledText>& texts,
                                         const CommonOptions& common, const EncodeTextsOptions& options) {
  auto encodings = encode_texts(model, texts, options);
  EncodingRemarks remarks;
  remarks.add(encodings);
  remarks.tell(model, common);
  return encodings;
}

EncodedTexts encode_corpus(const Model& model, const std::string& name, const std::vector<LabelledText>& texts,
                           const CommonOptions& common, const EncodeTextsOptions& options) {
  return ids_of(model, name, encode_with_remark(model, texts, common, options));
}

}  // namespace wordsway::app
