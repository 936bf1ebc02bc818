#include "wordsway/text/tokenizer/unicode.h"

#include <algorithm>
#include <iterator>
#include <span>

#include <utf8proc.h>

namespace wordsway::unicode {

namespace {

utf8proc_category_t category(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

constexpr char32_t kComposedAfterUnicode9 = 0x11938;  // not in the library's tables

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
  return between(category(code), UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO) || is_letter_after_unicode_15(code);
}

bool is_number(char32_t code) {
  if (code < 0x80) return is_ascii_digit(code);
  return between(category(code), UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO) || is_number_after_unicode_15(code);
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

char32_t uppercase(char32_t code) {
  return static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(code)));
}

void append_decomposition(char32_t code, std::u32string& out) {
  utf8proc_int32_t parts[32];  // Unicode's longest canonical decomposition has 4
  int last_bound_class = 0;
  const auto count =
      utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), parts, 32, UTF8PROC_DECOMPOSE, &last_bound_class);
  if (count < 1 || count > 32 || code == kComposedAfterUnicode9) {
    out.push_back(code);
    return;
  }
  for (int i = 0; i < count; ++i) out.push_back(static_cast<char32_t>(parts[i]));
}

int combining_class(char32_t code) {
  if (code < 0x300 || is_mark_after_unicode_9(code)) return 0;
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->combining_class;
}

std::optional<char32_t> compose(char32_t first, char32_t second) {
  if (second == 0x11A7) return std::nullopt;  // before the first final consonant; utf8proc 2.8 drops it from a syllable
  utf8proc_int32_t pair[2] = {static_cast<utf8proc_int32_t>(first), static_cast<utf8proc_int32_t>(second)};
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  if (utf8proc_normalize_utf32(pair, 2, options) != 1 || pair[0] == kComposedAfterUnicode9) return std::nullopt;
  return static_cast<char32_t>(pair[0]);
}

namespace {

// A character that utf8proc 2.8 knows and that breaks as the given one does in newer versions of Unicode.
utf8proc_int32_t known_like(char32_t code) {
  if (is_mark_after_unicode_15(code)) return 0x300;
  if (code == 0x113D1) return 0x600;  // joins what comes after it since Unicode 16
  if (code == 0x11A3A) return U'x';   // no longer does
  return static_cast<utf8proc_int32_t>(code);
}

}  // namespace

bool is_grapheme_break(char32_t before, char32_t after, int& state) {
  return utf8proc_grapheme_break_stateful(known_like(before), known_like(after), &state);
}

