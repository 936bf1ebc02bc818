// The byte-level scheme of GPT-2 and RoBERTa: an alphabet that writes every byte as one printable character, and the
// rule that cuts a text into words before merging.
#pragma once

#include <string>
#include <string_view>

#include "wordsway/text/tokenizer/characters.h"

namespace wordsway::byte_level {

/// The character that stands for a byte: itself when printable, else one from U+0100 on (a space is "Ġ", U+0120).
char32_t character_of(unsigned char byte);

/// The bytes that a token written in the alphabet stands for; other characters stand for themselves.
std::string bytes_of(std::string_view token);

/// The end of the word that starts at `begin` < text.size(), by GPT-2's pattern, its alternatives tried in this order:
///   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
std::size_t word_end(CharacterSpan text, std::size_t begin);

}  // namespace wordsway::byte_level
