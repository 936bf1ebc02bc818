#include "wordsway/core/text_layout.h"

#include <gmock/gmock.h>

#include "wordsway/core/utf8.h"

namespace wordsway {
namespace {

using testing::ElementsAre;

TEST(Wrapping, BreaksAtSpacesAndAtLineBreaks) {
  EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("one two", 80), ElementsAre("one two"));
  EXPECT_THAT(wrapped("one\n\ntwo three", 5), ElementsAre("one", "", "two", "three"));
  EXPECT_THAT(wrapped("", 5), ElementsAre(""));
}

TEST(Wrapping, CutsLongWordsBetweenCharacters) {
  EXPECT_THAT(wrapped("a abcdefgh b", 3), ElementsAre("a", "abc", "def", "gh", "b"));
  EXPECT_THAT(wrapped("äöüäöü", 4), ElementsAre("äöüä", "öü"));
  for (size_t width = 0; width < 12; ++width)
    for (const std::string& line : wrapped("été 東京東京東京東京東京 x\ny", width)) {
      EXPECT_LE(width_of(line), std::max<size_t>(width, 1)) << line;
      EXPECT_TRUE(unicode::is_valid_utf8(line));
    }
}

TEST(SideBySide, HasTwoColumnsWithinTheWidth) {
  EXPECT_EQ(side_by_side("a b", "c", 80), "a b" + std::string(38, ' ') + "c\n");
  EXPECT_EQ(side_by_side("aa bb", "c d", 7), "aa   c\nbb   d\n");
  EXPECT_EQ(side_by_side("a\nb", "c", 7), "a    c\nb\n") << "no spaces at the end";
  EXPECT_EQ(side_by_side("a", "b", 0), "a   b\n");
}

}  // namespace
}  // namespace wordsway
