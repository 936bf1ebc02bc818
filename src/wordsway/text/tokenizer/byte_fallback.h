// Pieces <0x00> to <0xFF>, by which vocabularies of SentencePiece write the bytes of characters that they lack.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "wordsway/text/tokenizer/vocabulary.h"

namespace wordsway {

/// The byte that a piece like "<0x0A>" stands for.
std::optional<char> fallback_byte(std::string_view piece);

/// The ids of the pieces of all bytes, −1 where the vocabulary has none.
std::array<int, 256> find_fallback_ids(const Vocabulary& vocabulary);

/// The text of a SentencePiece token: spaces for marks, and with `byte_fallback` the byte of a piece like "<0x0A>".
std::string sentencepiece_surface(std::string_view token, char32_t mark, bool byte_fallback);

}  // namespace wordsway
