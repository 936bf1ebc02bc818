#include "options/model.h"

#include <algorithm>
#include <cctype>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "options/builtin_data.h"
#include "options/numbers.h"
#include "options/texts.h"
#include "wordsway/core/error.h"

namespace wordsway::app {

void add_model_option(CLI::App& command, std::string& folder, const std::string& standard) {
  command.add_option(
      "-m,--model", folder,
      "Folder of a model as Hugging Face stores it: config.json, model.safetensors, tokenizer.json or vocab.txt; or "
      "a GGUF file, FILE.gguf, of a Llama, Mistral, Qwen2 or Qwen3; or builtin or builtin-decoder, the small "
      "models that come with wordsway (default: " +
          standard + ")");
}

namespace {

// NAME or OWNER/NAME, as models are called on the hub; FILE.gguf is a file.
bool could_be_hub_name(const std::string& name) {
  const auto letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' || c == '/';
  };
  return !name.starts_with('.') && !name.starts_with('/') && !name.ends_with('/') && !name.ends_with(".gguf") &&
         std::count(name.begin(), name.end(), '/') <= 1 && std::all_of(name.begin(), name.end(), letter);
}

// People who know Transformers expect that a name is enough.
void check_not_hub_name(const std::string& name) {
  std::error_code ignored;
  const bool missing = std::filesystem::status(name, ignored).type() == std::filesystem::file_type::not_found;
  if (!missing || !could_be_hub_name(name)) return;
  const std::string folder = name.substr(name.find('/') + 1);
  throw FileError(fmt::format(
      "there is no folder '{0}', and wordsway downloads nothing; if this is a model of the Hugging Face hub, Python "
      "gets its folder: python3 -c \"from huggingface_hub import snapshot_download; snapshot_download('{0}', "
      "local_dir='{1}')\", then give -m {1}",
      name, folder));
}

}  // namespace

std::filesystem::path model_folder(const std::string& folder) {
  if (folder.empty()) return builtin_model_folder();
  if (folder == kBuiltinEncoder || folder == kBuiltinDecoder) return builtin_model_folder(folder);
  check_not_hub_name(folder);
  return folder;
}

Model open_model(const std::string& folder) {
  return load_model(model_folder(folder));
}

void add_decoder_option(CLI::App& command, std::string& folder) {
  command.add_option(
      "-m,--model", folder,
      "Folder of a decoder as Hugging Face stores it: GPT-2, Llama, Mistral, Qwen2 or Qwen3; or a GGUF file, "
      "FILE.gguf; or builtin-decoder, the small Llama that comes with wordsway and answers questions "
      "about film reviews (default: builtin-decoder)");
}

Model open_decoder(const std::string& folder) {
  return open_model(folder.empty() ? kBuiltinDecoder : folder);
}

void add_prompt_options(CLI::App& command, PromptOptions& options) {
  command.add_option("--prompt-name", options.name,
                     "Put the model's prompt of this name before every text: one of config_sentence_transformers.json "
                     "(default: the model's default prompt where a pooled vector is asked for, else none)");
  command.add_option("--prompt", options.text,
                     "Put this before every text; \"\" for nothing (default: as --prompt-name says)");
}

std::string choose_prompt(const Model& model, const PromptOptions& options, bool pooled) {
  if (options.name && options.text) throw UsageError("give --prompt-name or --prompt, not both");
  if (options.text) return *options.text;
  return options.name || pooled ? prompt_named(model, options.name) : "";
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
  PromptedOutput result{parse_layer(output.layer, *model.transformer, output.rows), {}};
  const bool pooled = result.output.is_pooled();
  result.prompt = choose_prompt(model, options, pooled);
  if (pooled) result.output.first_pooled = unpooled_tokens(model, result.prompt);
  tell_sentence_use(model, pooled, result.prompt, common);
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
