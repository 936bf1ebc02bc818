#include "wordsway/text/tokenizer/pre_tokenizers.h"

#include <gmock/gmock.h>

#include "text/random_text.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using CutTexts = std::vector<std::u32string>;

CutTexts cut_words(Characters text, const std::vector<PreTokenizer>& rules) {
  const Words words = cut_into_words(std::move(text), rules);
  CutTexts texts;
  std::size_t begin = 0;
  for (const std::size_t end : words.ends) {
    texts.push_back(test::codes_of(Characters(words.text.begin() + static_cast<std::ptrdiff_t>(begin),
                                              words.text.begin() + static_cast<std::ptrdiff_t>(end))));
    begin = end;
  }
  EXPECT_EQ(begin, words.text.size());
  return texts;
}

CutTexts cut_words(std::u32string_view text, const std::vector<PreTokenizer>& rules) {
  return cut_words(test::to_characters(text), rules);
}

Metaspace metaspace(Metaspace::Prepend prepend, bool split = true) {
  return {.mark = U'_', .prepend = prepend, .split = split};
}

constexpr auto kAlways = Metaspace::Prepend::kAlways;
constexpr auto kFirst = Metaspace::Prepend::kFirst;
constexpr auto kNever = Metaspace::Prepend::kNever;

TEST(PreTokenizers, EveryMarkStartsAWord) {
  EXPECT_THAT(cut_words(U"a b  c ", {metaspace(kAlways)}), ElementsAre(U"_a", U"_b", U"_", U"_c", U"_"));
  EXPECT_THAT(cut_words(U" a", {metaspace(kAlways)}), ElementsAre(U"_a"));
  EXPECT_THAT(cut_words(U"_a_b", {metaspace(kAlways)}), ElementsAre(U"_a", U"_b"));
  EXPECT_THAT(cut_words(U"a\tb", {metaspace(kAlways)}), ElementsAre(U"_a\tb"));
}

TEST(PreTokenizers, AMarkIsPutInFrontAlwaysOrFirstOrNever) {
  Characters later = test::to_characters(U"xab");
  later.erase(later.begin());
  EXPECT_THAT(cut_words(later, {metaspace(kAlways)}), ElementsAre(U"_ab"));
  EXPECT_THAT(cut_words(later, {metaspace(kFirst)}), ElementsAre(U"ab"));
  EXPECT_THAT(cut_words(U"ab c", {metaspace(kFirst)}), ElementsAre(U"_ab", U"_c"));
  EXPECT_THAT(cut_words(U"ab c", {metaspace(kNever)}), ElementsAre(U"ab", U"_c"));
}

TEST(PreTokenizers, WithoutSplittingTheTextStaysOneWord) {
  EXPECT_THAT(cut_words(U"a b", {metaspace(kAlways, false)}), ElementsAre(U"_a_b"));
  EXPECT_THAT(cut_words(U"a b", {}), ElementsAre(U"a b"));
}

TEST(PreTokenizers, APrependedMarkSharesThePlaceOfTheFirstCharacter) {
  const Words words = cut_into_words(test::to_characters(U"ab"), {metaspace(kAlways)});
  EXPECT_EQ(words.text[0].code, U'_');
  EXPECT_EQ(std::pair(words.text[0].begin, words.text[0].end), std::pair(0u, 1u));
  EXPECT_EQ(std::pair(words.text[1].begin, words.text[1].end), std::pair(0u, 1u));
}

TEST(PreTokenizers, WhitespaceGoesWhereItSplits) {
  EXPECT_THAT(cut_words(U" a\u3000b \n", {WhitespaceSplit()}), ElementsAre(U"a", U"b"));
  EXPECT_THAT(cut_words(U"  ", {WhitespaceSplit()}), ElementsAre());
  EXPECT_THAT(cut_words(U" a\tb", {WhitespaceSplit(), metaspace(kAlways)}), ElementsAre(U"_a", U"_b"));
  EXPECT_THAT(cut_words(U"a b", {WhitespaceSplit(), metaspace(kFirst)}), ElementsAre(U"_a", U"b"));
  EXPECT_THAT(cut_words(U" a\tb", {metaspace(kAlways), WhitespaceSplit()}), ElementsAre(U"_a", U"b"));
}

}  // namespace
}  // namespace wordsway
