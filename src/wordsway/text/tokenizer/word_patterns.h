// The rules by which byte-level BPE cuts a text into words before merging: regular expressions of GPT-2, Llama 3 and
// Qwen2, matched by hand.
#pragma once

#include <cstddef>
#include <string_view>

#include "wordsway/text/tokenizer/characters.h"

namespace wordsway {

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

}  // namespace wordsway
