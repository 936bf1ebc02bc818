// Random texts for comparing fast code with plain code: the same in every run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wordsway/core/utf8.h"
#include "wordsway/random/stream.h"
#include "wordsway/text/tokenizer/characters.h"

namespace wordsway::test {

/// Letters with and without case, accents put together and apart, ideographs, syllables, digits of several kinds, all
/// kinds of spaces, punctuation and symbols of one to four bytes. No control characters.
inline constexpr std::u32string_view kAllKinds =
    U"aAbBzZ'strevmld   \t\n.,!-_$0917éÉñßçΣа東京㐀カ가\u0301\u0323\u00A0\u3000\u2014\u20AC\u2167½ق\U0001F600";

/// A number below `count`.
inline std::size_t below(const Stream& stream, std::uint64_t t, std::size_t count) {
  return stream.bits(t)[0] % count;
}

inline std::u32string random_codes(const Stream& stream, std::size_t length, std::u32string_view alphabet = kAllKinds) {
  std::u32string codes;
  for (std::size_t i = 0; i < length; ++i) codes += alphabet[below(stream, i, alphabet.size())];
  return codes;
}

inline std::string to_bytes(std::u32string_view codes) {
  std::string bytes;
  for (const char32_t code : codes) unicode::append_utf8(bytes, code);
  return bytes;
}

/// The characters of a text before any change: each stands for itself.
inline Characters to_characters(std::u32string_view codes) {
  return decode_text(to_bytes(codes)).characters;
}

inline std::u32string codes_of(const Characters& characters) {
  std::u32string codes;
  for (const Character& c : characters) codes += c.code;
  return codes;
}

}  // namespace wordsway::test
