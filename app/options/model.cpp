#include "options/model.h"

#include <charconv>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "options/builtin_data.h"
#include "wordsway/core/error.h"

namespace wordsway::app {

Index LoadedModel::most_tokens() const {
  return std::min(transformer->config().most_tokens(),
                  tokenizer->max_length().value_or(transformer->config().most_tokens()));
}

void add_model_option(CLI::App& command, std::string& folder) {
  command.add_option("-m,--model", folder,
                     "A Hugging Face folder: config.json, model.safetensors, tokenizer.json or vocab.txt; or builtin");
}

std::filesystem::path model_folder(const std::string& folder) {
  return folder.empty() || folder == "builtin" ? builtin_model_folder() : std::filesystem::path(folder);
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
