#include "wordsway/text/tokenizer/sentencepiece_bpe.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "wordsway/core/utf8.h"
#include "wordsway/text/tokenizer/bpe_word.h"
#include "wordsway/text/tokenizer/byte_fallback.h"

namespace wordsway {
namespace {

constexpr int kNone = -1;

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

}  // namespace wordsway
