#include <gtest/gtest.h>

#include "wordsway/text/tokenizer/post_processing.h"

namespace wordsway {
namespace {

using Offsets = std::pair<std::uint32_t, std::uint32_t>;

/// The offsets of one token after trimming, with `before` other pieces in front of it.
Offsets trimmed(const std::string& token, Offsets offsets, bool keep_prefix_space, int before = 1) {
  Vocabulary vocabulary;
  vocabulary.add("x", 0, "test");
  vocabulary.add(token, 1, "test");
  TokenizedText text;
  for (int i = 0; i < before; ++i) text.pieces.push_back({0, 0, 1, 0});
  text.pieces.push_back({1, offsets.first, offsets.second, 1});
  trim_offsets(text, vocabulary, keep_prefix_space);
  return {text.pieces.back().begin, text.pieces.back().end};
}

TEST(OffsetTrimming, LeavesOutSpacesAtBothEndsButNotInside) {
  EXPECT_EQ(trimmed("Ġthe", {4, 8}, false), Offsets(5, 8));
  EXPECT_EQ(trimmed("ĠĠa", {4, 7}, false), Offsets(6, 7));
  EXPECT_EQ(trimmed("aĠb", {4, 7}, false), Offsets(4, 7));
  EXPECT_EQ(trimmed("aĠ", {4, 6}, false), Offsets(4, 5));
  EXPECT_EQ(trimmed("ĠaĠĠ", {4, 8}, false), Offsets(5, 6));
  EXPECT_EQ(trimmed("the", {4, 7}, false), Offsets(4, 7));
}

TEST(OffsetTrimming, CountsWhiteSpaceOfAddedTokensAsSpaces) {
  EXPECT_EQ(trimmed(" \u3000<m>\n", {4, 10}, false), Offsets(6, 9));
}

TEST(OffsetTrimming, ANewlineOfTheAlphabetIsNoSpace) {
  EXPECT_EQ(trimmed("Ċa", {4, 6}, false), Offsets(4, 6));
}

TEST(OffsetTrimming, LeavesAnEmptyPlaceWhereAllIsSpace) {
  EXPECT_EQ(trimmed("ĠĠ", {4, 6}, false), Offsets(6, 6));
  EXPECT_EQ(trimmed("Ġ", {4, 5}, true), Offsets(5, 5));
}

TEST(OffsetTrimming, NeverTurnsATokenThatStandsForLessTextRound) {
  // The pre-tokenizer's own space has no place in the text: "Ġa" may stand for one character.
  EXPECT_EQ(trimmed("Ġa", {0, 1}, false), Offsets(1, 1));
  EXPECT_EQ(trimmed("ĠĠĠ", {3, 4}, false), Offsets(4, 4));
  EXPECT_EQ(trimmed("aĠĠĠ", {1, 2}, false), Offsets(1, 2)) << "more spaces than text before it";
}

TEST(OffsetTrimming, KeepsASingleSpaceAtTheStartOfTheTextWhenAskedTo) {
  EXPECT_EQ(trimmed("Ġa", {0, 1}, true, 0), Offsets(0, 1));
  EXPECT_EQ(trimmed("ĠĠa", {0, 3}, true, 0), Offsets(2, 3)) << "more than one were not put there";
  EXPECT_EQ(trimmed("Ġa", {5, 7}, true, 0), Offsets(5, 7)) << "the first piece, wherever it stands";
  EXPECT_EQ(trimmed("Ġa", {0, 2}, true, 1), Offsets(0, 2)) << "any piece at the very start";
  EXPECT_EQ(trimmed("Ġa", {5, 7}, true, 1), Offsets(6, 7));
}

TEST(OffsetTrimming, GoesByTheTextThatAnAddedTokenMatched) {
  Vocabulary vocabulary;
  vocabulary.add("<mask>", 0, "test");
  TokenizedText text{{{0, 3, 11, 0}, {0, 11, 17, 1}}, {{0, "  <mask>"}}};
  trim_offsets(text, vocabulary, false);
  EXPECT_EQ(text.pieces[0].begin, 5u);
  EXPECT_EQ(text.pieces[1].begin, 11u);
  EXPECT_EQ(text.pieces[1].end, 17u);
}

}  // namespace
}  // namespace wordsway
