#include "wordsway/text/tokenizer/byte_tokens.h"

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "wordsway/core/utf8.h"

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

}  // namespace

char32_t character_of(unsigned char byte) {
  return kAlphabet[byte];
}

std::optional<std::string> find_bytes(std::string_view token) {
  std::string bytes;
  for (const char32_t code : unicode::decode(token)) {
    if (code >= kAlphabetEnd || kByteOf[code] < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(kByteOf[code]));
  }
  return bytes;
}

std::string bytes_of(std::string_view token) {
  return find_bytes(token).value_or(std::string(token));
}

}  // namespace wordsway::byte_level

namespace wordsway {

std::optional<char> fallback_byte(std::string_view piece) {
  unsigned value = 0;
  if (piece.size() != 6 || !piece.starts_with("<0x") || piece[5] != '>') return std::nullopt;
  const auto [end, error] = std::from_chars(piece.data() + 3, piece.data() + 5, value, 16);
  if (error != std::errc() || end != piece.data() + 5) return std::nullopt;
  return static_cast<char>(value);
}

std::array<int, 256> find_fallback_ids(const Vocabulary& vocabulary) {
  std::array<int, 256> ids{};
  for (int byte = 0; byte < 256; ++byte) ids[byte] = vocabulary.find(fmt::format("<0x{:02X}>", byte)).value_or(-1);
  return ids;
}

std::string sentencepiece_surface(std::string_view token, char32_t mark, bool byte_fallback) {
  if (const auto byte = byte_fallback ? fallback_byte(token) : std::nullopt) return std::string(1, *byte);
  std::string text;
  for (const char32_t code : unicode::decode(token)) unicode::append_utf8(text, code == mark ? U' ' : code);
  return text;
}

}  // namespace wordsway
