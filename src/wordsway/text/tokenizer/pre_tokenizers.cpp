#include "wordsway/text/tokenizer/pre_tokenizers.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "wordsway/core/utf8.h"
#include "wordsway/io/json_view.h"
#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway {
namespace {

void end_word(Words& words) {
  const std::size_t begin = words.ends.empty() ? 0 : words.ends.back();
  if (words.text.size() > begin) words.ends.push_back(words.text.size());
}

void append_word(CharacterSpan word, const Metaspace& rule, Words& out) {
  const Character& first = word.front();
  const bool is_marked = first.code == U' ' || first.code == rule.mark;
  const bool wanted =
      rule.prepend == Metaspace::Prepend::kAlways || (rule.prepend == Metaspace::Prepend::kFirst && first.begin == 0);
  if (wanted && !is_marked) out.text.push_back({rule.mark, first.begin, first.end});
  for (std::size_t i = 0; i < word.size(); ++i) {
    Character c = word[i];
    if (c.code == U' ') c.code = rule.mark;
    if (rule.split && c.code == rule.mark) end_word(out);
    out.text.push_back(c);
  }
  end_word(out);
}

void append_word(CharacterSpan word, const WhitespaceSplit&, Words& out) {
  for (const Character& c : word) {
    if (unicode::is_whitespace(c.code)) {
      end_word(out);
    } else {
      out.text.push_back(c);
    }
  }
  end_word(out);
}

template <typename Rule>
Words cut_again(const Words& words, const Rule& rule) {
  Words result;
  result.text.reserve(words.text.size() + words.ends.size());
  result.ends.reserve(words.ends.size() + words.text.size() / 4);
  std::size_t begin = 0;
  for (const std::size_t end : words.ends) {
    append_word(CharacterSpan(words.text).subspan(begin, end - begin), rule, result);
    begin = end;
  }
  return result;
}

}  // namespace

Words cut_into_words(Characters text, const std::vector<PreTokenizer>& pre_tokenizers) {
  Words words{std::move(text), {}};
  end_word(words);
  for (const PreTokenizer& pre_tokenizer : pre_tokenizers) {
    words = std::visit([&](const auto& rule) { return cut_again(words, rule); }, pre_tokenizer);
  }
  return words;
}

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

namespace {

Metaspace::Prepend read_prepend_scheme(const JsonView& json) {
  const JsonView scheme = json["prepend_scheme"];
  // Files from before the library's version 0.14 only say whether.
  const bool prefix = json["add_prefix_space"].boolean_or(true);
  const std::string name = scheme.string_or(prefix ? "always" : "never");
  if (!prefix && name != "never")
    scheme.fail(fmt::format("'{}' does not go with add_prefix_space false; expected 'never'", name));
  if (name == "always") return Metaspace::Prepend::kAlways;
  if (name == "first") return Metaspace::Prepend::kFirst;
  if (name == "never") return Metaspace::Prepend::kNever;
  scheme.fail(fmt::format("{} is not supported; expected always, first or never", scheme.shown()));
}

void read_into(const JsonView& json, std::string_view model, std::vector<PreTokenizer>& rules) {
  const std::string type = json["type"].string();
  if (type == "Sequence") {
    for (const JsonView& part : json["pretokenizers"].elements()) read_into(part, model, rules);
  } else if (type == "Metaspace") {
    rules.emplace_back(read_metaspace(json));
  } else if (type == "WhitespaceSplit") {
    rules.emplace_back(WhitespaceSplit());
  } else {
    json.fail(
        fmt::format("the type {} is not supported with {}; expected Metaspace, WhitespaceSplit or a Sequence of them",
                    json["type"].shown(), model));
  }
}

}  // namespace

Metaspace read_metaspace(const JsonView& json) {
  Metaspace metaspace;
  const std::u32string mark = unicode::decode(json["replacement"].string());
  if (mark.size() != 1) json["replacement"].fail(fmt::format("expected one character, got {}", mark.size()));
  metaspace.mark = mark[0];
  metaspace.prepend = read_prepend_scheme(json);
  metaspace.split = json["split"].boolean_or(true);
  return metaspace;
}

std::vector<PreTokenizer> read_pre_tokenizers(const JsonView& json, std::string_view model) {
  std::vector<PreTokenizer> rules;
  if (json.exists()) read_into(json, model, rules);
  return rules;
}

}  // namespace wordsway
