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

TEST(FilmQuestions, OfTrainingHaveNoRealNameThatIsHeldOutAndHeldOutOnesHaveNoOther) {
  EXPECT_GE(held_out_names().size(), 80u);
  const std::set<std::string, std::less<>> kept(held_out_names().begin(), held_out_names().end());
  const auto& training = questions::question_grammar(QuestionSplit::kTraining).rules();
  const auto& held_out = questions::question_grammar(QuestionSplit::kHeldOut).rules();
  for (const char* rule :
       {"real_man", "real_woman", "real_surname", "real_title_adjective", "real_title_noun", "real_title_place"}) {
    EXPECT_GE(held_out.at(rule).size(), 8u) << rule;
    EXPECT_GT(training.at(rule).size(), 2 * held_out.at(rule).size()) << rule;
    for (const auto& name : training.at(rule)) EXPECT_FALSE(kept.contains(name)) << name;
    for (const auto& name : held_out.at(rule)) EXPECT_TRUE(kept.contains(name)) << name;
  }
  EXPECT_TRUE(has_held_out_name("A film with " + *kept.begin() + "."));
  EXPECT_TRUE(has_held_out_name("Seven " + *kept.rbegin() + "s"));
  EXPECT_FALSE(has_held_out_name("a film without a name"));
}

/// All that a rule of {references} alone can become.
std::set<std::string> all_expansions(const grammar::Grammar& grammar, const std::string& rule) {
  std::set<std::string> all;
  for (const std::string& option : grammar.rules().at(rule)) {
    std::set<std::string> texts{""};
    for (std::size_t open = option.find('{'); open != std::string::npos; open = option.find('{', open + 1)) {
      std::set<std::string> longer;
      for (const auto& text : texts) {
        for (const auto& piece : grammar.rules().at(option.substr(open + 1, option.find('}', open) - open - 1))) {
          longer.insert(text + piece);
        }
      }
      texts = std::move(longer);
    }
    all.merge(texts);
  }
  return all;
}

std::set<std::string> coined_names(QuestionSplit split) {
  std::set<std::string> all;
  for (const char* rule : {"coined_man", "coined_woman", "coined_surname", "coined_place", "coined_thing"}) {
    std::set<std::string> names = all_expansions(questions::question_grammar(split), rule);
    EXPECT_GE(names.size(), 10'000u) << rule;
    all.merge(names);
  }
  return all;
}

TEST(FilmQuestions, OfTrainingAndHeldOutOnesHaveNoMadeUpNameInCommon) {
  const auto training = coined_names(QuestionSplit::kTraining), held_out = coined_names(QuestionSplit::kHeldOut);
  for (const auto& name : held_out) EXPECT_FALSE(training.contains(name)) << name;
  for (const auto& name : held_out_names()) EXPECT_FALSE(training.contains(name)) << name;
  for (const auto& [rule, names] : questions::question_grammar(QuestionSplit::kTraining).rules()) {
    if (!rule.starts_with("real_")) continue;
    for (const auto& name : names) EXPECT_FALSE(held_out.contains(name)) << name;
  }
}

// Names that never come again can only be copied.
TEST(FilmQuestions, HaveMostlyMadeUpNamesWhichHardlyEverRepeat) {
  for (const QuestionSplit split : kSplits) {
    for (const std::string rule : {"man", "woman", "surname", "title_place", "title_noun"}) {
      const auto& grammar = questions::question_grammar(split);
      const auto& real = grammar.rules().at("real_" + rule);
      std::set<std::string> made_up;
      int count = 0;
      for (std::uint64_t i = 0; i < 1500; ++i) {
        grammar::Writer writer(grammar, Stream(7).derive(rule).derive(i));
        const std::string name = writer.write(rule, 1);
        if (std::find(real.begin(), real.end(), name) != real.end()) continue;
        ++count;
        made_up.insert(name);
      }
      EXPECT_GE(count, 900) << rule << " of 1,500";
      EXPECT_GE(static_cast<double>(made_up.size()), 0.8 * count) << rule;
    }
  }
}

TEST(FilmQuestions, OfTrainingHaveHeldOutNamesInNoSentence) {
  for (const FilmQuestion& question : questions_of(QuestionSplit::kTraining)) {
    EXPECT_FALSE(has_held_out_name(question.prompts[0])) << question.prompts[0];
    EXPECT_FALSE(has_held_out_name(question.answers[1])) << question.answers[1];
  }
}

std::string without_punctuation(std::string word) {
  std::erase_if(word, [](char c) { return c == '.' || c == ',' || c == '!' || c == '?' || c == ':'; });
  return word;
}

std::string lower(std::string word) {
  for (char& c : word) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return word;
}

/// The words in which the two answers differ, of answer `side`.
std::vector<std::string> deciding_words(const FilmQuestion& question, int side) {
  const auto own = words_of(question.answers[side]), other = words_of(question.answers[1 - side]);
  std::vector<std::string> differ;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] != other[i]) differ.push_back(without_punctuation(own[i]));
  }
  return differ;
}

