#include "wordsway/audit/model.h"

#include <charconv>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

std::string describe(const Pooling& pooling) {
  return std::string(pooling.kind == Pooling::Kind::kCls ? "cls" : "mean") + (pooling.normalise ? ", normalised" : "");
}

}  // namespace

Index Model::most_tokens() const {
  const Index positions = transformer->config().most_tokens();
  return std::min(positions, tokenizer->max_length().value_or(positions));
}

Model load_model(const std::filesystem::path& folder) {
  return {Transformer::load(folder), load_tokenizer(folder)};
}

ModelOutput last_layer(const Transformer& transformer) {
  return {transformer.config().layers, false};
}

ModelOutput parse_layer(const std::string& name, const Transformer& transformer) {
  const Index last = transformer.config().layers;
  if (name == "last") return last_layer(transformer);
  if (name == "pooled") return {last, true};
  Index number = -1;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  if (error != std::errc() || stop != end || number < 0 || number > last)
    throw UsageError(fmt::format("layer '{}': the model has layers 0 (embedding) to {}, last and pooled", name, last));
  return {number, false};
}

Record describe_model(const Model& model) {
  const ModelConfig& config = model.transformer->config();
  return {{"model", model.transformer->name()},
          {"architecture", config.architecture},
          {"layers", std::int64_t{config.layers}},
          {"d", std::int64_t{config.hidden_size}},
          {"heads", std::int64_t{config.attention.heads}},
          {"feed_forward", std::int64_t{config.feed_forward_size}},
          {"vocabulary", std::int64_t{config.vocabulary}},
          {"most_tokens", std::int64_t{model.most_tokens()}},
          {"parameters", std::int64_t{model.transformer->parameters()}},
          {"tokenizer", std::string(model.tokenizer->kind())},
          {"pooling", describe(model.transformer->pooling())},
          {"predicts_words", model.transformer->predicts_words()}};
}

std::vector<Encoding> encode_texts(const Model& model, const std::vector<LabelledText>& texts, bool special_tokens) {
  std::vector<std::string> plain;
  plain.reserve(texts.size());
  for (const LabelledText& text : texts) plain.push_back(text.text);
  auto encodings =
      encode_all(*model.tokenizer, plain, {.special_tokens = special_tokens, .max_tokens = model.most_tokens()});
  for (size_t t = 0; t < encodings.size(); ++t)
    if (encodings[t].size() == 0) throw DataError("text " + texts[t].id + " has no token");
  return encodings;
}

EncodedTexts ids_of(const Model& model, const std::string& name, std::vector<Encoding> encodings) {
  std::vector<std::vector<int>> ids;
  ids.reserve(encodings.size());
  for (Encoding& encoding : encodings) ids.push_back(std::move(encoding.ids));
  return {name, model.tokenizer, std::move(ids)};
}

}  // namespace wordsway
