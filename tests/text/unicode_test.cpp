#include "wordsway/text/tokenizer/unicode.h"

#include <gtest/gtest.h>

#include "wordsway/core/utf8.h"

namespace wordsway::unicode {
namespace {

TEST(Utf8, EveryCharacterSurvivesTheRoundTrip) {
  for (char32_t code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string bytes;
    append_utf8(bytes, code);
    const Decoded back = decode_first(bytes);
    ASSERT_EQ(back.code, code);
    ASSERT_EQ(back.length, static_cast<int>(bytes.size()));
    ASSERT_TRUE(is_valid_utf8(bytes));
  }
}

TEST(Utf8, EveryMaximalInvalidPartReadsAsOneReplacement) {
  const std::u32string one(1, kReplacement);
  EXPECT_EQ(decode("\xff"), one);
  EXPECT_EQ(decode("\xc3"), one);
  EXPECT_EQ(decode("\xe2\x82"), one);
  EXPECT_EQ(decode("\xf0\x9f\x98"), one);
  EXPECT_EQ(decode("\xc0\x80"), one + one);                      // overlong
  EXPECT_EQ(decode("\xed\xa0\x80"), one + one + one);            // surrogate
  EXPECT_EQ(decode("\xf4\x90\x80\x80"), one + one + one + one);  // beyond U+10FFFF
  EXPECT_EQ(decode("\xe2\x82"
                   "a"),
            one + U"a");
  EXPECT_FALSE(is_valid_utf8("a\xff"));
  EXPECT_TRUE(is_valid_utf8("\xEF\xBF\xBD"));
}

TEST(Unicode, PropertiesAreThoseOfTheTokenizersLibrary) {
  EXPECT_TRUE(is_whitespace(0x3000));
  EXPECT_FALSE(is_whitespace(0x200B));
  EXPECT_TRUE(is_control(0x200B));
  EXPECT_TRUE(is_control(0xE000));
  EXPECT_FALSE(is_control(U'\n'));
  EXPECT_FALSE(is_control(0x1F9FF));  // not assigned in Unicode 8, and no control character for that
  EXPECT_FALSE(is_control(0x890));    // a format character only since Unicode 14
  EXPECT_TRUE(is_punctuation(U'$'));
  EXPECT_TRUE(is_punctuation(0x2014));
  EXPECT_FALSE(is_punctuation(0x20AC));
  EXPECT_FALSE(is_punctuation(0x2E52));  // since Unicode 14
  EXPECT_TRUE(is_nonspacing_mark(0x301));
  EXPECT_FALSE(is_nonspacing_mark(0x1ABF));  // since Unicode 13
  EXPECT_TRUE(is_word_character(0x200D));
  EXPECT_TRUE(is_word_character(0x24B6));
  EXPECT_FALSE(is_word_character(U'-'));
}

TEST(Unicode, TheDottedCapitalIHasALowerCaseOfTwoCharacters) {
  char32_t buffer[2];
  EXPECT_EQ(lowercase(0x130, buffer), std::u32string_view(U"i\u0307"));
  EXPECT_EQ(lowercase(0x1E9E, buffer), std::u32string_view(U"ß"));
  EXPECT_EQ(lowercase(U'Z', buffer), std::u32string_view(U"z"));
  EXPECT_EQ(lowercase(U'[', buffer), std::u32string_view(U"["));
}

TEST(Unicode, DecompositionsAreCompleteAndHangulToo) {
  std::u32string parts;
  append_decomposition(0x1E69, parts);
  EXPECT_EQ(parts, U"s\u0323\u0307");
  parts.clear();
  append_decomposition(0xAC01, parts);
  EXPECT_EQ(parts, U"\u1100\u1161\u11a8");
}

}  // namespace
}  // namespace wordsway::unicode
