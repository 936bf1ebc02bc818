#include "wordsway/text/words/whole_words.h"

#include <algorithm>

#include "wordsway/core/utf8.h"
#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway {
namespace {

using unicode::is_letter;
using unicode::is_nonspacing_mark;

// Names of scripts that more than one block has.
constexpr int kLatin = 1, kIdeographs = 2, kGreek = 3, kCyrillic = 4, kHangul = 5, kArabic = 6;

// Latin has many blocks; the other scripts are told apart by where they lie.
int script_of(char32_t code) {
  if (code < 0x250 || (code >= 0x1E00 && code < 0x1F00) || (code >= 0x2C60 && code < 0x2C80) ||
      (code >= 0xA720 && code < 0xA800))
    return kLatin;
  if (unicode::is_cjk_ideograph(code) || (code >= 0x3040 && code < 0x3100)) return kIdeographs;
  if (code < 0x400 || (code >= 0x1F00 && code < 0x2000)) return kGreek;
  if (code < 0x530) return kCyrillic;
  if (code >= 0x600 && code < 0x780) return kArabic;
  if ((code >= 0x1100 && code < 0x1200) || (code >= 0xAC00 && code < 0xD7B0)) return kHangul;
  return static_cast<int>(code >> 7);  // Hebrew, Indic and other scripts have blocks of 128
}

bool joins(char32_t code) {
  return code == U'\'' || code == U'-' || code == 0x2019;
}

bool is_lowercase(char32_t code) {
  char32_t buffer[2];
  return unicode::lowercase(code, buffer) == std::u32string_view(&code, 1);
}

}  // namespace

WordKind kind_of(std::string_view word) {
  const std::u32string text = unicode::decode(word);
  if (text.empty()) return {};
  if (std::ranges::all_of(text, unicode::is_number)) return {WordKind::Class::kNumber};
  if (std::ranges::all_of(text, unicode::is_punctuation)) return {WordKind::Class::kPunctuation};
  if (!is_letter(text.front())) return {};
  const int script = script_of(text.front());
  for (size_t k = 1; k < text.size(); ++k) {
    const bool letter = is_letter(text[k]) && script_of(text[k]) == script;
    const bool between = joins(text[k]) && k + 1 < text.size() && is_letter(text[k + 1]);
    if (!letter && !between && !is_nonspacing_mark(text[k])) return {};
  }
  return {WordKind::Class::kLetters, script};
}

std::vector<WholeWord> whole_words(const Tokenizer& tokenizer) {
  std::vector<WholeWord> words;
  std::vector<std::string> behind_space;
  for (int id = 0; id < tokenizer.vocabulary_size(); ++id) {
    if (!tokenizer.has_id(id)) continue;
    std::string text = tokenizer.surface(id);
    if (text.starts_with(' ')) text.erase(0, 1);
    const WordKind kind = unicode::is_valid_utf8(text) ? kind_of(text) : WordKind{};
    if (kind.kind == WordKind::Class::kOther) continue;
    const bool one_letter = kind.kind == WordKind::Class::kLetters && kind.script != kIdeographs &&
                            kind.script != kHangul && unicode::decode(text).size() == 1;
    behind_space.push_back(" " + text);
    std::string folded = without_case(text);
    words.push_back({id, std::move(text), kind, std::move(folded), one_letter});
  }
  const auto encodings = encode_all(tokenizer, behind_space, {.special_tokens = false});
  std::vector<WholeWord> whole;
  for (size_t k = 0; k < words.size(); ++k)
    if (encodings[k].ids == std::vector{words[k].id}) whole.push_back(std::move(words[k]));
  return whole;
}

std::string without_case(std::string_view word) {
  std::string result;
  char32_t buffer[2];
  for (const char32_t code : unicode::decode(word))
    for (const char32_t lower : unicode::lowercase(code, buffer)) unicode::append_utf8(result, lower);
  return result;
}

std::string with_capitals_of(std::string_view pattern, std::string_view word) {
  const std::u32string shape = unicode::decode(pattern);
  std::u32string text = unicode::decode(word);
  const bool has_own = !std::ranges::all_of(text, is_lowercase);
  if (shape.empty() || text.empty() || has_own || is_lowercase(shape.front())) return std::string(word);
  const bool all = shape.size() > 1 &&
                   std::ranges::none_of(shape, [](char32_t code) { return is_letter(code) && is_lowercase(code); });
  if (all) {
    std::ranges::transform(text, text.begin(), unicode::uppercase);
  } else {
    text.front() = unicode::uppercase(text.front());
  }
  std::string result;
  for (const char32_t code : text) unicode::append_utf8(result, code);
  return result;
}

}  // namespace wordsway
