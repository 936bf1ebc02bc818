// read_bpe of text/tokenizer/tokenizer_json.h.
#include <algorithm>

#include <fmt/format.h>

#include "wordsway/text/tokenizer/byte_level_bpe.h"
#include "wordsway/text/tokenizer/sentencepiece_bpe.h"
#include "wordsway/text/tokenizer/tokenizer_json.h"

namespace wordsway {
namespace {

constexpr std::size_t kMostShown = 500;  // of a pattern

// A merge is "a b" in older files and ["a", "b"] in newer ones.
Merges read_merges(const JsonView& list, const Vocabulary& vocabulary) {
  Merges merges;
  for (const JsonView& merge : list.elements()) {
    if (merge.is_string()) {
      const std::string line = merge.string();
      add_merge_line(line, vocabulary, merge.where(), merges);
      continue;
    }
    const std::vector<JsonView> pair = merge.elements();
    if (pair.size() != 2) merge.fail(fmt::format("expected two tokens, got {}", pair.size()));
    merges.add(pair[0].string(), pair[1].string(), vocabulary, merge.where());
  }
  return merges;
}

void reject_unless_absent(const JsonView& value) {
  const bool absent = !value.exists() || (value.is_string() && value.string().empty());
  if (!absent) value.fail("not supported with BPE; expected null");
}

void reject_what_no_model_has(const JsonView& model) {
  reject_unless_absent(model["continuing_subword_prefix"]);
  reject_unless_absent(model["end_of_word_suffix"]);
  if (model["dropout"].exists() && model["dropout"].number() != 0) {
    model["dropout"].fail("merges left out at random are not supported; expected null");
  }
}

std::optional<std::string> optional_string(const JsonView& value) {
  return value.exists() ? std::optional(value.string()) : std::nullopt;
}

bool has_type(const JsonView& part, std::string_view type) {
  return part.exists() && part["type"].string() == type;
}

/// {"type": "Split", "pattern": {"Regex": …}, "behavior": "Isolated", "invert": false}
const WordPattern& read_split(const JsonView& split) {
  if (!has_type(split, "Split")) split.fail("expected a Split before ByteLevel");
  const JsonView regex = split["pattern"]["Regex"];
  const WordPattern* pattern = find_word_pattern(regex.string());
  if (pattern == nullptr)
    regex.fail(fmt::format("the pattern {} is not supported; expected that of GPT-2, Llama 3 or Qwen2",
                           regex.string().substr(0, kMostShown)));
  if (split["behavior"].string() != "Isolated")
    split["behavior"].fail(fmt::format("{} is not supported; expected Isolated", split["behavior"].shown()));
  if (split["invert"].boolean_or(false)) split["invert"].fail("true is not supported; expected false");
  return *pattern;
}

/// ByteLevel alone, which has GPT-2's pattern, or a Split and a ByteLevel without one.
void read_words(const JsonView& pre_tokenizer, ByteLevelBpeOptions& options) {
  if (has_type(pre_tokenizer, "ByteLevel")) {
    const JsonView use = pre_tokenizer["use_regex"];
    if (!use.boolean_or(true)) use.fail("false is not supported without a Split before; expected true");
    options.add_prefix_space = pre_tokenizer["add_prefix_space"].boolean_or(true);
    return;
  }
  const std::vector<JsonView> parts = pre_tokenizer["pretokenizers"].elements();
  if (parts.size() != 2 || !has_type(parts[1], "ByteLevel"))
    pre_tokenizer.fail("this sequence is not supported with byte-level BPE; expected Split and ByteLevel");
  options.pattern = &read_split(parts[0]);
  for (const char* key : {"use_regex", "add_prefix_space"}) {
    const JsonView setting = parts[1][key];
    if (setting.boolean_or(true)) setting.fail("true is not supported after a Split; expected false");
  }
}

std::unique_ptr<SubwordModel> read_byte_level_bpe(const JsonView& json, const Vocabulary& vocabulary) {
  const JsonView model = json["model"];
  ByteLevelBpeOptions options;
  read_words(json["pre_tokenizer"], options);
  options.normalizer = read_normalizer(json["normalizer"], "byte-level BPE");
  options.whole_words_first = model["ignore_merges"].boolean_or(false);
  options.fuse_unknown = model["fuse_unk"].boolean_or(false);
  options.unknown_token = optional_string(model["unk_token"]);
  return make_byte_level_bpe(vocabulary, read_merges(model["merges"], vocabulary), options, model.where());
}

std::unique_ptr<SubwordModel> read_sentencepiece_bpe(const JsonView& json, const Vocabulary& vocabulary) {
  const JsonView model = json["model"];
  SentencePieceBpeOptions options;
  options.normalizer = read_normalizer(json["normalizer"], "SentencePiece BPE");
  options.pre_tokenizers = read_pre_tokenizers(json["pre_tokenizer"], "SentencePiece BPE");
  options.byte_fallback = model["byte_fallback"].boolean_or(false);
  options.fuse_unknown = model["fuse_unk"].boolean_or(false);
  options.whole_words_first = model["ignore_merges"].boolean_or(false);
  options.unknown_token = optional_string(model["unk_token"]);
  return make_sentencepiece_bpe(vocabulary, read_merges(model["merges"], vocabulary), std::move(options),
                                model.where());
}

/// Whether it is ByteLevel, or a sequence with one.
bool is_byte_level(const JsonView& pre_tokenizer) {
  if (!has_type(pre_tokenizer, "Sequence")) return has_type(pre_tokenizer, "ByteLevel");
  const std::vector<JsonView> parts = pre_tokenizer["pretokenizers"].elements();
  return std::any_of(parts.begin(), parts.end(), [](const JsonView& part) { return has_type(part, "ByteLevel"); });
}

}  // namespace

std::unique_ptr<SubwordModel> read_bpe(const JsonView& json, const Vocabulary& vocabulary) {
  reject_what_no_model_has(json["model"]);
  return is_byte_level(json["pre_tokenizer"]) ? read_byte_level_bpe(json, vocabulary)
                                              : read_sentencepiece_bpe(json, vocabulary);
}

}  // namespace wordsway
