// The alphabet of byte-level BPE, which writes every byte as one printable character.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wordsway::byte_level {

/// The character that stands for a byte: itself when printable, else one from U+0100 on (a space is "Ġ", U+0120).
char32_t character_of(unsigned char byte);

/// The bytes that a token stands for, or nothing when it has characters that are not of the alphabet.
std::optional<std::string> find_bytes(std::string_view token);

/// The same; a token with other characters stands for itself.
std::string bytes_of(std::string_view token);

}  // namespace wordsway::byte_level
