#include "wordsway/text/words/word_diff.h"

#include <gmock/gmock.h>

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(WordDiff, FindsTheWordThatChanged) {
  EXPECT_THAT(changed_words("Please enable it.", "Please disable it."), ElementsAre("enable", "disable"));
  EXPECT_THAT(changed_words("See you at noon.", "See you at midnight."), ElementsAre("noon", "midnight"));
  EXPECT_THAT(changed_words("(yes)", "(no)"), ElementsAre("yes", "no"));
}

TEST(WordDiff, KnowsWordsThatWereAddedAndMoved) {
  EXPECT_THAT(changed_words("it is safe", "it is not safe"), ElementsAre("not"));
  EXPECT_THAT(changed_words("a safe place", "a place"), ElementsAre("safe"));
  EXPECT_THAT(changed_words("Ann owes Bob 5", "Bob owes Ann 5"), ElementsAre("Ann", "owes", "owes", "Ann"));
  EXPECT_THAT(changed_words("same words", "same words"), IsEmpty());
  EXPECT_THAT(changed_words("", "one"), ElementsAre("one"));
  EXPECT_THAT(changed_words("", ""), IsEmpty());
}

TEST(WordDiff, GivesPlacesInBytes) {
  const WordDiff diff = word_diff("café — ouvert ...", "café — fermé ...");
  ASSERT_EQ(diff.in_first.size(), 1U);
  EXPECT_EQ(std::string("café — ouvert ...").substr(diff.in_first[0][0], diff.in_first[0][1] - diff.in_first[0][0]),
            "ouvert");
  ASSERT_EQ(diff.in_second.size(), 1U);
  // Punctuation alone is a word of its own.
  EXPECT_THAT(changed_words("well ...", "well !!!"), ElementsAre("...", "!!!"));
}

TEST(WordDiff, OfLongTextsEndsSoon) {
  std::string first, second;
  for (int k = 0; k < 5000; ++k) {
    first += "a" + std::to_string(k) + " ";
    second += "b" + std::to_string(k) + " ";
  }
  EXPECT_EQ(word_diff(first + "end", second + "end").in_first.size(), 5000U);
}

}  // namespace
}  // namespace wordsway
