#include "wordsway/text/tokenizer/offset_trimming.h"

#include <algorithm>

#include "wordsway/core/utf8.h"
#include "wordsway/text/tokenizer/byte_level.h"
#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway {
namespace {

bool is_space(char32_t code) {
  return code == byte_level::character_of(' ') || unicode::is_whitespace(code);
}

std::uint32_t leading_spaces(std::string_view token) {
  std::uint32_t count = 0;
  while (!token.empty()) {
    const unicode::Decoded next = unicode::decode_first(token);
    if (!is_space(next.code)) break;
    token.remove_prefix(next.length);
    ++count;
  }
  return count;
}

std::uint32_t trailing_spaces(std::string_view token) {
  if (token.empty()) return 0;
  const auto last_byte = static_cast<unsigned char>(token.back());
  if (last_byte > ' ' && last_byte < 0x80) return 0;  // nearly always, and needs no decoding
  const std::u32string codes = unicode::decode(token);
  const auto last = std::find_if_not(codes.rbegin(), codes.rend(), is_space);
  return static_cast<std::uint32_t>(last - codes.rbegin());
}

}  // namespace

void trim_offsets(TokenizedText& text, const Vocabulary& vocabulary, bool keep_prefix_space) {
  for (std::size_t i = 0; i < text.pieces.size(); ++i) {
    Piece& piece = text.pieces[i];
    const std::string& token = text.token_text(i, vocabulary);
    std::uint32_t leading = leading_spaces(token);
    const std::uint32_t trailing = trailing_spaces(token);
    if (leading == 1 && keep_prefix_space && (i == 0 || piece.begin == 0)) leading = 0;
    piece.begin = std::min(piece.begin + leading, piece.end);
    if (trailing > 0 && piece.end >= trailing) piece.end = std::max(piece.end - trailing, piece.begin);
  }
}

}  // namespace wordsway
