// Pre-tokenizers of Unigram: how a normalised text falls into words.
#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "wordsway/text/tokenizer/characters.h"

namespace wordsway {

/// Words without gaps between them: word i is [ends[i − 1], ends[i]) of the text, and none is empty.
struct Words {
  Characters text;
  std::vector<std::size_t> ends;
};

/// Spaces become a visible mark, which starts a word; `prepend` says which stretches of text get one in front.
struct Metaspace {
  enum class Prepend { kAlways, kFirst, kNever };

  char32_t mark = U'\u2581';
  Prepend prepend = Prepend::kAlways;  // kFirst: only at the start of the whole text
  bool split = true;                   // whether the mark starts a word
};

/// Words end at whitespace, which goes.
struct WhitespaceSplit {};

using PreTokenizer = std::variant<Metaspace, WhitespaceSplit>;

/// Cuts a non-empty text, one pre-tokenizer after the other. Thread-safe.
Words cut_into_words(Characters text, const std::vector<PreTokenizer>& pre_tokenizers);

}  // namespace wordsway
