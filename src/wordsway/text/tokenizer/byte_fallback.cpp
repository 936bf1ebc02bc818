#include "wordsway/text/tokenizer/byte_fallback.h"

#include <charconv>

#include <fmt/format.h>

#include "wordsway/core/utf8.h"

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
