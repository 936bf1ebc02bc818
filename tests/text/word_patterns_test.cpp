#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "text/random_text.h"
#include "wordsway/text/tokenizer/pre_tokenizers.h"
#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway {
namespace {

using test::random_codes;
using test::to_characters;

const std::string kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
const std::string kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

// Patterns by their definition: alternatives in their order, each as long as it goes.
using Codes = std::u32string_view;
using Alternative = std::function<bool(Codes word, std::size_t end)>;

bool all(Codes codes, bool (*property)(char32_t)) {
  return !codes.empty() && std::all_of(codes.begin(), codes.end(), property);
}
bool is_other(char32_t code) {
  return !unicode::is_whitespace(code) && !unicode::is_letter(code) && !unicode::is_number(code);
}
Codes without_blank(Codes codes) {
  return codes.starts_with(U' ') ? codes.substr(1) : codes;
}

bool is_line_end(char32_t code) {
  return code == U'\r' || code == U'\n';
}
/// Everything up to the last character that is no end of a line.
Codes without_line_ends(Codes codes) {
  while (!codes.empty() && is_line_end(codes.back())) codes.remove_suffix(1);
  return codes;
}
bool is_contraction(Codes word) {
  return std::set<Codes>{U"'s", U"'t", U"'re", U"'ve", U"'m", U"'ll", U"'d"}.contains(word);
}
bool is_contraction_in_any_case(Codes word) {
  std::u32string lower;
  for (const char32_t code : word) lower += code == U'\u017F' ? U's' : code >= U'A' && code <= U'Z' ? code + 32 : code;
  return is_contraction(lower);
}
/// [^\r\n\p{L}\p{N}]?\p{L}+
bool is_led_word(Codes w) {
  const bool leads = w.size() > 1 && !is_line_end(w[0]) && !unicode::is_letter(w[0]) && !unicode::is_number(w[0]);
  return all(leads ? w.substr(1) : w, unicode::is_letter);
}

std::vector<Alternative> gpt2_alternatives() {
  return {[](Codes w, std::size_t) { return is_contraction(w); },
          [](Codes w, std::size_t) { return all(without_blank(w), unicode::is_letter); },
          [](Codes w, std::size_t) { return all(without_blank(w), unicode::is_number); },
          [](Codes w, std::size_t) { return all(without_blank(w), is_other); }};
}

std::vector<Alternative> llama_alternatives(std::size_t most_digits) {
  return {[](Codes w, std::size_t) { return is_contraction_in_any_case(w); },
          [](Codes w, std::size_t) { return is_led_word(w); },
          [=](Codes w, std::size_t) { return w.size() <= most_digits && all(w, unicode::is_number); },
          [](Codes w, std::size_t) { return all(without_line_ends(without_blank(w)), is_other); },
          [](Codes w, std::size_t) { return all(w, unicode::is_whitespace) && is_line_end(w.back()); }};
}

std::size_t word_end_reference(Codes text, std::size_t begin, std::vector<Alternative> alternatives) {
  const auto space_before = [&](std::size_t end) { return end < text.size() && !unicode::is_whitespace(text[end]); };
  alternatives.emplace_back(
      [&](Codes w, std::size_t end) { return all(w, unicode::is_whitespace) && !space_before(end); });
  alternatives.emplace_back([](Codes w, std::size_t) { return all(w, unicode::is_whitespace); });
  for (const Alternative& matches : alternatives) {
    for (std::size_t end = text.size(); end > begin; --end) {
      if (matches(text.substr(begin, end - begin), end)) return end;
    }
  }
  return begin;
}

void expect_words_of_the_pattern(const std::u32string& text, const WordPattern& pattern,
                                 const std::vector<Alternative>& alternatives) {
  const Characters characters = to_characters(text);
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    ASSERT_EQ(word_end(characters, begin, pattern), word_end_reference(text, begin, alternatives))
        << "from " << begin << " of '" << test::to_bytes(text) << "' by " << pattern.regex;
  }
}

void expect_words_of_all_patterns(const std::u32string& text) {
  expect_words_of_the_pattern(text, gpt2_pattern(), gpt2_alternatives());
  expect_words_of_the_pattern(text, *find_word_pattern(kLlama3), llama_alternatives(3));
  expect_words_of_the_pattern(text, *find_word_pattern(kQwen2), llama_alternatives(1));
}

TEST(WordPatterns, AreFoundByTheirText) {
  ASSERT_NE(find_word_pattern(kLlama3), nullptr);
  ASSERT_NE(find_word_pattern(kQwen2), nullptr);
  EXPECT_EQ(find_word_pattern(gpt2_pattern().regex), &gpt2_pattern());
  EXPECT_EQ(find_word_pattern(kQwen2 + " "), nullptr);
  EXPECT_EQ(find_word_pattern(""), nullptr);
}

TEST(WordPatterns, CutWordsWhereTheirDefinitionCutsThemOnRandomTexts) {
  for (std::uint64_t trial = 0; trial < 300; ++trial)
    expect_words_of_all_patterns(random_codes(Stream(41).derive(trial), 30));
}

TEST(WordPatterns, CutContractionsAndRunsOfSpacesWhereTheirDefinitionDoes) {
  for (std::uint64_t trial = 0; trial < 500; ++trial) {
    expect_words_of_all_patterns(random_codes(Stream(42).derive(trial), 16, U"''  \nstremvld1."));
    expect_words_of_all_patterns(random_codes(Stream(43).derive(trial), 16, U"''SLlre\u017F \t\r\n\n123.!\u00A0"));
  }
}

TEST(WordPatterns, TakeALongRunOfDigitsInLinearTime) {
  const Characters digits = to_characters(std::u32string(300000, U'7'));
  std::size_t words = 0;
  for (std::size_t begin = 0; begin < digits.size(); ++words)
    begin = word_end(digits, begin, *find_word_pattern(kLlama3));
  EXPECT_EQ(words, 100000u);
}

}  // namespace
}  // namespace wordsway
