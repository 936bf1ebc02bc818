// How vocabularies write bytes: the alphabet of byte-level BPE, and the pieces <0x00> to <0xFF> of SentencePiece.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "wordsway/text/tokenizer/vocabulary.h"

/// The alphabet of byte-level BPE, which writes every byte as one printable character.
namespace wordsway::byte_level {

/// The character that stands for a byte: itself when printable, else one from U+0100 on (a space is "Ġ", U+0120).
char32_t character_of(unsigned char byte);

/// The bytes that a token stands for, or nothing when it has characters that are not of the alphabet.
std::optional<std::string> find_bytes(std::string_view token);

/// The bytes that a token stands for; a token with other characters stands for itself.
std::string bytes_of(std::string_view token);

}  // namespace wordsway::byte_level

namespace wordsway {

// Pieces <0x00> to <0xFF>, by which vocabularies of SentencePiece write the bytes of characters that they lack.

/// The byte that a piece like "<0x0A>" stands for.
std::optional<char> fallback_byte(std::string_view piece);

/// The ids of the pieces of all bytes, −1 where the vocabulary has none.
std::array<int, 256> find_fallback_ids(const Vocabulary& vocabulary);

/// The text of a SentencePiece token: spaces for marks, and with `byte_fallback` the byte of a piece like "<0x0A>".
std::string sentencepiece_surface(std::string_view token, char32_t mark, bool byte_fallback);

}  // namespace wordsway
