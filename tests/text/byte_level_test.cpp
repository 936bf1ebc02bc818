#include "wordsway/text/tokenizer/byte_level.h"

#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "text/random_text.h"
#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway::byte_level {
namespace {

using test::random_codes;
using test::to_characters;

TEST(ByteLevel, WritesEveryByteAsAnotherPrintableCharacterAndReadsItBack) {
  std::set<char32_t> alphabet;
  for (int byte = 0; byte < 256; ++byte) {
    const char32_t code = character_of(static_cast<unsigned char>(byte));
    EXPECT_TRUE(alphabet.insert(code).second) << "two bytes are written as U+" << std::hex << int(code);
    EXPECT_FALSE(unicode::is_whitespace(code) || unicode::is_control(code)) << byte;
    EXPECT_EQ(bytes_of(test::to_bytes({&code, 1})), std::string(1, static_cast<char>(byte)));
  }
}

TEST(ByteLevel, CharactersOutsideTheAlphabetStandForThemselves) {
  EXPECT_EQ(bytes_of("\u6771 \u0144"), "\u6771 \u0144");
  EXPECT_EQ(bytes_of("\u0120a\u6771"), " a\u6771");
  EXPECT_EQ(bytes_of(""), "");
}

// GPT-2's pattern by its definition: alternatives in their order, each as long as it goes.
using Codes = std::u32string_view;

bool all(Codes codes, bool (*property)(char32_t)) {
  return !codes.empty() && std::all_of(codes.begin(), codes.end(), property);
}
bool is_other(char32_t code) {
  return !unicode::is_whitespace(code) && !unicode::is_letter(code) && !unicode::is_number(code);
}
Codes without_blank(Codes codes) {
  return codes.starts_with(U' ') ? codes.substr(1) : codes;
}

std::size_t word_end_reference(Codes text, std::size_t begin) {
  const auto space_before = [&](std::size_t end) { return end < text.size() && !unicode::is_whitespace(text[end]); };
  const std::function<bool(Codes, std::size_t)> alternatives[] = {
      [](Codes w, std::size_t) {
        const std::set<Codes> contractions{U"'s", U"'t", U"'re", U"'ve", U"'m", U"'ll", U"'d"};
        return contractions.contains(w);
      },
      [](Codes w, std::size_t) { return all(w, unicode::is_letter) || all(without_blank(w), unicode::is_letter); },
      [](Codes w, std::size_t) { return all(w, unicode::is_number) || all(without_blank(w), unicode::is_number); },
      [](Codes w, std::size_t) { return all(w, is_other) || all(without_blank(w), is_other); },
      [&](Codes w, std::size_t end) { return all(w, unicode::is_whitespace) && !space_before(end); },
      [](Codes w, std::size_t) { return all(w, unicode::is_whitespace); },
  };
  for (const auto& matches : alternatives) {
    for (std::size_t end = text.size(); end > begin; --end) {
      if (matches(text.substr(begin, end - begin), end)) return end;
    }
  }
  return begin;
}

void expect_words_of_the_pattern(const std::u32string& text) {
  const Characters characters = to_characters(text);
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    ASSERT_EQ(word_end(characters, begin), word_end_reference(text, begin))
        << "from " << begin << " of '" << test::to_bytes(text) << "'";
  }
}

TEST(ByteLevel, CutsWordsWhereThePatternCutsThemOnRandomTexts) {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    expect_words_of_the_pattern(random_codes(Stream(41).derive(trial), 30));
  }
}

TEST(ByteLevel, CutsContractionsAndRunsOfSpacesWhereThePatternDoes) {
  for (std::uint64_t trial = 0; trial < 500; ++trial) {
    expect_words_of_the_pattern(random_codes(Stream(42).derive(trial), 16, U"''  \nstremvld1."));
  }
}

}  // namespace
}  // namespace wordsway::byte_level
