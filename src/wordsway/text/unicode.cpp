#include "wordsway/text/unicode.h"

#include <utf8proc.h>

#include "wordsway/text/unicode_ranges.h"

namespace wordsway::unicode {
namespace {

utf8proc_category_t category(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

bool is_ascii_letter(char32_t code) {
  return (code | 0x20) - U'a' < 26;
}
bool is_ascii_digit(char32_t code) {
  return code - U'0' < 10;
}

bool between(utf8proc_category_t value, utf8proc_category_t first, utf8proc_category_t last) {
  return value >= first && value <= last;
}

// Letters of other kinds (circled, squared) that Unicode calls alphabetic although their category is So.
bool is_alphabetic_symbol(char32_t code) {
  return (code >= 0x24B6 && code <= 0x24E9) || (code >= 0x1F130 && code <= 0x1F149) ||
         (code >= 0x1F150 && code <= 0x1F169) || (code >= 0x1F170 && code <= 0x1F189);
}

}  // namespace

bool is_whitespace(char32_t code) {
  if (code < 0x80) return code == U' ' || (code >= 0x09 && code <= 0x0D);
  if (code < 0x1680) return code == 0x85 || code == 0xA0;
  return code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F ||
         code == 0x205F || code == 0x3000;
}

bool is_control(char32_t code) {
  if (code < 0x80) return (code < 0x20 && code != U'\t' && code != U'\n' && code != U'\r') || code == 0x7F;
  const utf8proc_category_t c = category(code);
  return between(c, UTF8PROC_CATEGORY_CC, UTF8PROC_CATEGORY_CO) && !is_unknown_to_unicode_8(code);
}

bool is_punctuation(char32_t code) {
  if (code < 0x80) return code > 0x20 && code < 0x7F && !is_ascii_letter(code) && !is_ascii_digit(code);
  // These two were punctuation in Unicode 8 and moved to other categories later.
  if (code == 0x166D || code == 0x111C9) return true;
  return between(category(code), UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PO) && !is_unknown_to_unicode_8(code);
}

bool is_nonspacing_mark(char32_t code) {
  if (code < 0x300) return false;
  if (code == 0x1734) return true;  // a spacing mark only since Unicode 14
  return category(code) == UTF8PROC_CATEGORY_MN && !is_unknown_to_unicode_8(code);
}

bool is_letter(char32_t code) {
  if (code < 0x80) return is_ascii_letter(code);
  return between(category(code), UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO);
}

bool is_number(char32_t code) {
  if (code < 0x80) return is_ascii_digit(code);
  return between(category(code), UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO);
}

bool is_word_character(char32_t code) {
  if (code < 0x80) return is_ascii_letter(code) || is_ascii_digit(code) || code == U'_';
  const utf8proc_category_t c = category(code);
  return between(c, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_ME) || c == UTF8PROC_CATEGORY_ND ||
         c == UTF8PROC_CATEGORY_NL || c == UTF8PROC_CATEGORY_PC || code == 0x200C || code == 0x200D ||
         is_alphabetic_symbol(code);
}

bool is_cjk_ideograph(char32_t code) {
  if (code < 0x3400) return false;
  return (code >= 0x4E00 && code <= 0x9FFF) || (code >= 0x3400 && code <= 0x4DBF) ||
         (code >= 0x20000 && code <= 0x2A6DF) || (code >= 0x2A700 && code <= 0x2B73F) ||
         (code >= 0x2B740 && code <= 0x2B81F) || (code >= 0x2B920 && code <= 0x2CEAF) ||
         (code >= 0xF900 && code <= 0xFAFF) || (code >= 0x2F800 && code <= 0x2FA1F);
}

std::u32string_view lowercase(char32_t code, char32_t (&buffer)[2]) {
  if (code == 0x130) {  // the one character whose lower case is two, whatever the language
    buffer[0] = U'i';
    buffer[1] = 0x307;
    return {buffer, 2};
  }
  if (code < 0x80) {
    buffer[0] = code - U'A' < 26 ? code + 32 : code;
  } else {
    buffer[0] = static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
  }
  return {buffer, 1};
}

void append_decomposition(char32_t code, std::u32string& out) {
  utf8proc_int32_t parts[32];  // Unicode's longest canonical decomposition has 4
  int last_bound_class = 0;
  const auto count =
      utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), parts, 32, UTF8PROC_DECOMPOSE, &last_bound_class);
  if (count < 1 || count > 32 || code == 0x11938) {  // U+11938 came after the library's decomposition table
    out.push_back(code);
    return;
  }
  for (int i = 0; i < count; ++i) out.push_back(static_cast<char32_t>(parts[i]));
}

int combining_class(char32_t code) {
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->combining_class;
}

}  // namespace wordsway::unicode
