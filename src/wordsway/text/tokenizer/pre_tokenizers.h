// How a normalised text falls into words: the pre-tokenizers of Unigram and SentencePiece BPE, and the patterns of
// byte-level BPE.
#pragma once

#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

#include "wordsway/text/tokenizer/characters.h"

namespace wordsway {

class JsonView;

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

// The rules by which byte-level BPE cuts a text into words before merging: regular expressions of GPT-2, Llama 3 and
// Qwen2, matched by hand.

/// What tells one pattern from another. The alternatives of all of them are, in this order: English contractions,
/// letters, numbers, other characters, spaces; they match at every character.
struct WordPattern {
  std::string_view regex;  // as tokenizer.json writes it
  // Contractions in any case; before letters any one character but an end of line, a letter or a number, not only a
  // space; numbers without a space; ends of lines with what stands before them.
  bool is_llama_style = false;
  std::size_t most_digits = 0;  // of a number in one word; 0 for all of them
};

/// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
const WordPattern& gpt2_pattern();
const WordPattern& llama3_pattern();  // numbers of up to three digits
const WordPattern& qwen2_pattern();   // the same with one digit

/// The pattern that is written so, or null when it is none of the three.
const WordPattern* find_word_pattern(std::string_view regex);

/// The end of the word that starts at `begin` < text.size().
std::size_t word_end(CharacterSpan text, std::size_t begin, const WordPattern& pattern);

// What tokenizer.json says of them.

/// Reads the "pre_tokenizer" of Unigram and SentencePiece BPE: Metaspace, WhitespaceSplit, a Sequence of them, or null.
/// Throws DataError on any other, naming the `model` it was for.
std::vector<PreTokenizer> read_pre_tokenizers(const JsonView& json, std::string_view model);

/// Reads a Metaspace, which pre-tokenizers and decoders write alike. Throws DataError when a setting is wrong.
Metaspace read_metaspace(const JsonView& json);

}  // namespace wordsway
