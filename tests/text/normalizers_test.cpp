#include "wordsway/text/tokenizer/normalizers.h"

#include <gmock/gmock.h>

#include "text/random_text.h"
#include "wordsway/core/error.h"
#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway {
namespace {

using test::codes_of;
using test::to_characters;
using CharacterPlaces = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Characters after(std::u32string_view text, const Normalizer& normalizer) {
  Characters characters = to_characters(text);
  normalizer(characters);
  return characters;
}

CharacterPlaces places_of(const Characters& text) {
  CharacterPlaces places;
  for (const Character& c : text) places.emplace_back(c.begin, c.end);
  return places;
}

TEST(Normalizers, ChangesKeepThePlacesOfTheLibrary) {
  Characters text = to_characters(U"abcde");
  apply_changes(text, std::vector<ChangedCharacter>{{U'A', 0}, {U'+', 1}, {U'B', -2}, {U'E', 0}});
  EXPECT_EQ(codes_of(text), U"A+BE");
  EXPECT_EQ(places_of(text), (CharacterPlaces{{0, 1}, {0, 1}, {1, 2}, {4, 5}}));
}

TEST(Normalizers, NfcComposesAndCountsWhatWasSwallowed) {
  const Characters text = after(U"e\u0301x\u1100\u1161\u11A8y", compose_nfc);
  EXPECT_EQ(codes_of(text), U"éx각y");
  EXPECT_EQ(places_of(text), (CharacterPlaces{{0, 1}, {2, 3}, {3, 4}, {6, 7}}));
}

TEST(Normalizers, NfcLeavesComposedTextWithItsPlaces) {
  const std::u32string composed = U"naïve 각 \u1E69 \u09CB";
  const Characters text = after(composed, compose_nfc);
  EXPECT_EQ(codes_of(text), composed);
  EXPECT_EQ(places_of(text), places_of(to_characters(composed)));
}

TEST(Normalizers, NfcOrdersMarksAndRespectsWhatBlocks) {
  EXPECT_EQ(codes_of(after(U"q\u0307\u0323", compose_nfc)), U"q\u0323\u0307");
  EXPECT_EQ(codes_of(after(U"s\u0307\u0323", compose_nfc)), U"\u1E69");
  EXPECT_EQ(codes_of(after(U"a\u0305\u0301", compose_nfc)), U"a\u0305\u0301");  // the overline blocks the accent
  EXPECT_EQ(codes_of(after(U"\u0301a\u0301", compose_nfc)), U"\u0301á");
  EXPECT_EQ(codes_of(after(U"\u0958\u212B", compose_nfc)), U"\u0915\u093CÅ");  // never composed again
}

TEST(Normalizers, NfcTakesOnlyFinalConsonantsIntoASyllable) {
  EXPECT_EQ(codes_of(after(U"\uD248\u11A7", compose_nfc)), U"\uD248\u11A7");
  EXPECT_EQ(codes_of(after(U"\uD248\u11A8", compose_nfc)), U"\uD249");
  EXPECT_EQ(codes_of(after(U"\uD249\u11A8", compose_nfc)), U"\uD249\u11A8");
}

TEST(Normalizers, NfcIsThatOfUnicode9AsInTheLibrary) {
  EXPECT_EQ(codes_of(after(U"\U00011938", compose_nfc)), U"\U00011938");
  EXPECT_EQ(codes_of(after(U"\U00011935\U00011930", compose_nfc)), U"\U00011935\U00011930");
  EXPECT_EQ(codes_of(after(U"a\u1ABF\u0334", compose_nfc)), U"a\u1ABF\u0334");  // a mark only since Unicode 13
}

TEST(Normalizers, StripTakesWhitespaceFromTheEndsItIsToldTo) {
  const auto stripped = [](std::u32string_view text, bool left, bool right) {
    return codes_of(after(text, [=](Characters& t) { strip(t, left, right); }));
  };
  EXPECT_EQ(stripped(U" \u3000a b\t", true, true), U"a b");
  EXPECT_EQ(stripped(U" a ", true, false), U"a ");
  EXPECT_EQ(stripped(U" a ", false, true), U" a");
  EXPECT_EQ(stripped(U"  ", true, true), U"");
  EXPECT_EQ(stripped(U"  ", false, true), U"");
}

TEST(Normalizers, AReplacementTakesThePlaceOfTheLastCharacterItReplaces) {
  const Characters text = after(U"aXXbX", [](Characters& t) { replace_all(t, U"XX", U"yz"); });
  EXPECT_EQ(codes_of(text), U"ayzbX");
  EXPECT_EQ(places_of(text), (CharacterPlaces{{0, 1}, {2, 3}, {2, 3}, {3, 4}, {4, 5}}));
  EXPECT_EQ(codes_of(after(U"aaa", [](Characters& t) { replace_all(t, U"aa", U""); })), U"a");
}

TEST(Normalizers, WhatIsPrependedTakesThePlaceOfTheFirstCharacter) {
  Characters text = to_characters(U"ab");
  prepend(text, U"\u2581_");
  EXPECT_EQ(codes_of(text), U"\u2581_ab");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(std::pair(text[i].begin, text[i].end), (std::pair{0u, 1u}));
  EXPECT_EQ(text[3].begin, 1u);
  Characters nothing;
  prepend(nothing, U"\u2581");
  EXPECT_TRUE(nothing.empty());
}

TEST(Normalizers, OnlyRunsOfTwoSpacesOrMoreAreReplaced) {
  const Characters text = after(U"a b  c   ", [](Characters& t) { replace_runs_of_spaces(t, U"_"); });
  EXPECT_EQ(codes_of(text), U"a b_c_");
  EXPECT_EQ(places_of(text)[3], std::pair(4u, 5u));
}

TEST(Normalizers, ASequenceGoesInOrderAndMayNotBlowTextsUp) {
  const Normalizer twice = [](Characters& t) { replace_all(t, U"a", U"aa"); };
  EXPECT_EQ(codes_of(after(U"ab", in_sequence({twice, [](Characters& t) { replace_all(t, U"aa", U"c"); }}))), U"cb");
  EXPECT_EQ(after(U"a", in_sequence(std::vector(6, twice))).size(), 64u);
  EXPECT_THROW(after(U"a", in_sequence(std::vector(7, twice))), DataError);
  EXPECT_THROW(after(U"a", in_sequence(std::vector(40, twice))), DataError);
}

TEST(Unicode, GraphemesKeepMarksJoinersAndLineEndsTogether) {
  int state = 0;
  EXPECT_FALSE(unicode::is_grapheme_break(U'e', 0x301, state));
  EXPECT_FALSE(unicode::is_grapheme_break(U'\r', U'\n', state = 0));
  EXPECT_FALSE(unicode::is_grapheme_break(U'a', 0x200D, state = 0));
  EXPECT_TRUE(unicode::is_grapheme_break(U'a', U'b', state = 0));
  EXPECT_TRUE(unicode::is_grapheme_break(U'\n', 0x301, state = 0));
  EXPECT_FALSE(unicode::is_grapheme_break(U'a', 0x113B8, state = 0));  // since Unicode 16
  EXPECT_FALSE(unicode::is_grapheme_break(0x113D1, U'a', state = 0));
  EXPECT_TRUE(unicode::is_grapheme_break(0x11A3A, U'a', state = 0));
}

TEST(Unicode, FlagsArePairsOfLettersCountedFromTheFirst) {
  const std::u32string text = U"\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1F7";
  int state = 0;
  std::vector<bool> breaks;
  for (std::size_t i = 1; i < text.size(); ++i)
    breaks.push_back(unicode::is_grapheme_break(text[i - 1], text[i], state));
  EXPECT_EQ(breaks, (std::vector<bool>{false, true, false}));
}

TEST(Unicode, LettersAndNumbersAreThoseOfUnicode16) {
  EXPECT_TRUE(unicode::is_letter(0x13460));
  EXPECT_TRUE(unicode::is_letter(0x143FA));
  EXPECT_FALSE(unicode::is_letter(0x143FB));
  EXPECT_TRUE(unicode::is_number(0x1CCF9));
  EXPECT_FALSE(unicode::is_letter(0x1CCF9));
}

}  // namespace
}  // namespace wordsway
