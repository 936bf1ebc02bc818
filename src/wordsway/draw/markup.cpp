#include "wordsway/draw/markup.h"

#include "wordsway/core/utf8.h"

namespace wordsway {
namespace {

bool is_displayable(char32_t character) {
  if (character == U'\n' || character == U'\t') return true;
  const bool control = character < 0x20 || (character >= 0x7F && character < 0xA0);
  return !control && character != 0xFFFE && character != 0xFFFF;
}

}  // namespace

std::u32string displayable(std::string_view text) {
  std::u32string characters = unicode::decode(text);
  for (char32_t& character : characters)
    if (!is_displayable(character)) character = unicode::kReplacement;
  return characters;
}

std::string escape_html(std::string_view text) {
  std::string result;
  for (const char32_t character : displayable(text)) {
    switch (character) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        unicode::append_utf8(result, character);
    }
  }
  return result;
}

}  // namespace wordsway
