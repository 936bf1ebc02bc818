#include <gtest/gtest.h>

#include "text/random_text.h"
#include "wordsway/text/tokenizer/unicode.h"
#include "wordsway/text/tokenizer/wordpiece.h"

namespace wordsway {
namespace {

using test::codes_of;
using test::to_characters;

constexpr BertNormalizer kNothing{false, false, false, false};
constexpr BertNormalizer kClean{true, false, false, false};
constexpr BertNormalizer kIdeographs{false, true, false, false};
constexpr BertNormalizer kAccents{false, false, true, false};
constexpr BertNormalizer kLowercase{false, false, false, true};

std::u32string normalized(const BertNormalizer& normalizer, std::u32string_view text) {
  Characters characters = to_characters(text);
  normalizer.normalize(characters);
  return codes_of(characters);
}

/// Where every character of the normalised text begins in the original one.
std::vector<std::uint32_t> places(const BertNormalizer& normalizer, std::u32string_view text) {
  Characters characters = to_characters(text);
  normalizer.normalize(characters);
  std::vector<std::uint32_t> begins;
  for (const Character& c : characters) {
    EXPECT_EQ(c.end, c.begin + 1);
    begins.push_back(c.begin);
  }
  return begins;
}

using Places = std::vector<std::uint32_t>;

TEST(BertNormalizer, DropsControlCharactersAndMakesEverySpaceABlank) {
  const std::u32string text = U"a\u0007b\tc\u00A0d\u200Be\u3000f\uFFFDg\u00ADh\nI\u007F";
  EXPECT_EQ(normalized(kClean, text), U"ab c de fgh I");
  EXPECT_EQ(places(kClean, text), (Places{0, 2, 3, 4, 5, 6, 8, 9, 10, 12, 14, 15, 16}));
  EXPECT_EQ(normalized(kClean, std::u32string(U"a\0b", 3)), U"ab");
}

TEST(BertNormalizer, SetsIdeographsButNoOtherAsianScriptsBetweenBlanks) {
  EXPECT_EQ(normalized(kIdeographs, U"a東京b"), U"a 東  京 b");
  EXPECT_EQ(places(kIdeographs, U"a東京b"), (Places{0, 1, 1, 1, 2, 2, 2, 3}));
  EXPECT_EQ(normalized(kIdeographs, U"ひらカナ한글"), U"ひらカナ한글");
  EXPECT_EQ(normalized(kIdeographs, U"\U00020000\uF900\u3400"), U" \U00020000  \uF900  \u3400 ");
}

TEST(BertNormalizer, StripsAccentsWrittenInOneCharacterOrInTwo) {
  EXPECT_EQ(normalized(kAccents, U"Crème brûlée à São"), U"Creme brulee a Sao");
  EXPECT_EQ(normalized(kAccents, U"e\u0301\u0323x"), U"ex");
  EXPECT_EQ(places(kAccents, U"e\u0301\u0323x"), (Places{0, 3}));
  EXPECT_EQ(normalized(kAccents, U"ßøł"), U"ßøł") << "letters of their own have no accent";
  EXPECT_EQ(normalized(kAccents, U"\u1E69"), U"s") << "two accents in one character";
}

TEST(BertNormalizer, SyllablesFallIntoLettersThatShareTheirPlace) {
  EXPECT_EQ(normalized(kAccents, U"x각y"), U"x\u1100\u1161\u11A8y");
  EXPECT_EQ(places(kAccents, U"x각y"), (Places{0, 1, 1, 1, 2}));
}

TEST(BertNormalizer, LowerCasesEveryScriptAndKeepsPlacesWhereOneBecomesTwo) {
  EXPECT_EQ(normalized(kLowercase, U"ÀΣЖZ1!ß"), U"àσжz1!ß");
  EXPECT_EQ(normalized(kLowercase, U"aİb"), U"ai\u0307b");
  EXPECT_EQ(places(kLowercase, U"aİb"), (Places{0, 1, 1, 2}));
  EXPECT_EQ(normalized({false, false, true, true}, U"İÉ"), U"ie") << "accents go before the case does";
}

TEST(BertNormalizer, LeavesTheTextAloneWhenNothingIsAskedFor) {
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    const std::u32string text = test::random_codes(Stream(61).derive(trial), 40) + U"\u0007\uFFFD";
    EXPECT_EQ(normalized(kNothing, text), text);
  }
}

TEST(BertNormalizer, DoesNothingMoreTheSecondTime) {
  const BertNormalizer all_but_ideographs{true, false, true, true};
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const std::u32string once = normalized(all_but_ideographs, test::random_codes(Stream(62).derive(trial), 40));
    EXPECT_EQ(normalized(all_but_ideographs, once), once) << test::to_bytes(once);
    for (const char32_t code : once) {
      EXPECT_FALSE(unicode::is_nonspacing_mark(code) || unicode::is_control(code));
      EXPECT_TRUE(!unicode::is_whitespace(code) || code == U' ');
    }
  }
}

TEST(BertNormalizer, PlacesNeverGoBackAndStayInTheText) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const std::u32string text = test::random_codes(Stream(63).derive(trial), 40);
    const Places begins = places({}, text);
    EXPECT_TRUE(std::is_sorted(begins.begin(), begins.end())) << test::to_bytes(text);
    if (!begins.empty()) {
      EXPECT_LT(begins.back(), text.size());
    }
  }
}

}  // namespace
}  // namespace wordsway
