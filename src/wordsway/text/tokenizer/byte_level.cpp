#include "wordsway/text/tokenizer/byte_level.h"

#include <array>

#include "wordsway/core/utf8.h"
#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway::byte_level {
namespace {

constexpr bool is_printable(int byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

constexpr std::array<char32_t, 256> kAlphabet = [] {
  std::array<char32_t, 256> alphabet{};
  char32_t next = 0x100;
  for (int byte = 0; byte < 256; ++byte) alphabet[byte] = is_printable(byte) ? static_cast<char32_t>(byte) : next++;
  return alphabet;
}();

constexpr char32_t kAlphabetEnd = 0x100 + 68;  // 68 bytes are not printable

constexpr std::array<int, kAlphabetEnd> kByteOf = [] {
  std::array<int, kAlphabetEnd> bytes{};
  for (int& byte : bytes) byte = -1;
  for (int byte = 0; byte < 256; ++byte) bytes[kAlphabet[byte]] = byte;
  return bytes;
}();

enum class Kind { kSpace, kLetter, kNumber, kOther };

Kind kind_of(char32_t code) {
  if (unicode::is_letter(code)) return Kind::kLetter;
  if (unicode::is_whitespace(code)) return Kind::kSpace;
  return unicode::is_number(code) ? Kind::kNumber : Kind::kOther;
}

std::size_t run_end(CharacterSpan text, std::size_t begin, Kind kind) {
  while (begin < text.size() && kind_of(text[begin].code) == kind) ++begin;
  return begin;
}

/// Length of the English contraction after an apostrophe at `begin`, with the apostrophe; 0 when there is none.
std::size_t contraction_length(CharacterSpan text, std::size_t begin) {
  const auto at = [&](std::size_t i) { return begin + i < text.size() ? text[begin + i].code : U'\0'; };
  if (at(0) != U'\'') return 0;
  const char32_t a = at(1);
  const char32_t b = at(2);
  if (a == U's' || a == U't' || a == U'm' || a == U'd') return 2;
  if ((a == U'r' && b == U'e') || (a == U'v' && b == U'e') || (a == U'l' && b == U'l')) return 3;
  return 0;
}

}  // namespace

char32_t character_of(unsigned char byte) {
  return kAlphabet[byte];
}

std::string bytes_of(std::string_view token) {
  std::string bytes;
  for (const char32_t code : unicode::decode(token)) {
    if (code < kAlphabetEnd && kByteOf[code] >= 0) {
      bytes.push_back(static_cast<char>(kByteOf[code]));
    } else {
      unicode::append_utf8(bytes, code);
    }
  }
  return bytes;
}

std::size_t word_end(CharacterSpan text, std::size_t begin) {
  if (const std::size_t length = contraction_length(text, begin)) return begin + length;
  const std::size_t first = text[begin].code == U' ' && begin + 1 < text.size() ? begin + 1 : begin;
  if (const Kind kind = kind_of(text[first].code); kind != Kind::kSpace) return run_end(text, first, kind);
  const std::size_t end = run_end(text, begin, Kind::kSpace);
  // `\s+(?!\S)` leaves the last space of a run to the word after it, unless that space is all there is.
  return end == text.size() || end == begin + 1 ? end : end - 1;
}

}  // namespace wordsway::byte_level
