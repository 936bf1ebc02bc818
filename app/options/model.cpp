#include "options/model.h"

#include <charconv>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway::app {

Index LoadedModel::most_tokens() const {
  return std::min(encoder->config().most_tokens(), tokenizer->max_length().value_or(encoder->config().most_tokens()));
}

void add_model_option(CLI::App& command, std::string& folder) {
  command.add_option("-m,--model", folder,
                     "A Hugging Face folder: config.json, model.safetensors, tokenizer.json or vocab.txt");
}

std::filesystem::path model_folder(const std::string& folder) {
  if (folder.empty()) throw UsageError("there is no model: give a Hugging Face folder with -m");
  return folder;
}

LoadedModel load_model(const std::string& folder) {
  LoadedModel model;
  model.encoder = Encoder::load(model_folder(folder));
  model.tokenizer = load_tokenizer(model_folder(folder));
  return model;
}

ModelOutput parse_output(const std::string& layer, const Encoder& encoder) {
  const Index last = encoder.config().layers;
  if (layer == "last") return {last, false};
  if (layer == "pooled") return {last, true};
  Index number = -1;
  const auto [stop, error] = std::from_chars(layer.data(), layer.data() + layer.size(), number);
  if (error != std::errc() || stop != layer.data() + layer.size() || number < 0 || number > last)
    throw UsageError(
        fmt::format("--layer '{}': the model has layers 0 (embedding) to {}, last and pooled", layer, last));
  return {number, false};
}

Encoding encode_for(const LoadedModel& model, const std::string& text, bool special_tokens,
                    const CommonOptions& common) {
  Encoding encoding =
      model.tokenizer->encode(text, {.special_tokens = special_tokens, .max_tokens = model.most_tokens()});
  if (encoding.cut) say(common, fmt::format("a text was cut to the {} tokens the model takes", encoding.size()));
  if (encoding.size() == 0) throw DataError("the text has no token");
  return encoding;
}

std::string shown(const std::vector<std::string>& pieces) {
  return fmt::format("{}", fmt::join(pieces, " "));
}

}  // namespace wordsway::app
