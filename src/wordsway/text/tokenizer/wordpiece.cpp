#include "wordsway/text/tokenizer/wordpiece.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/text/tokenizer/normalizers.h"
#include "wordsway/text/tokenizer/trie.h"
#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway {

namespace {

class WordPiece final : public SubwordModel {
 public:
  WordPiece(const Vocabulary& vocabulary, const WordPieceOptions& options, int unknown_id)
      : options_(options), unknown_id_(unknown_id) {
    for (int id = 0; id < vocabulary.size(); ++id) {
      // An id whose token moved to a later line of vocab.txt must not win over that line.
      if (vocabulary.has_id(id) && vocabulary.find(vocabulary.token(id)) == id) {
        trie_.insert(unicode::decode(vocabulary.token(id)), id);
      }
    }
    inside_word_ = trie_.walk(Trie::kRoot, unicode::decode(options.continuation_prefix));
  }

  std::string_view name() const override { return "WordPiece"; }

  void normalize(Characters& text) const override { options_.normalizer.normalize(text); }

  void tokenize(Characters segment, int& word, TokenizedText& tokenized) const override {
    const CharacterSpan text(segment);
    std::size_t begin = 0;
    const auto finish_word = [&](std::size_t end) {
      if (end > begin) cut_word(text.subspan(begin, end - begin), word++, tokenized.pieces);
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char32_t code = text[i].code;
      if (unicode::is_whitespace(code)) {
        finish_word(i);
        begin = i + 1;
      } else if (unicode::is_punctuation(code)) {
        finish_word(i);
        begin = i;
        finish_word(i + 1);
        begin = i + 1;
      }
    }
    finish_word(text.size());
  }

  std::string surface(std::string_view token) const override {
    if (token.size() > options_.continuation_prefix.size() && token.starts_with(options_.continuation_prefix)) {
      token.remove_prefix(options_.continuation_prefix.size());
    }
    return std::string(token);
  }

 private:
  void cut_word(CharacterSpan text, int word, std::vector<Piece>& pieces) const {
    const std::size_t before = pieces.size();
    bool known = text.size() <= options_.max_word_characters;
    for (std::size_t at = 0; known && at < text.size();) {
      const auto match = trie_.longest_match(at == 0 ? Trie::kRoot : inside_word_, text.subspan(at));
      known = match.has_value();
      if (!known) break;
      pieces.push_back({match->value, text[at].begin, text[at + match->length - 1].end, word});
      at += match->length;
    }
    if (known) return;
    pieces.resize(before);
    pieces.push_back({unknown_id_, text.front().begin, text.back().end, word});
  }

  WordPieceOptions options_;
  int unknown_id_;
  Trie trie_;
  int inside_word_;  // the node of the continuation prefix
};

}  // namespace

std::unique_ptr<SubwordModel> make_wordpiece(const Vocabulary& vocabulary, const WordPieceOptions& options,
                                             std::string_view where) {
  const auto unknown = vocabulary.find(options.unknown_token);
  if (!unknown) {
    throw DataError(fmt::format("{}: the vocabulary of {} tokens lacks the unknown token '{}'", where,
                                vocabulary.size(), options.unknown_token));
  }
  return std::make_unique<WordPiece>(vocabulary, options, *unknown);
}

namespace {

bool is_ascii(const Character& character) {
  return character.code < 0x80;
}

void clean(Characters& text) {
  std::erase_if(text,
                [](const Character& c) { return c.code == unicode::kReplacement || unicode::is_control(c.code); });
  for (Character& c : text) {
    if (unicode::is_whitespace(c.code)) c.code = U' ';
  }
}

void space_out_ideographs(Characters& text) {
  if (std::none_of(text.begin(), text.end(), [](const Character& c) { return unicode::is_cjk_ideograph(c.code); }))
    return;
  Characters spaced;
  spaced.reserve(text.size() + 16);
  for (const Character& c : text) {
    const Character space{U' ', c.begin, c.end};
    if (unicode::is_cjk_ideograph(c.code)) {
      spaced.insert(spaced.end(), {space, c, space});
    } else {
      spaced.push_back(c);
    }
  }
  text = std::move(spaced);
}

void strip_accents_of(Characters& text) {
  if (std::all_of(text.begin(), text.end(), is_ascii)) return;
  apply_changes(text, decompose(text));
  std::erase_if(text, [](const Character& c) { return unicode::is_nonspacing_mark(c.code); });
}

}  // namespace

void BertNormalizer::normalize(Characters& text) const {
  if (clean_text) clean(text);
  if (space_out_cjk) space_out_ideographs(text);
  if (strip_accents) strip_accents_of(text);
  if (lowercase) lowercase_all(text);
}

}  // namespace wordsway
