// Normalisers that change a text before it is cut, and keep for every character the place it came from.
//
// Places are those of NormalizedString in `tokenizers`, its oddities included: results count them in the order of the
// output, so a mark that moved takes the place of whatever stood there.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "wordsway/text/tokenizer/characters.h"

namespace wordsway {

class JsonView;

/// Changes a text in place. Thread-safe.
using Normalizer = std::function<void(Characters&)>;

/// A character of a new text. `change` is 0 when it replaces the next character of the old one, 1 when it comes on top
/// and so shares the place of the character before it, and −k when the k characters after the replaced one go.
struct ChangedCharacter {
  char32_t code;
  int change;
};

/// Writes the new text over the old one.
void apply_changes(Characters& text, std::span<const ChangedCharacter> changed);

/// NFD: the canonical decomposition, marks in canonical order.
std::vector<ChangedCharacter> decompose(const Characters& text);

/// NFC: the canonical decomposition, composed again.
void compose_nfc(Characters& text);

/// Every character in lower case.
void lowercase_all(Characters& text);

/// Without the whitespace at the ends.
void strip(Characters& text, bool left, bool right);

/// With `added` in front, which takes the place of the first character; an empty text stays empty.
void prepend(Characters& text, std::u32string_view added);

/// Every match of `pattern`, which is not empty, becomes `replacement`; its characters take the place of the last one
/// of the match.
void replace_all(Characters& text, std::u32string_view pattern, std::u32string_view replacement);

/// Every run of two or more spaces becomes `replacement`, likewise.
void replace_runs_of_spaces(Characters& text, std::u32string_view replacement);

/// One after the other. The result throws DataError on a text that they make longer than `kMostGrowth` times.
Normalizer in_sequence(std::vector<Normalizer> normalizers);
inline constexpr std::size_t kMostGrowth = 64;

/// Reads the "normalizer" of Unigram and BPE: Precompiled, Replace, Prepend, Strip, NFC, a Sequence of them, or null,
/// for which the result is empty. Throws DataError on any other, naming the `model` it was for.
Normalizer read_normalizer(const JsonView& json, std::string_view model);

}  // namespace wordsway
