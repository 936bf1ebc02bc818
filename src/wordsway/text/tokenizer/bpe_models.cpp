#include "wordsway/text/tokenizer/bpe_models.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "wordsway/core/utf8.h"
#include "wordsway/io/json_view.h"
#include "wordsway/text/tokenizer/bpe.h"
#include "wordsway/text/tokenizer/byte_tokens.h"

namespace wordsway {
namespace {

constexpr int kNone = -1;

class ByteLevelBpe final : public SubwordModel {
 public:
  ByteLevelBpe(const Vocabulary& vocabulary, Merges merges, const ByteLevelBpeOptions& options, int unknown_id)
      : merges_(std::move(merges)), options_(options), unknown_id_(unknown_id) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string token;
      unicode::append_utf8(token, byte_level::character_of(static_cast<unsigned char>(byte)));
      byte_ids_[byte] = vocabulary.find(token).value_or(kNone);
    }
    if (!options.whole_words_first) return;
    for (int id = 0; id < vocabulary.size(); ++id) {
      if (!vocabulary.has_id(id)) continue;
      if (auto bytes = byte_level::find_bytes(vocabulary.token(id))) whole_words_.emplace(std::move(*bytes), id);
    }
  }

  std::string_view name() const override { return "byte-level BPE"; }

  void normalize(Characters& text) const override {
    if (options_.normalizer) options_.normalizer(text);
  }

  void tokenize(Characters segment, int& word, TokenizedText& tokenized) const override {
    if (options_.add_prefix_space && segment.front().code != U' ') {
      segment.insert(segment.begin(), {U' ', segment.front().begin, segment.front().end});
    }
    const CharacterSpan text(segment);
    BpeWord scratch;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = word_end(text, begin, *options_.pattern);
      scratch.start(text.subspan(begin, end - begin));
      cut_word(scratch);
      scratch.append_pieces(word++, tokenized.pieces);
      begin = end;
    }
  }

  std::string surface(std::string_view token) const override { return byte_level::bytes_of(token); }

 private:
  void cut_word(BpeWord& word) const {
    if (cache_.find(word.bytes(), word.symbols)) return;
    find_symbols(word.bytes(), word.symbols);
    cache_.insert(word.bytes(), word.symbols);
  }

  void find_symbols(const std::string& bytes, std::vector<Symbol>& symbols) const {
    symbols.clear();
    if (const auto whole = whole_words_.find(bytes); whole != whole_words_.end()) {
      symbols.push_back({whole->second, static_cast<int>(bytes.size())});
      return;
    }
    bool after_unknown = false;
    for (const char byte : bytes) {
      const int id = byte_ids_[static_cast<unsigned char>(byte)];
      if (id != kNone) {
        symbols.push_back({id, 1});
      } else if (unknown_id_ != kNone && after_unknown && options_.fuse_unknown) {
        ++symbols.back().length;
      } else if (unknown_id_ != kNone) {
        symbols.push_back({unknown_id_, 1});
      }
      after_unknown = id == kNone;
    }
    merges_.apply(symbols);
  }

  Merges merges_;
  ByteLevelBpeOptions options_;
  int unknown_id_;
  std::array<int, 256> byte_ids_{};
  std::unordered_map<std::string, int> whole_words_;
  mutable WordCache cache_;
};

}  // namespace

std::unique_ptr<SubwordModel> make_byte_level_bpe(const Vocabulary& vocabulary, Merges merges,
                                                  const ByteLevelBpeOptions& options, std::string_view where) {
  const int unknown_id = find_unknown_id(vocabulary, options.unknown_token, where);
  return std::make_unique<ByteLevelBpe>(vocabulary, std::move(merges), options, unknown_id);
}

