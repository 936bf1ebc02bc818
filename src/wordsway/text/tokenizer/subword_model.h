// What a kind of tokenizer is: how it normalises a text, cuts it into words, and words into pieces. One file each.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/text/tokenizer/characters.h"
#include "wordsway/text/tokenizer/vocabulary.h"

namespace wordsway {

/// A token in a text: [begin, end) counts characters of the original text, `word` the words before it.
struct Piece {
  int id;
  std::uint32_t begin, end;
  int word;
};

/// The tokens of a text. An added token may have matched more than its own content (spaces beside it, another case),
/// and an unknown one of Unigram goes by what was unknown: such texts are kept here, by index.
struct TokenizedText {
  std::vector<Piece> pieces;
  std::map<std::size_t, std::string> matched;

  const std::string& token_text(std::size_t index, const Vocabulary& vocabulary) const {
    if (!matched.empty()) {
      if (const auto found = matched.find(index); found != matched.end()) return found->second;
    }
    return vocabulary.token(pieces[index].id);
  }
};

/// Implementations are thread-safe: all members may be called at once from several threads.
class SubwordModel {
 public:
  virtual ~SubwordModel() = default;

  virtual std::string_view name() const = 0;

  /// Changes the text in place, before tokens are looked for.
  virtual void normalize(Characters& text) const = 0;

  /// Appends the pieces of a normalised, non-empty segment. Words are numbered from `word` on, which is left at the
  /// number of the next word.
  virtual void tokenize(Characters segment, int& word, TokenizedText& text) const = 0;

  /// The bytes of text that a token stands for, without marks such as "##", "Ġ" or "▁".
  virtual std::string surface(std::string_view token) const = 0;
};

}  // namespace wordsway
