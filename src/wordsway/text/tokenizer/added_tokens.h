// Tokens that are cut out of a text before anything else looks at it: [MASK], <s>, and what users add.
//
// The semantics are those of AddedVocabulary in `tokenizers`: at the leftmost place where one matches the longest wins;
// `single_word` ones inside a word are passed over; lstrip and rstrip swallow the whitespace beside the token.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/text/tokenizer/characters.h"
#include "wordsway/text/tokenizer/trie.h"

namespace wordsway {

struct AddedToken {
  std::string content;
  int id = 0;
  bool single_word = false;
  bool lstrip = false;
  bool rstrip = false;
  bool normalized = false;  // looked for in the normalised text
  bool special = false;
};

class AddedTokens {
 public:
  /// The text to look for, which for normalised tokens is their normalised content; empty ones are never found.
  void add(const AddedToken& token, const Characters& content);

  struct Segment {
    std::optional<int> id;  // of the token found here; nothing for text in between
    std::size_t begin, end;
  };
  /// Cuts the text into tokens and non-empty stretches between them, in order and without gaps. Thread-safe.
  std::vector<Segment> split(CharacterSpan text) const;

 private:
  bool may_start(char32_t code) const { return code >= starts_.size() ? any_beyond_ascii_ : starts_[code]; }

  std::vector<AddedToken> tokens_;
  Trie trie_;  // content → index into tokens_
  std::array<bool, 128> starts_{};
  bool any_beyond_ascii_ = false;
};

}  // namespace wordsway
