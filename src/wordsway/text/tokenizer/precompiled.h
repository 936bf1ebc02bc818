// The normaliser "Precompiled": a table of replacements that SentencePiece computed from Unicode's NFKC and rules of
// its own, as XLM-R's tokenizer carries it.
//
// The table is applied as `tokenizers` does, not as SentencePiece: of a grapheme of less than 6 bytes the shortest
// match at its start replaces all of it; in any other, and where nothing matches, each character is looked up alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/text/tokenizer/characters.h"
#include "wordsway/text/tokenizer/normalizers.h"

namespace wordsway {

/// Immutable, so all members are thread-safe.
class PrecompiledMap {
 public:
  /// `bytes` are the size of a trie in bytes (32 bits, little-endian), the trie, and replacements in UTF-8 with a NUL
  /// after each. Everything that can be reached in the trie is checked.
  /// Throws DataError, prefixed with `where`, when something is wrong.
  PrecompiledMap(std::string_view bytes, std::string_view where);

  /// The replacement of the shortest key that `utf8` starts with.
  std::optional<std::string_view> find(std::string_view utf8) const;

  void normalize(Characters& text) const;

 private:
  // A double array of Darts: the children of a unit lie at its base, xor their byte.
  std::size_t base(std::size_t at) const;
  bool has_value(std::size_t at) const { return (units_[at] >> 8 & 1) != 0; }
  bool is_child(std::size_t at, unsigned char byte) const { return (units_[at] & 0x800000FFu) == byte; }
  std::size_t value(std::size_t at) const { return units_[base(at)] & 0x7FFFFFFFu; }

  void check_trie(std::string_view where) const;
  void check_unit(std::size_t at, std::string_view where) const;
  std::string_view replacement_at(std::size_t begin) const;
  void normalize_grapheme(CharacterSpan grapheme, std::vector<ChangedCharacter>& changed) const;

  std::vector<std::uint32_t> units_;
  std::string replacements_;
  std::array<bool, 128> changes_ascii_{};
};

}  // namespace wordsway
