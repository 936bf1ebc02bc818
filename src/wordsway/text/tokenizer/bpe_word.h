// A word while BPE works on it: its bytes, the characters they belong to, and the symbols they have joined into.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/text/tokenizer/merges.h"
#include "wordsway/text/tokenizer/subword_model.h"

namespace wordsway {

/// Kept from word to word, because it is allocated once then.
class BpeWord {
 public:
  /// Starts with a word of a text; `characters` must live as long as it is worked on.
  void start(CharacterSpan characters);

  const std::string& bytes() const { return bytes_; }

  /// Appends the pieces of the symbols, whose lengths are in bytes. A byte stands for all of its character.
  void append_pieces(int word, std::vector<Piece>& pieces) const;

  std::vector<Symbol> symbols;

 private:
  CharacterSpan characters_;
  std::string bytes_;
  std::vector<std::uint32_t> character_;  // that each byte belongs to
};

/// The id of the unknown token, −1 when there is none. Throws DataError, prefixed with `where`, when it is not in the
/// vocabulary.
int find_unknown_id(const Vocabulary& vocabulary, const std::optional<std::string>& token, std::string_view where);

}  // namespace wordsway
