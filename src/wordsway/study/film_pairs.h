// Film questions (text/questions) as studies need them: by the number of tokens of their reviews.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "wordsway/text/questions/film_questions.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

/// "Review: REVIEW QUESTION" taken apart: "Question: … Answer:" or "Continue:" is the question.
struct PromptParts {
  std::string review, question;
};
/// Throws DataError if a prompt does not have this form.
PromptParts parts_of_prompt(const std::string& prompt);

/// Question number `index` with a review of about `tokens` tokens: of the number of words that brings it nearest. The
/// shortest reviews have about 20.
FilmQuestion question_with_tokens(std::uint64_t index, Index tokens, QuestionSplit split, const Tokenizer& tokenizer);

/// Two reviews of equal length that differ in one token, which decides whether the answer is yes or no.
struct ReviewPair {
  std::uint64_t question;  // its number
  std::array<std::string, 2> reviews, prompts;
  std::array<std::vector<int>, 2> ids;  // the reviews only, without special tokens
  std::array<double, 2> labels;         // 1 for yes, −1 for no
  Index place;                          // of the token in which they differ
};

struct ReviewPairOptions {
  std::uint64_t first = 0;  // the first question to look at
  Index count = 1, tokens = 20;
  QuestionSplit split = QuestionSplit::kTraining;
};

/// Makes pairs from the questions "again" and "recommend" whose word decides. A longer review is shortened to exactly
/// `tokens` tokens by leaving out whole sentences, chosen at random, never the deciding one. Skips questions that
/// cannot be shortened in this way, or whose two words are not one token each. Gives the same pairs on every machine.
/// Throws UsageError unless there is at least one pair of at least one token, DataError if too few questions have such
/// reviews.
std::vector<ReviewPair> review_pairs(const ReviewPairOptions& options, const Tokenizer& tokenizer);

}  // namespace wordsway
