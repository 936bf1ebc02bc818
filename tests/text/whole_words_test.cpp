#include "wordsway/text/words/whole_words.h"

#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/text/words/known_names.h"

namespace wordsway {
namespace {

using Class = WordKind::Class;

TEST(WordKind, TellsLettersNumbersPunctuationAndTheRest) {
  EXPECT_EQ(kind_of("film").kind, Class::kLetters);
  EXPECT_EQ(kind_of("Müller").kind, Class::kLetters);
  EXPECT_EQ(kind_of("don't").kind, Class::kLetters);
  EXPECT_EQ(kind_of("well-known").kind, Class::kLetters);
  EXPECT_EQ(kind_of("1999").kind, Class::kNumber);
  EXPECT_EQ(kind_of("?!").kind, Class::kPunctuation);
  for (const char* other : {"", "covid19", "'tis", "film-", "🙂", "a b", "[MASK]", "naïve4", "filмс"})
    EXPECT_EQ(kind_of(other).kind, Class::kOther) << other;
}

TEST(WordKind, KeepsScriptsApart) {
  EXPECT_EQ(kind_of("film"), kind_of("ÿber"));
  EXPECT_EQ(kind_of("кино"), kind_of("не"));
  EXPECT_EQ(kind_of("電影"), kind_of("さくら"));
  const char* const scripts[] = {"film", "кино", "ταινία", "電影", "영화", "फिल्म", "فيلم", "סרט", "หนัง"};
  for (const char* a : scripts)
    for (const char* b : scripts) EXPECT_EQ(kind_of(a) == kind_of(b), a == b) << a << " " << b;
}

// One of every kind of tokenizer.
class WholeWords : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Folders, WholeWords,
                         testing::Values("models/builtin", "tests/golden/sentence/roberta-plain",
                                         "tests/golden/sentence/xlmr-cls", "tests/golden/sentence/modernbert-mean"));

TEST_P(WholeWords, AreOneTokenBehindASpace) {
  const auto tokenizer = load_tokenizer(test::source_folder() / GetParam());
  const auto words = whole_words(*tokenizer);
  ASSERT_FALSE(words.empty());
  for (const WholeWord& word : words) {
    EXPECT_EQ(tokenizer->encode("x " + word.text, {.special_tokens = false}).ids.back(), word.id) << word.text;
    EXPECT_NE(word.kind.kind, Class::kOther);
    EXPECT_EQ(word.folded, without_case(word.text));
  }
}

TEST(WholeWords, LeaveOutPiecesAndSpecialTokens) {
  const auto tokenizer = load_tokenizer(test::source_folder() / "models/builtin");
  for (const WholeWord& word : whole_words(*tokenizer)) {
    EXPECT_FALSE(tokenizer->piece(word.id).starts_with("##")) << word.text;
    EXPECT_NE(tokenizer->piece(word.id), "[MASK]");
    EXPECT_TRUE(word.text.size() != 1 || word.is_letter == (word.kind.kind == Class::kLetters)) << word.text;
  }
}

TEST(Capitals, AreThoseOfThePattern) {
  EXPECT_EQ(with_capitals_of("Film", "story"), "Story");
  EXPECT_EQ(with_capitals_of("FILM", "story"), "STORY");
  EXPECT_EQ(with_capitals_of("film", "story"), "story");
  EXPECT_EQ(with_capitals_of("film", "Paris"), "Paris");
  EXPECT_EQ(with_capitals_of("I", "you"), "You");
  EXPECT_EQ(with_capitals_of("Über", "ärger"), "Ärger");
  EXPECT_EQ(with_capitals_of("", "story"), "story");
  EXPECT_EQ(with_capitals_of("Film", ""), "");
}

TEST(KnownNames, AreInOneGroupEachAndFoundWithoutCase) {
  ASSERT_NE(group_of("monday"), nullptr);
  EXPECT_EQ(group_of("MONDAY"), group_of("Sunday"));
  EXPECT_TRUE(group_of("monday")->told_by_word);
  EXPECT_FALSE(group_of("may")->told_by_word);
  EXPECT_EQ(group_of("table"), nullptr);
  for (const NameGroup& group : known_names()) {
    EXPECT_GE(group.members.size(), 7U);
    for (const std::string_view name : group.members) EXPECT_EQ(kind_of(name).kind, Class::kLetters) << name;
  }
}

}  // namespace
}  // namespace wordsway
