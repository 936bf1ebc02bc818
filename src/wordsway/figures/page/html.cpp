#include "wordsway/figures/page/html.h"

#include "wordsway/text/utf8.h"

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

std::string anchor_of(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    result += kept ? c : '-';
  }
  return result;
}

}  // namespace wordsway
