// A text as characters that remember where they came from, through every change a normaliser makes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wordsway {

/// One character after normalisation, and the characters [begin, end) of the original text it stands for.
struct Character {
  char32_t code;
  std::uint32_t begin, end;
};

using Characters = std::vector<Character>;
using CharacterSpan = std::span<const Character>;

struct DecodedText {
  Characters characters;
  std::vector<std::uint32_t> byte_begin;  // of every character, and at the end the size in bytes
};

/// Reads UTF-8; invalid bytes become U+FFFD. Throws DataError when the text has 4 GiB or more.
DecodedText decode_text(std::string_view utf8);

/// The characters as UTF-8, written over `out`.
void to_utf8(CharacterSpan characters, std::string& out);

}  // namespace wordsway