namespace {

class SentencePieceBpe final : public SubwordModel {
 public:
  SentencePieceBpe(const Vocabulary& vocabulary, Merges merges, SentencePieceBpeOptions options, int unknown_id)
      : merges_(std::move(merges)),
        options_(std::move(options)),
        unknown_id_(unknown_id),
        byte_ids_(find_fallback_ids(vocabulary)) {
    for (int id = 0; id < vocabulary.size(); ++id) {
      if (vocabulary.has_id(id)) add_token(vocabulary.token(id), id);
    }
    for (const PreTokenizer& rule : options_.pre_tokenizers)
      if (const auto* metaspace = std::get_if<Metaspace>(&rule)) mark_ = metaspace->mark;
  }

  std::string_view name() const override { return "SentencePiece BPE"; }

  void normalize(Characters& text) const override {
    if (options_.normalizer) options_.normalizer(text);
  }

  void tokenize(Characters segment, int& word, TokenizedText& tokenized) const override {
    const Words words = cut_into_words(std::move(segment), options_.pre_tokenizers);
    BpeWord scratch;
    std::size_t begin = 0;
    for (const std::size_t end : words.ends) {
      const CharacterSpan text = CharacterSpan(words.text).subspan(begin, end - begin);
      scratch.start(text);
      cut_word(text, scratch);
      scratch.append_pieces(word++, tokenized.pieces);
      begin = end;
    }
  }

  std::string surface(std::string_view token) const override {
    return sentencepiece_surface(token, mark_, options_.byte_fallback);
  }

 private:
  void add_token(const std::string& token, int id) {
    const std::u32string codes = unicode::decode(token);
    if (codes.size() == 1) characters_.set(codes[0], id);
    if (options_.whole_words_first) whole_words_.emplace(token, id);
  }

  void cut_word(CharacterSpan text, BpeWord& word) const {
    if (cache_.find(word.bytes(), word.symbols)) return;
    word.symbols.clear();
    if (const auto whole = whole_words_.find(word.bytes()); whole != whole_words_.end()) {
      word.symbols.push_back({whole->second, static_cast<int>(word.bytes().size())});
    } else {
      find_symbols(text, word.symbols);
      merges_.apply(word.symbols);
    }
    cache_.insert(word.bytes(), word.symbols);
  }

  void find_symbols(CharacterSpan text, std::vector<Symbol>& symbols) const {
    Symbol unknown{unknown_id_, 0};
    const auto end_unknown = [&] {
      if (unknown.length > 0) symbols.push_back(unknown);
      unknown.length = 0;
    };
    std::string bytes;
    for (const Character& c : text) {
      bytes.clear();
      unicode::append_utf8(bytes, c.code);
      const int length = static_cast<int>(bytes.size());
      if (const int id = characters_.get(c.code, kNone); id != kNone) {
        end_unknown();
        symbols.push_back({id, length});
      } else if (options_.byte_fallback && has_all(bytes)) {
        for (const char byte : bytes) symbols.push_back({id_of(byte), 1});
      } else if (unknown_id_ != kNone) {
        if (!options_.fuse_unknown) end_unknown();
        unknown.length += length;
      }
    }
    end_unknown();
  }

  int id_of(char byte) const { return byte_ids_[static_cast<unsigned char>(byte)]; }
  bool has_all(const std::string& bytes) const {
    return std::all_of(bytes.begin(), bytes.end(), [this](char byte) { return id_of(byte) != kNone; });
  }

  Merges merges_;
  SentencePieceBpeOptions options_;
  int unknown_id_;
  std::array<int, 256> byte_ids_;
  FlatMap characters_;  // those that are tokens → id
  std::unordered_map<std::string, int> whole_words_;
  char32_t mark_ = Metaspace().mark;
  mutable WordCache cache_;
};

}  // namespace

std::unique_ptr<SubwordModel> make_sentencepiece_bpe(const Vocabulary& vocabulary, Merges merges,
                                                     SentencePieceBpeOptions options, std::string_view where) {
  const int unknown_id = find_unknown_id(vocabulary, options.unknown_token, where);
  return std::make_unique<SentencePieceBpe>(vocabulary, std::move(merges), std::move(options), unknown_id);
}

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
