#include "wordsway/study/film_pairs.h"

#include <set>

#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/core/error.h"
#include "wordsway/text/words/word_diff.h"

namespace wordsway {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

const Tokenizer& builtin_tokenizer() {
  static const auto tokenizer = load_tokenizer(test::source_folder() / "models/builtin");
  return *tokenizer;
}

TEST(PromptParts, AreReviewAndQuestion) {
  const PromptParts asked = parts_of_prompt("Review: A film. It was good. Question: Who? Answer:");
  EXPECT_EQ(asked.review, "A film. It was good.");
  EXPECT_EQ(asked.question, "Question: Who? Answer:");
  EXPECT_EQ(parts_of_prompt("Review: A film. Continue:").question, "Continue:");
  EXPECT_THROW(parts_of_prompt("A film. Continue:"), DataError);
  EXPECT_THROW(parts_of_prompt("Review: A film."), DataError);
}

TEST(QuestionWithTokens, HasAboutAsManyTokensInItsReview) {
  for (const Index tokens : {50, 100, 200}) {
    double sum = 0;
    for (std::uint64_t index = 0; index < 20; ++index) {
      const FilmQuestion question = question_with_tokens(index, tokens, QuestionSplit::kHeldOut, builtin_tokenizer());
      EXPECT_EQ(question.decides, index % 2 == 0);
      const Index found = builtin_tokenizer().count_tokens(parts_of_prompt(question.prompts[0]).review, false);
      EXPECT_NEAR(static_cast<double>(found), static_cast<double>(tokens), 30);
      sum += static_cast<double>(found);
    }
    EXPECT_NEAR(sum / 20, static_cast<double>(tokens), 5);
  }
}

TEST(ReviewPairs, HaveTheSameLengthAndOneTokenThatDecides) {
  for (const Index tokens : {20, 60, 200}) {
    const auto pairs = review_pairs({.count = 25, .tokens = tokens}, builtin_tokenizer());
    ASSERT_THAT(pairs, SizeIs(25));
    std::set<std::string> reviews;
    for (const ReviewPair& pair : pairs) {
      EXPECT_EQ(pair.labels[0], -pair.labels[1]);
      EXPECT_EQ(changed_words(pair.reviews[0], pair.reviews[1]).size(), 2U) << pair.reviews[0];
      for (const size_t side : {0U, 1U}) {
        EXPECT_EQ(builtin_tokenizer().encode(pair.reviews[side], {.special_tokens = false}).ids, pair.ids[side]);
        EXPECT_EQ(static_cast<Index>(pair.ids[side].size()), tokens);
        EXPECT_EQ(parts_of_prompt(pair.prompts[side]).review, pair.reviews[side]);
        EXPECT_TRUE(pair.prompts[side].ends_with("Answer:"));
        // The word is one of those of the question before it was shortened, with the label of its answer.
        const FilmQuestion whole =
            film_question(pair.question, std::min<Index>(400, tokens * 3 / 2 + 40), QuestionSplit::kTraining);
        EXPECT_EQ(whole.answers[side].starts_with("Yes"), pair.labels[side] > 0);
      }
      auto changed = pair.ids[0];
      changed[static_cast<size_t>(pair.place)] = pair.ids[1][static_cast<size_t>(pair.place)];
      EXPECT_EQ(changed, pair.ids[1]);
      EXPECT_NE(pair.ids[0], pair.ids[1]);
      reviews.insert(pair.reviews[0]);
    }
    EXPECT_THAT(reviews, SizeIs(25));
  }
}

// A readout that knew the place, or saw more of one label on the first side, would need no word.
TEST(ReviewPairs, GiveNothingAwayByPlaceOrSide) {
  const auto pairs = review_pairs({.count = 200, .tokens = 100}, builtin_tokenizer());
  double place = 0, label = 0;
  for (const ReviewPair& pair : pairs) {
    place += static_cast<double>(pair.place) / 200;
    label += pair.labels[0] / 200;
  }
  EXPECT_NEAR(place, 50, 10);
  EXPECT_NEAR(label, 0, 0.3);
}

TEST(ReviewPairs, AreTheSameAgainAndOthersFromElsewhere) {
  const auto pairs = review_pairs({.count = 3, .tokens = 40}, builtin_tokenizer());
  EXPECT_EQ(pairs[2].prompts, review_pairs({.count = 4, .tokens = 40}, builtin_tokenizer())[2].prompts);
  EXPECT_NE(pairs[0].prompts, review_pairs({.first = 1000, .count = 3, .tokens = 40}, builtin_tokenizer())[0].prompts);
}

TEST(ReviewPairs, RefuseWhatTheyCannotGive) {
  EXPECT_THROW(review_pairs({.count = 0}, builtin_tokenizer()), UsageError);
  EXPECT_THROW(review_pairs({.tokens = 0}, builtin_tokenizer()), UsageError);
  EXPECT_THROW(review_pairs({.tokens = 3}, builtin_tokenizer()), DataError) << "no sentence is as short";
}

}  // namespace
}  // namespace wordsway
