#include "options/model.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "options/builtin_data.h"

namespace wordsway::app {

void add_model_option(CLI::App& command, std::string& folder) {
  command.add_option("-m,--model", folder,
                     "A Hugging Face folder: config.json, model.safetensors, tokenizer.json or vocab.txt; or builtin");
}

std::filesystem::path model_folder(const std::string& folder) {
  return folder.empty() || folder == "builtin" ? builtin_model_folder() : std::filesystem::path(folder);
}

Model open_model(const std::string& folder) {
  return load_model(model_folder(folder));
}

std::vector<Encoding> encode_with_remark(const Model& model, const std::vector<LabelledText>& texts,
                                         const CommonOptions& common, bool special_tokens) {
  auto encodings = encode_texts(model, texts, special_tokens);
  const auto cut = std::count_if(encodings.begin(), encodings.end(), [](const Encoding& text) { return text.cut; });
  if (cut > 0)
    say(common, fmt::format("{} of {} texts were cut to the {} tokens the model takes", cut, texts.size(),
                            model.most_tokens()));
  return encodings;
}

EncodedTexts encode_corpus(const Model& model, const std::string& name, const std::vector<LabelledText>& texts,
                           const CommonOptions& common) {
  return ids_of(model, name, encode_with_remark(model, texts, common));
}

}  // namespace wordsway::app
