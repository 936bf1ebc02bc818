#include "wordsway/text/questions/film_questions.h"

#include <algorithm>
#include <array>
#include <future>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "wordsway/core/error.h"
#include "wordsway/text/questions/question_grammar.h"
#include "wordsway/text/questions/question_tables.h"

namespace wordsway {
namespace {

constexpr std::array kSplits{QuestionSplit::kTraining, QuestionSplit::kHeldOut};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// 2,200 questions of a split, 200 of each kind, about reviews of 20 to 199 words.
const std::vector<FilmQuestion>& questions_of(QuestionSplit split) {
  static const auto make = [](QuestionSplit which) {
    std::vector<FilmQuestion> all;
    for (std::uint64_t i = 0; i < 2200; ++i) all.push_back(film_question(i, 20 + static_cast<Index>(i % 180), which));
    return all;
  };
  static const std::array all{make(kSplits[0]), make(kSplits[1])};
  return all[split == QuestionSplit::kTraining ? 0 : 1];
}

TEST(FilmQuestions, HavePromptsThatDifferInOneWordWhichStandsWhereTheySay) {
  for (const QuestionSplit split : kSplits) {
    for (const FilmQuestion& question : questions_of(split)) {
      const auto first = words_of(question.prompts[0]), second = words_of(question.prompts[1]);
      ASSERT_EQ(first.size(), second.size()) << question.prompts[0];
      std::vector<Index> places;
      for (std::size_t i = 0; i < first.size(); ++i) {
        if (first[i] != second[i]) places.push_back(static_cast<Index>(i) - 1);  // after "Review:"
      }
      ASSERT_EQ(places, std::vector<Index>{question.place}) << question.prompts[0] << '\n' << question.prompts[1];
      EXPECT_LT(question.place, question.words);
    }
  }
}

TEST(FilmQuestions, HaveOtherAnswersIfAndOnlyIfTheWordDecides) {
  for (const QuestionSplit split : kSplits) {
    std::uint64_t index = 0;
    for (const FilmQuestion& question : questions_of(split)) {
      EXPECT_EQ(question.decides, index++ % 2 == 0);
      EXPECT_EQ(question.answers[0] != question.answers[1], question.decides) << question.prompts[0];
    }
  }
}

TEST(FilmQuestions, HaveShortWholeSentencesAsAnswersAndPromptsThatAskForThem) {
  for (const FilmQuestion& question : questions_of(QuestionSplit::kTraining)) {
    for (const int i : {0, 1}) {
      const auto count = words_of(question.answers[i]).size();
      EXPECT_GE(count, 4u) << question.answers[i];
      EXPECT_LE(count, 16u) << question.answers[i];
      EXPECT_EQ(question.answers[i].back(), '.');
      EXPECT_TRUE(question.prompts[i].starts_with("Review: "));
      EXPECT_TRUE(question.prompts[i].ends_with("? Answer:") || question.prompts[i].ends_with(" Continue:"));
      EXPECT_EQ(question.prompts[i].find_first_of("{}[]|/=<>_\n"), std::string::npos) << question.prompts[i];
      EXPECT_EQ(question.prompts[i].find("  "), std::string::npos) << question.prompts[i];
    }
  }
}

TEST(FilmQuestions, AreAboutReviewsOfTheLengthAskedFor) {
  for (const QuestionSplit split : kSplits) {
    for (const Index words : {30, 100, 200, 400}) {
      double sum = 0;
      for (std::uint64_t index = 0; index < 200; ++index) {
        const FilmQuestion question = film_question(index, words, split);
        EXPECT_GE(question.words, words - 7);
        EXPECT_LE(question.words, words + 25);
        sum += static_cast<double>(question.words);
      }
      EXPECT_NEAR(sum / 200, static_cast<double>(words), 4);
    }
  }
}

TEST(FilmQuestions, ChangeAWordAnywhereInTheReviewEvenly) {
  for (const bool decides : {true, false}) {
    std::array<int, 10> tenths{};
    for (std::uint64_t index = decides ? 0 : 1; index < 4000; index += 2) {
      const FilmQuestion question = film_question(index, 160, QuestionSplit::kTraining);
      ++tenths[static_cast<std::size_t>(10 * question.place / question.words)];
    }
    for (const int count : tenths) {
      EXPECT_GT(count, 140) << "of 2,000";
      EXPECT_LT(count, 260) << "of 2,000";
    }
  }
}

TEST(FilmQuestions, HaveBalancedAnswersAndKindsThatTakeTurns) {
  std::map<std::string, int> kinds, replies;
  for (const FilmQuestion& question : questions_of(QuestionSplit::kTraining)) {
    ++kinds[question.kind];
    if (question.kind == "again" || question.kind == "recommend") ++replies[words_of(question.answers[0]).front()];
  }
  EXPECT_EQ(kinds.size(), film_question_kinds().size());
  EXPECT_GE(kinds.size(), 5u);
  for (const auto& [kind, count] : kinds) EXPECT_EQ(count, 200) << kind;
  EXPECT_EQ(replies["Yes,"] + replies["No,"], 400);
  EXPECT_NEAR(replies["Yes,"], 200, 40);
}

// The answer must hang on the changed word: whoever has not read it cannot know on which side a prompt is.
TEST(FilmQuestions, GiveNothingAwayButByTheWord) {
  for (const FilmQuestion& question : questions_of(QuestionSplit::kTraining)) {
    if (!question.decides) continue;
    auto first = words_of(question.prompts[0]), second = words_of(question.prompts[1]);
    first.erase(first.begin() + question.place + 1);
    second.erase(second.begin() + question.place + 1);
    EXPECT_EQ(first, second);
  }
}

TEST(FilmQuestions, OfTrainingHaveNoNameThatIsHeldOutAndHeldOutOnesHaveNoOther) {
  EXPECT_GE(held_out_names().size(), 80u);
  const std::set<std::string, std::less<>> kept(held_out_names().begin(), held_out_names().end());
  const auto& training = questions::question_grammar(QuestionSplit::kTraining).rules();
  const auto& held_out = questions::question_grammar(QuestionSplit::kHeldOut).rules();
  for (const char* rule : {"man", "woman", "surname", "title_adjective", "title_noun", "title_place"}) {
    EXPECT_GE(held_out.at(rule).size(), 8u) << rule;
    EXPECT_GT(training.at(rule).size(), 2 * held_out.at(rule).size()) << rule;
    for (const auto& name : training.at(rule)) EXPECT_FALSE(kept.contains(name)) << name;
    for (const auto& name : held_out.at(rule)) EXPECT_TRUE(kept.contains(name)) << name;
  }
  EXPECT_TRUE(has_held_out_name("A film with " + *kept.begin() + "."));
  EXPECT_TRUE(has_held_out_name("Seven " + *kept.rbegin() + "s"));
  EXPECT_FALSE(has_held_out_name("a film without a name"));
}

TEST(FilmQuestions, OfTrainingHaveHeldOutNamesInNoSentence) {
  for (const FilmQuestion& question : questions_of(QuestionSplit::kTraining)) {
    EXPECT_FALSE(has_held_out_name(question.prompts[0])) << question.prompts[0];
    EXPECT_FALSE(has_held_out_name(question.answers[1])) << question.answers[1];
  }
}

TEST(FilmQuestions, HaveSixtyWaysToStateWhatDecidesAndHeldOutOnesOfTheirOwn) {
  std::set<std::string_view> training, held_out;
  for (const auto& statement : questions::statements()) {
    training.insert(statement.training.begin(), statement.training.end());
    held_out.insert(statement.held_out.begin(), statement.held_out.end());
    EXPECT_GE(statement.held_out.size(), 2u) << statement.name;
  }
  EXPECT_GE(training.size(), 60u);
  EXPECT_GE(held_out.size(), 20u);
  for (const auto way : held_out) EXPECT_FALSE(training.contains(way)) << way;
}

TEST(FilmQuestions, HaveEveryRuleTheyReferTo) {
  for (const QuestionSplit split : kSplits) {
    const auto& grammar = questions::question_grammar(split);
    grammar::Writer writer(grammar, Stream(1));
    for (const auto& rule : questions::question_rules()) EXPECT_NO_THROW(writer.write(rule.name, 1)) << rule.name;
    for (const auto& statement : questions::statements()) {
      for (const auto ways : {statement.training, statement.held_out}) {
        for (const auto way : ways) EXPECT_NO_THROW(writer.expand(way, 1)) << way;
      }
    }
    for (const char* rule : {"premise", "scene_fact", "sound_fact", "digression", "plain_opening"}) {
      for (int i = 0; i < 300; ++i) EXPECT_NO_THROW(writer.write(rule, 1)) << rule;
    }
  }
}

TEST(FilmQuestions, DependOnTheirNumberLengthAndSplitAlone) {
  const FilmQuestion one = film_question(123'456'788, 90, QuestionSplit::kTraining);
  std::vector<std::future<FilmQuestion>> others;
  for (int i = 0; i < 4; ++i) {
    others.push_back(
        std::async(std::launch::async, [] { return film_question(123'456'788, 90, QuestionSplit::kTraining); }));
  }
  for (auto& other : others) EXPECT_EQ(other.get().prompts, one.prompts);
  EXPECT_NE(film_question(123'456'788, 90, QuestionSplit::kHeldOut).prompts, one.prompts);
}

// The built-in decoder was trained on these very questions: another digest wants another training.
TEST(FilmQuestions, AreTheOnesThatTheDecoderWasTrainedOn) {
  EXPECT_EQ(film_questions_digest(), "xxh3:38baf8107fe94d8222e42f47aa357ec0");
}

TEST(FilmQuestions, OfTooFewOrTooManyWordsAreRefused) {
  EXPECT_THROW(film_question(0, kShortestQuestion - 1, QuestionSplit::kTraining), UsageError);
  EXPECT_THROW(film_question(0, kLongestQuestion + 1, QuestionSplit::kTraining), UsageError);
}

}  // namespace
}  // namespace wordsway