// Whoever has found the word that decides knows the whole answer: its form depends on the question alone.
TEST(FilmQuestions, HaveOneFormOfAnswerForEachKindWithAWordOfTheReviewInIt) {
  std::map<std::string, std::set<std::string>> forms;
  for (const QuestionSplit split : kSplits) {
    for (const FilmQuestion& question : questions_of(split)) {
      if (!question.decides) continue;
      const auto first = words_of(question.answers[0]), second = words_of(question.answers[1]);
      ASSERT_EQ(first.size(), second.size());
      std::string form;
      for (std::size_t i = 0; i < first.size(); ++i) form += (first[i] == second[i] ? first[i] : "_") + " ";
      forms[question.kind].insert(form);
      const bool yes_or_no = question.kind == "again" || question.kind == "recommend";
      for (const int side : {0, 1}) {
        const auto differ = deciding_words(question, side);
        ASSERT_EQ(differ.size(), yes_or_no ? 2u : 1u) << question.answers[side];
        std::set<std::string> review;
        for (const auto& word : words_of(question.prompts[side])) review.insert(lower(without_punctuation(word)));
        EXPECT_TRUE(review.contains(lower(differ.back()))) << question.prompts[side] << '\n' << differ.back();
        if (yes_or_no) {
          EXPECT_TRUE(differ.front() == "Yes" || differ.front() == "No") << question.answers[side];
        }
      }
    }
  }
  for (const auto& [kind, texts] : forms) EXPECT_EQ(texts.size(), 1u) << kind << ": " << *texts.begin();
}

// Else the one new name would be the answer, and nobody would have to read what is said about it.
TEST(FilmQuestions, NameTheOtherOneTooInMoreThanAThirdOfTheLongerReviews) {
  for (const QuestionSplit split : kSplits) {
    std::map<std::string, std::array<int, 2>> counts;  // reviews, and those that have the other answer's word too
    for (const FilmQuestion& question : questions_of(split)) {
      if (!question.decides || question.words < 60) continue;
      const auto words = words_of(question.prompts[0]);
      const auto is_other = [other = deciding_words(question, 1).back()](const std::string& word) {
        return without_punctuation(word).starts_with(other);  // "Marolen's" too
      };
      ++counts[question.kind][0];
      counts[question.kind][1] += std::any_of(words.begin(), words.end(), is_other);
    }
    for (const char* kind : {"wrong", "praised", "blamed", "stars", "day", "home", "company"}) {
      EXPECT_GT(3 * counts[kind][1], counts[kind][0]) << kind;
    }
  }
}

TEST(FilmQuestions, StateWhatDecidesInOtherFramesWithOtherOpenersAndTailsWhereTheyAreHeldOut) {
  std::set<std::string_view> training, held_out;
  for (const auto& statement : questions::statements()) {
    training.insert(statement.training.begin(), statement.training.end());
    held_out.insert(statement.held_out.begin(), statement.held_out.end());
    EXPECT_GE(statement.training.size(), 9u) << statement.name;
    EXPECT_GE(statement.held_out.size(), 2u) << statement.name;
  }
  EXPECT_GE(training.size(), 180u);
  EXPECT_GE(held_out.size(), 45u);
  for (const auto way : held_out) EXPECT_FALSE(training.contains(way)) << way;
  for (const char* rule : {"aside", "tail", "fact_aside", "chance"}) {
    const auto& learned = questions::question_grammar(QuestionSplit::kTraining).rules().at(rule);
    const auto& kept = questions::question_grammar(QuestionSplit::kHeldOut).rules().at(rule);
    EXPECT_GE(learned.size(), 10u) << rule;
    EXPECT_GE(kept.size(), 4u) << rule;
    for (const auto& phrase : kept) EXPECT_EQ(std::count(learned.begin(), learned.end(), phrase), 0) << phrase;
  }
}

// Without regard to names and to the two words of the mark.
TEST(FilmQuestions, StateWhatDecidesInAThousandWays) {
  for (const auto& statement : questions::statements()) {
    std::set<std::string> forms;
    for (std::uint64_t i = 0; i < 4000; ++i) {
      grammar::Writer writer(questions::question_grammar(QuestionSplit::kTraining), Stream(5).derive(i));
      std::string text = writer.expand(statement.training[writer.below(statement.training.size())], 1);
      text.erase(text.find('<'), text.find('>') - text.find('<'));
      for (const char* name : {"{=film}", "{=player}", "{=other_player}"}) {
        const std::string drawn = writer.expand(name, 1);
        if (const std::size_t at = text.find(drawn); at != std::string::npos) text.replace(at, drawn.size(), "_");
      }
      forms.insert(text);
    }
    EXPECT_GE(forms.size(), 1000u) << statement.name;
  }
}

TEST(FilmQuestions, HaveEveryRuleTheyReferTo) {
  for (const QuestionSplit split : kSplits) {
    const auto& grammar = questions::question_grammar(split);
    grammar::Writer writer(grammar, Stream(1));
    for (const auto& rule : questions::question_rules()) EXPECT_NO_THROW(writer.write(rule.name, 1)) << rule.name;
    for (const auto& statement : questions::statements()) {
      for (const auto& ways : {statement.training, statement.held_out}) {
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

// The decoder is trained on these very questions (training/decoder): another digest wants another training.
TEST(FilmQuestions, AreTheOnesThatTheDecoderWasTrainedOn) {
  EXPECT_EQ(film_questions_digest(), "xxh3:8f00629f4b8da3f4a188e0e523cf0c95");
}

TEST(FilmQuestions, OfTooFewOrTooManyWordsAreRefused) {
  EXPECT_THROW(film_question(0, kShortestQuestion - 1, QuestionSplit::kTraining), UsageError);
  EXPECT_THROW(film_question(0, kLongestQuestion + 1, QuestionSplit::kTraining), UsageError);
}

}  // namespace
}  // namespace wordsway
