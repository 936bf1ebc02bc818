#include "options/model.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "options/builtin_data.h"
#include "options/texts.h"
#include "wordsway/core/error.h"

namespace wordsway::app {

Index LoadedModel::most_tokens() const {
  return std::min(transformer->config().most_tokens(),
                  tokenizer->max_length().value_or(transformer->config().most_tokens()));
}

void add_model_option(CLI::App& command, std::string& folder, const std::string& standard) {
  command.add_option(
      "-m,--model", folder,
      "Folder of a model as Hugging Face stores it: config.json, model.safetensors, tokenizer.json or vocab.txt; or "
      "builtin, the small model that comes with wordsway (default: " +
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
  if (folder.empty() || folder == "builtin") return builtin_model_folder();
  check_not_hub_name(folder);
  return folder;
}

LoadedModel load_model(const std::string& folder) {
  LoadedModel model;
  model.transformer = Transformer::load(model_folder(folder));
  model.tokenizer = load_tokenizer(model_folder(folder));
  return model;
}

ModelOutput parse_output(const std::string& layer, const Transformer& transformer) {
  const Index last = transformer.config().layers;
  if (layer == "last") return {last, false};
  if (layer == "pooled") return {last, true};
  Index number = -1;
  const auto [stop, error] = std::from_chars(layer.data(), layer.data() + layer.size(), number);
  if (error != std::errc() || stop != layer.data() + layer.size() || number < 0 || number > last)
    throw UsageError(
        fmt::format("--layer '{}': the model has layers 0 (embedding) to {}, last and pooled", layer, last));
  return {number, false};
}

std::vector<Encoding> encode_texts(const LoadedModel& model, const std::vector<LabelledText>& texts,
                                   const CommonOptions& common, bool special_tokens) {
  std::vector<std::string> plain;
  plain.reserve(texts.size());
  for (const LabelledText& text : texts) plain.push_back(text.text);
  auto encodings =
      encode_all(*model.tokenizer, plain, {.special_tokens = special_tokens, .max_tokens = model.most_tokens()});
  Index cut = 0;
  for (size_t t = 0; t < encodings.size(); ++t) {
    if (encodings[t].size() == 0) throw DataError("text " + texts[t].id + " has no token");
    cut += encodings[t].cut;
  }
  tell_wordless_texts(encodings, common);
  if (cut > 0)
    say(common, fmt::format("{} of {} texts were cut to the {} tokens the model takes", cut, texts.size(),
                            model.most_tokens()));
  return encodings;
}

EncodedTexts encode_corpus(const LoadedModel& model, const std::string& name, const std::vector<LabelledText>& texts,
                           const CommonOptions& common) {
  std::vector<std::vector<int>> ids;
  for (Encoding& encoding : encode_texts(model, texts, common)) ids.push_back(std::move(encoding.ids));
  return {name, model.tokenizer, std::move(ids)};
}

}  // namespace wordsway::app
