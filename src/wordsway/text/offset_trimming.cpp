#include "wordsway/text/offset_trimming.h"

#include <algorithm>

#include "wordsway/text/byte_level.h"
#include "wordsway/text/unicode.h"
#include "wordsway/text/utf8.h"

namespace wordsway {
namespace {

struct Spaces {
  std::uint32_t leading, trailing;
};

Spaces spaces_of(std::string_view token) {
  const auto is_space = [](char32_t code) {
    return code == byte_level::character_of(' ') || unicode::is_whitespace(code);
  };
  const std::u32string codes = unicode::decode(token);
  const auto first = std::find_if_not(codes.begin(), codes.end(), is_space);
  const auto last = std::find_if_not(codes.rbegin(), codes.rend(), is_space);
  return {static_cast<std::uint32_t>(first - codes.begin()), static_cast<std::uint32_t>(last - codes.rbegin())};
}

}  // namespace

void trim_offsets(TokenizedText& text, const Vocabulary& vocabulary, bool keep_prefix_space) {
  for (std::size_t i = 0; i < text.pieces.size(); ++i) {
    Piece& piece = text.pieces[i];
    auto [leading, trailing] = spaces_of(text.token_text(i, vocabulary));
    if (leading > 0 && keep_prefix_space && (i == 0 || piece.begin == 0)) --leading;
    piece.begin = std::min(piece.begin + leading, piece.end);
    if (trailing > 0 && piece.end >= trailing) piece.end = std::max(piece.end - trailing, piece.begin);
  }
}

}  // namespace wordsway
