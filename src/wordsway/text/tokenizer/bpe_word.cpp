#include "wordsway/text/tokenizer/bpe_word.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"

namespace wordsway {

void BpeWord::start(CharacterSpan characters) {
  characters_ = characters;
  bytes_.clear();
  character_.clear();
  for (std::uint32_t i = 0; i < characters.size(); ++i) {
    unicode::append_utf8(bytes_, characters[i].code);
    character_.resize(bytes_.size(), i);
  }
}

void BpeWord::append_pieces(int word, std::vector<Piece>& pieces) const {
  std::size_t at = 0;
  for (const Symbol& symbol : symbols) {
    const std::size_t last = at + static_cast<std::size_t>(symbol.length) - 1;
    pieces.push_back({symbol.id, characters_[character_[at]].begin, characters_[character_[last]].end, word});
    at = last + 1;
  }
}

int find_unknown_id(const Vocabulary& vocabulary, const std::optional<std::string>& token, std::string_view where) {
  if (!token) return -1;
  const auto found = vocabulary.find(*token);
  if (!found) throw DataError(fmt::format("{}: the unknown token '{}' is not in the vocabulary", where, *token));
  return *found;
}

}  // namespace wordsway
