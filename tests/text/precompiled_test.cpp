#include "wordsway/text/tokenizer/precompiled.h"

#include <gmock/gmock.h>

#include "text/random_text.h"
#include "text/small_map.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using test::codes_of;
using test::map_bytes;
using test::Replacements;
using test::small_map;
using CharacterPlaces = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Characters precompiled(const Replacements& replacements, std::u32string_view text) {
  Characters characters = test::to_characters(text);
  PrecompiledMap(small_map(replacements), "test").normalize(characters);
  return characters;
}

CharacterPlaces precompiled_places(const Characters& text) {
  CharacterPlaces places;
  for (const Character& c : text) places.emplace_back(c.begin, c.end);
  return places;
}

TEST(Precompiled, FindsTheShortestKeyAtTheStart) {
  const PrecompiledMap map(small_map({{"ab", "1"}, {"abc", "2"}, {"b", ""}, {"é", "e"}}), "test");
  EXPECT_EQ(map.find("abcd"), "1");
  EXPECT_EQ(map.find("ab"), "1");
  EXPECT_EQ(map.find("a"), std::nullopt);
  EXPECT_EQ(map.find("bx"), "");
  EXPECT_EQ(map.find("é"), "e");
  EXPECT_EQ(map.find(""), std::nullopt);
  EXPECT_EQ(map.find(std::string_view("\0b", 2)), std::nullopt);
}

TEST(Precompiled, AShortGraphemeIsReplacedAsAWholeEvenWhereOnlyItsStartMatches) {
  EXPECT_EQ(codes_of(precompiled({{"e", "E"}}, U"e\u0301x")), U"Ex");  // the accent goes with its letter
  EXPECT_EQ(codes_of(precompiled({{"\r", " "}}, U"a\r\nb")), U"a b");
  EXPECT_EQ(codes_of(precompiled({{"e\u0301", "é"}}, U"e\u0301x")), U"éx");
}

TEST(Precompiled, FromSixBytesOnCharactersAreReplacedOneByOne) {
  const Replacements rule{{"e", "E"}, {"\u0301", "'"}};
  EXPECT_EQ(codes_of(precompiled(rule, U"e\u0301\u0301")), U"E");           // 5 bytes
  EXPECT_EQ(codes_of(precompiled(rule, U"e\u0301\u0301\u0301")), U"E'''");  // 7 bytes
  EXPECT_EQ(codes_of(precompiled(rule, U"\u0905\u0903")), U"\u0905\u0903");
  EXPECT_EQ(codes_of(precompiled({{"\u0905", "a"}}, U"\u0905\u0903")), U"a\u0903");  // 6 bytes
}

TEST(Precompiled, PlacesFollowTheCharactersThatWereReplaced) {
  EXPECT_EQ(precompiled_places(precompiled({{"ﬁ", "fi"}}, U"aﬁb")), (CharacterPlaces{{0, 1}, {1, 2}, {1, 2}, {2, 3}}));
  EXPECT_EQ(precompiled_places(precompiled({{"e\u0301", "é"}}, U"e\u0301x")), (CharacterPlaces{{0, 1}, {2, 3}}));
  EXPECT_EQ(precompiled_places(precompiled({{"-", ""}}, U"a-b")), (CharacterPlaces{{0, 1}, {2, 3}}));
}

TEST(Precompiled, WhatGoesAtTheStartOfATextShiftsAllPlacesAsInTheLibrary) {
  EXPECT_EQ(precompiled_places(precompiled({{"-", ""}}, U"-ab")), (CharacterPlaces{{0, 1}, {1, 2}}));
}

TEST(Precompiled, WhatGoesAfterAnAddedCharacterTakesItsPlace) {
  EXPECT_EQ(precompiled_places(precompiled({{"ﬁ", "fi"}, {"-", ""}}, U"ﬁ-b")),
            (CharacterPlaces{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(Precompiled, ATextThatNothingMatchesStaysAsItIs) {
  const Characters text = test::to_characters(U"plain é \r\n中");
  Characters same = text;
  PrecompiledMap(small_map({{"x", "y"}}), "test").normalize(same);
  EXPECT_EQ(codes_of(same), codes_of(text));
  EXPECT_EQ(precompiled_places(same), precompiled_places(text));
}

std::string message_of(const std::string& bytes) {
  try {
    const PrecompiledMap map(bytes, "t.json: key");
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

/// A trie of one block whose root has one child, 'a', with this unit and the value in unit 256.
std::string one_key(std::uint32_t unit, std::uint32_t value, const std::string& replacements = std::string("x\0", 2)) {
  std::vector<std::uint32_t> units(512);
  units['a'] = unit;
  units[256] = value;
  return map_bytes(units, replacements);
}

TEST(Precompiled, EveryFaultOfAMapIsNamed) {
  using testing::HasSubstr;
  const auto leads_to = [](std::uint32_t unit) { return (unit ^ 'a') << 10 | 0x100u | 'a'; };
  EXPECT_EQ(message_of(one_key(leads_to(256), 0)), "");
  EXPECT_EQ(message_of(one_key(leads_to(256), 2)), "");  // an empty one at the end
  EXPECT_THAT(message_of("abc"), HasSubstr("t.json: key: the map has 3 bytes; expected at least 4"));
  EXPECT_THAT(message_of(test::u32_bytes(8) + "1234"), HasSubstr("the trie of the map has 8 bytes; expected"));
  EXPECT_THAT(message_of(test::u32_bytes(0xFFFFFFFFu) + "1234"), HasSubstr("the trie of the map has 4294967295 bytes"));
  EXPECT_THAT(message_of(test::u32_bytes(0)), HasSubstr("the trie of the map has 0 bytes"));
  EXPECT_THAT(message_of(test::u32_bytes(3) + "1234"), HasSubstr("expected a multiple of 4"));
  EXPECT_THAT(message_of(map_bytes({0}, "")),
              HasSubstr("unit 0 of the map's trie points to unit 255, but it has 1 units"));
  EXPECT_THAT(message_of(one_key(leads_to(512), 0)), HasSubstr("points to unit 767, but it has 512 units"));
  EXPECT_THAT(message_of(one_key(leads_to(256), 3)), HasSubstr("names the replacement at byte 3"));
  EXPECT_THAT(message_of(one_key(leads_to(256), 1, "é")), HasSubstr("expected the start of a character in 2 bytes"));
  EXPECT_THAT(message_of(one_key(leads_to(256), 0, "\xff")), HasSubstr("the replacements of the map are not UTF-8"));
  EXPECT_THAT(message_of(one_key(leads_to(256), 0, std::string(65, 'x'))), HasSubstr("by more than 64 characters"));
  EXPECT_EQ(message_of(one_key(leads_to(256), 0, std::string(64, 'x'))), "");
  EXPECT_THAT(message_of(one_key(leads_to(0) & ~0x100u, 0)), HasSubstr("the trie of the map has a cycle"));
}

TEST(Precompiled, ABigMapIsCheckedInOneGo) {
  std::vector<std::uint32_t> units(2'500'000);
  units['a'] = ('a' ^ 0x10000u) << 10 | 'a';
  EXPECT_EQ(message_of(map_bytes(units, std::string(1'000'000, 'x'))), "");
}

}  // namespace
}  // namespace wordsway
