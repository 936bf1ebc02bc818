#include "wordsway/text/tokenizer/tokenizer_json.h"

#include <fmt/format.h>

#include "wordsway/text/tokenizer/bpe_models.h"
#include "wordsway/text/tokenizer/unigram.h"
#include "wordsway/text/tokenizer/vocabulary.h"
#include "wordsway/text/tokenizer/wordpiece.h"

namespace wordsway {

namespace {

void require_type(const JsonView& part, std::string_view model, std::string_view expected) {
  const std::string given = part.exists() ? part["type"].string() : "null";
  if (given != expected)
    part.fail(fmt::format("the type {} is not supported with {}; expected {}", given, model, expected));
}

BertNormalizer read_bert_normalizer(const JsonView& json) {
  if (!json.exists()) return {false, false, false, false};
  require_type(json, "WordPiece", "BertNormalizer");
  BertNormalizer normalizer;
  normalizer.clean_text = json["clean_text"].boolean_or(true);
  normalizer.space_out_cjk = json["handle_chinese_chars"].boolean_or(true);
  normalizer.lowercase = json["lowercase"].boolean_or(true);
  normalizer.strip_accents = json["strip_accents"].boolean_or(normalizer.lowercase);
  return normalizer;
}

std::unique_ptr<SubwordModel> read_wordpiece(const JsonView& json, const Vocabulary& vocabulary) {
  const JsonView model = json["model"];
  require_type(json["pre_tokenizer"], "WordPiece", "BertPreTokenizer");
  WordPieceOptions options;
  options.normalizer = read_bert_normalizer(json["normalizer"]);
  options.unknown_token = model["unk_token"].string_or("[UNK]");
  options.continuation_prefix = model["continuing_subword_prefix"].string_or("##");
  if (const JsonView limit = model["max_input_chars_per_word"]; limit.exists()) {
    if (limit.integer() < 0) limit.fail("expected a number of characters");
    options.max_word_characters = static_cast<std::size_t>(limit.integer());
  }
  return make_wordpiece(vocabulary, options, model.where());
}

// Files from before the library's version 0.9 leave the type to be guessed.
std::string model_type(const JsonView& model) {
  if (model["type"].exists()) return model["type"].string();
  if (model["merges"].exists()) return "BPE";
  return model["vocab"].is_array() ? "Unigram" : "WordPiece";
}

std::unique_ptr<SubwordModel> read_model(const JsonView& json, Vocabulary& vocabulary) {
  const JsonView model = json["model"];
  const std::string type = model_type(model);
  if (type == "Unigram") return read_unigram(json, vocabulary);
  if (type != "WordPiece" && type != "BPE")
    model["type"].fail(fmt::format("'{}' is not supported; expected WordPiece, BPE or Unigram", type));
  vocabulary = read_vocabulary_object(model["vocab"]);
  return type == "BPE" ? read_bpe(json, vocabulary) : read_wordpiece(json, vocabulary);
}

std::optional<Index> read_truncation(const JsonView& json) {
  if (!json.exists()) return std::nullopt;
  const std::int64_t length = json["max_length"].integer();
  if (length < 0) json["max_length"].fail("expected a number of tokens");
  return static_cast<Index>(length);
}

}  // namespace

TokenizerParts read_tokenizer_json(const JsonView& json, const TokenizerConfig& config) {
  TokenizerParts parts{.lower_case = config.lower_case_texts};
  parts.model = read_model(json, parts.vocabulary);
  if (const JsonView added = json["added_tokens"]; added.exists()) {
    std::vector<AddedToken> tokens;
    for (const JsonView& token : added.elements()) {
      if (!token["id"].exists()) token.fail("has no id");
      tokens.push_back(read_added_token(token));
    }
    parts.add_tokens(tokens, added.where());
  }
  parts.decoding = read_decoder(json["decoder"]);
  parts.post = read_post_processing(json["post_processor"], parts.vocabulary);
  parts.special_ids = find_special_ids(config, parts.vocabulary);
  parts.max_length = config.max_length;
  parts.saved_truncation = read_truncation(json["truncation"]);
  return parts;
}

std::unique_ptr<Tokenizer> parse_tokenizer_json(std::string_view bytes, std::string name) {
  return std::make_unique<Tokenizer>(read_tokenizer_json(JsonView::parse(bytes, std::move(name)), {}));
}

}  // namespace wordsway