namespace {

struct Range {
  char32_t first, last;
};

// Found by asking `tokenizers` 0.23 about every code point and comparing with Unicode 15.
constexpr Range kAfterUnicode8[] = {
    {0x61D, 0x61D},     {0x7FD, 0x7FD},     {0x890, 0x891},     {0x898, 0x89F},     {0x8CA, 0x8E2},
    {0x9FD, 0x9FE},     {0xA76, 0xA76},     {0xAFA, 0xAFF},     {0xB55, 0xB55},     {0xC04, 0xC04},
    {0xC3C, 0xC3C},     {0xC77, 0xC77},     {0xC84, 0xC84},     {0xD00, 0xD00},     {0xD3B, 0xD3C},
    {0xD81, 0xD81},     {0xEBA, 0xEBA},     {0xECE, 0xECE},     {0x180F, 0x180F},   {0x1885, 0x1886},
    {0x1ABF, 0x1ACE},   {0x1B7D, 0x1B7E},   {0x1DF6, 0x1DFB},   {0x2E43, 0x2E4F},   {0x2E52, 0x2E5D},
    {0xA82C, 0xA82C},   {0xA8C5, 0xA8C5},   {0xA8FF, 0xA8FF},   {0xA9BD, 0xA9BD},   {0x10D24, 0x10D27},
    {0x10EAB, 0x10EAD}, {0x10EFD, 0x10EFF}, {0x10F46, 0x10F50}, {0x10F55, 0x10F59}, {0x10F82, 0x10F89},
    {0x11070, 0x11070}, {0x11073, 0x11074}, {0x110C2, 0x110C2}, {0x110CD, 0x110CD}, {0x111C9, 0x111C9},
    {0x111CF, 0x111CF}, {0x1123E, 0x1123E}, {0x11241, 0x11241}, {0x1133B, 0x1133B}, {0x11438, 0x1143F},
    {0x11442, 0x11444}, {0x11446, 0x11446}, {0x1144B, 0x1144F}, {0x1145A, 0x1145B}, {0x1145D, 0x1145E},
    {0x11660, 0x1166C}, {0x116B9, 0x116B9}, {0x1182F, 0x11837}, {0x11839, 0x1183B}, {0x1193B, 0x1193C},
    {0x1193E, 0x1193E}, {0x11943, 0x11946}, {0x119D4, 0x119D7}, {0x119DA, 0x119DB}, {0x119E0, 0x119E0},
    {0x119E2, 0x119E2}, {0x11A01, 0x11A0A}, {0x11A33, 0x11A38}, {0x11A3B, 0x11A47}, {0x11A51, 0x11A56},
    {0x11A59, 0x11A5B}, {0x11A8A, 0x11A96}, {0x11A98, 0x11A9C}, {0x11A9E, 0x11AA2}, {0x11B00, 0x11B09},
    {0x11C30, 0x11C36}, {0x11C38, 0x11C3D}, {0x11C3F, 0x11C3F}, {0x11C41, 0x11C45}, {0x11C70, 0x11C71},
    {0x11C92, 0x11CA7}, {0x11CAA, 0x11CB0}, {0x11CB2, 0x11CB3}, {0x11CB5, 0x11CB6}, {0x11D31, 0x11D36},
    {0x11D3A, 0x11D3A}, {0x11D3C, 0x11D3D}, {0x11D3F, 0x11D45}, {0x11D47, 0x11D47}, {0x11D90, 0x11D91},
    {0x11D95, 0x11D95}, {0x11D97, 0x11D97}, {0x11EF3, 0x11EF4}, {0x11EF7, 0x11EF8}, {0x11F00, 0x11F01},
    {0x11F36, 0x11F3A}, {0x11F40, 0x11F40}, {0x11F42, 0x11F4F}, {0x11FFF, 0x11FFF}, {0x12FF1, 0x12FF2},
    {0x13430, 0x13440}, {0x13447, 0x13455}, {0x16E97, 0x16E9A}, {0x16F4F, 0x16F4F}, {0x16FE2, 0x16FE2},
    {0x16FE4, 0x16FE4}, {0x1CF00, 0x1CF2D}, {0x1CF30, 0x1CF46}, {0x1E000, 0x1E006}, {0x1E008, 0x1E018},
    {0x1E01B, 0x1E021}, {0x1E023, 0x1E024}, {0x1E026, 0x1E02A}, {0x1E08F, 0x1E08F}, {0x1E130, 0x1E136},
    {0x1E2AE, 0x1E2AE}, {0x1E2EC, 0x1E2EF}, {0x1E4EC, 0x1E4EF}, {0x1E944, 0x1E94A}, {0x1E95E, 0x1E95F}};

// Found by putting U+0334, of class 1, after every code point and asking `tokenizers` 0.23 for the canonical order.
constexpr Range kMarksAfterUnicode9[] = {
    {0x7FD, 0x7FD},     {0x898, 0x89F},     {0x8CA, 0x8D3},     {0x9FE, 0x9FE},     {0xC3C, 0xC3C},
    {0xD3B, 0xD3C},     {0xEBA, 0xEBA},     {0x1715, 0x1715},   {0x1ABF, 0x1ACE},   {0x1DF6, 0x1DFA},
    {0xA82C, 0xA82C},   {0x10D24, 0x10D27}, {0x10EAB, 0x10EAC}, {0x10EFD, 0x10EFF}, {0x10F46, 0x10F50},
    {0x10F82, 0x10F85}, {0x11070, 0x11070}, {0x1133B, 0x1133B}, {0x1145E, 0x1145E}, {0x11839, 0x1183A},
    {0x1193D, 0x1193E}, {0x11943, 0x11943}, {0x119E0, 0x119E0}, {0x11A34, 0x11A34}, {0x11A47, 0x11A47},
    {0x11A99, 0x11A99}, {0x11D42, 0x11D42}, {0x11D44, 0x11D45}, {0x11D97, 0x11D97}, {0x11F41, 0x11F42},
    {0x16FF0, 0x16FF1}, {0x1E08F, 0x1E08F}, {0x1E130, 0x1E136}, {0x1E2AE, 0x1E2AE}, {0x1E2EC, 0x1E2EF},
    {0x1E4EC, 0x1E4EF}};

// Found by asking `tokenizers` 0.23 whether it keeps "a" and the code point together.
constexpr Range kMarksAfterUnicode15[] = {
    {0x897, 0x897},     {0x1ACF, 0x1ADD},   {0x1AE0, 0x1AEB},   {0x10D69, 0x10D6D}, {0x10EFA, 0x10EFC},
    {0x113B8, 0x113C0}, {0x113C2, 0x113C2}, {0x113C5, 0x113C5}, {0x113C7, 0x113CA}, {0x113CC, 0x113D0},
    {0x113D2, 0x113D2}, {0x113E1, 0x113E2}, {0x11B60, 0x11B67}, {0x11F5A, 0x11F5A}, {0x1611E, 0x1612F},
    {0x1E5EE, 0x1E5EF}, {0x1E6E3, 0x1E6E3}, {0x1E6E6, 0x1E6E6}, {0x1E6EE, 0x1E6EF}, {0x1E6F5, 0x1E6F5}};

// Found by asking `tokenizers` 0.23 whether GPT-2's pattern keeps the code point together with "a" or "1".
constexpr Range kLettersAfterUnicode15[] = {
    {0x1C89, 0x1C8A},   {0xA7CB, 0xA7CD},   {0xA7DA, 0xA7DC},   {0x105C0, 0x105F3}, {0x10D4A, 0x10D65},
    {0x10D6F, 0x10D85}, {0x10EC2, 0x10EC4}, {0x11380, 0x11389}, {0x1138B, 0x1138B}, {0x1138E, 0x1138E},
    {0x11390, 0x113B5}, {0x113B7, 0x113B7}, {0x113D1, 0x113D1}, {0x113D3, 0x113D3}, {0x11BC0, 0x11BE0},
    {0x13460, 0x143FA}, {0x16100, 0x1611D}, {0x16D40, 0x16D6C}, {0x18CFF, 0x18CFF}, {0x1E5D0, 0x1E5ED},
    {0x1E5F0, 0x1E5F0}, {0x2EBF0, 0x2EE5D}};
constexpr Range kNumbersAfterUnicode15[] = {{0x10D40, 0x10D49}, {0x116D0, 0x116E3}, {0x11BF0, 0x11BF9},
                                            {0x16130, 0x16139}, {0x16D70, 0x16D79}, {0x1CCF0, 0x1CCF9},
                                            {0x1E5F1, 0x1E5FA}};

bool is_in(std::span<const Range> sorted, char32_t code) {
  if (code < sorted.front().first) return false;
  const auto after = std::upper_bound(sorted.begin(), sorted.end(), code,
                                      [](char32_t c, const Range& range) { return c < range.first; });
  return code <= std::prev(after)->last;
}

}  // namespace

bool is_unknown_to_unicode_8(char32_t code) {
  return is_in(kAfterUnicode8, code);
}
bool is_mark_after_unicode_9(char32_t code) {
  return is_in(kMarksAfterUnicode9, code);
}
bool is_mark_after_unicode_15(char32_t code) {
  return is_in(kMarksAfterUnicode15, code);
}
bool is_letter_after_unicode_15(char32_t code) {
  return is_in(kLettersAfterUnicode15, code);
}
bool is_number_after_unicode_15(char32_t code) {
  return is_in(kNumbersAfterUnicode15, code);
}

}  // namespace wordsway::unicode
