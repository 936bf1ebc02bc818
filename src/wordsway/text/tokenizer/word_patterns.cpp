#include "wordsway/text/tokenizer/word_patterns.h"

#include <algorithm>
#include <iterator>

#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway {
namespace {

constexpr WordPattern kPatterns[] = {
    {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", false, 0},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     true, 3},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     true, 1},
};

enum class Kind { kNothing, kSpace, kLetter, kNumber, kOther };

Kind kind_at(CharacterSpan text, std::size_t at) {
  if (at >= text.size()) return Kind::kNothing;
  const char32_t code = text[at].code;
  if (unicode::is_letter(code)) return Kind::kLetter;
  if (unicode::is_whitespace(code)) return Kind::kSpace;
  return unicode::is_number(code) ? Kind::kNumber : Kind::kOther;
}

std::size_t run_end(CharacterSpan text, std::size_t begin, Kind kind) {
  while (kind_at(text, begin) == kind) ++begin;
  return begin;
}

bool is_line_end(const Character& c) {
  return c.code == U'\r' || c.code == U'\n';
}

/// Its lower case, as far as contractions need it.
char32_t folded(char32_t code) {
  if (code >= U'A' && code <= U'Z') return code + 32;
  return code == U'\u017F' ? U's' : code;  // the long s
}

/// Length of the English contraction after an apostrophe at `begin`, with the apostrophe; 0 when there is none.
std::size_t contraction_length(CharacterSpan text, std::size_t begin, bool any_case) {
  const auto at = [&](std::size_t i) {
    const char32_t code = begin + i < text.size() ? text[begin + i].code : U'\0';
    return any_case ? folded(code) : code;
  };
  if (at(0) != U'\'') return 0;
  const char32_t a = at(1);
  const char32_t b = at(2);
  if (a == U's' || a == U't' || a == U'm' || a == U'd') return 2;
  if ((a == U'r' && b == U'e') || (a == U'v' && b == U'e') || (a == U'l' && b == U'l')) return 3;
  return 0;
}

std::size_t number_end(CharacterSpan text, std::size_t begin, std::size_t most_digits) {
  if (most_digits > 0) text = text.first(std::min(text.size(), begin + most_digits));
  return run_end(text, begin, Kind::kNumber);
}

std::size_t others_end(CharacterSpan text, std::size_t begin, bool with_line_ends) {
  std::size_t end = run_end(text, begin, Kind::kOther);
  while (with_line_ends && end < text.size() && is_line_end(text[end])) ++end;
  return end;
}

std::size_t spaces_end(CharacterSpan text, std::size_t begin, bool stops_at_line_ends) {
  const std::size_t end = run_end(text, begin, Kind::kSpace);
  if (stops_at_line_ends) {
    const CharacterSpan run = text.subspan(begin, end - begin);
    const auto last = std::find_if(run.rbegin(), run.rend(), is_line_end);
    if (last != run.rend()) return end - static_cast<std::size_t>(last - run.rbegin());
  }
  // `\s+(?!\S)` leaves the last space of a run to the word after it, unless that space is all there is.
  return end == text.size() || end == begin + 1 ? end : end - 1;
}

}  // namespace

const WordPattern& gpt2_pattern() {
  return kPatterns[0];
}
const WordPattern& llama3_pattern() {
  return kPatterns[1];
}
const WordPattern& qwen2_pattern() {
  return kPatterns[2];
}

const WordPattern* find_word_pattern(std::string_view regex) {
  const auto* found = std::find_if(std::begin(kPatterns), std::end(kPatterns),
                                   [regex](const WordPattern& pattern) { return pattern.regex == regex; });
  return found == std::end(kPatterns) ? nullptr : found;
}

std::size_t word_end(CharacterSpan text, std::size_t begin, const WordPattern& pattern) {
  const bool llama = pattern.is_llama_style;
  if (const std::size_t length = contraction_length(text, begin, llama)) return begin + length;
  const Kind kind = kind_at(text, begin);
  const Kind next = kind_at(text, begin + 1);
  const bool is_space = text[begin].code == U' ';
  const bool may_lead = llama ? kind != Kind::kNumber && !is_line_end(text[begin]) : is_space;
  if (kind == Kind::kLetter || (may_lead && next == Kind::kLetter)) return run_end(text, begin + 1, Kind::kLetter);
  if (kind == Kind::kNumber) return number_end(text, begin, pattern.most_digits);
  if (!llama && is_space && next == Kind::kNumber) return number_end(text, begin + 1, pattern.most_digits);
  if (kind == Kind::kOther || (is_space && next == Kind::kOther)) return others_end(text, begin + 1, llama);
  return spaces_end(text, begin, llama);
}

}  // namespace wordsway
