// Film reviews written by us, so that a fresh clone has labelled text to work on: a grammar with about a hundred and
// ninety kinds of sentences (text/reviews/data), every review a pure function of its number.
//
// Sentiment is carried by many words and not by one: a review says more in favour of its label than against it, but
// it also hedges, concedes, tells the plot and wanders off; how much varies from review to review.
// docs/builtin_data.md has their statistics beside those of IMDb.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wordsway/core/matrix.h"

namespace wordsway {

struct Review {
  std::string text;
  int label = 1;  // +1 likes the film, -1 does not
};

inline constexpr Index kShortestReview = 1;
inline constexpr Index kLongestReview = 2000;

/// Review number `index`: at least `words` words, ending with the sentence that reaches them. Even numbers are +1, odd
/// ones -1. The same on every machine and from any thread. Words are runs of letters, digits, ' and -; no tokenizer
/// gives fewer tokens than words, so a review of n words has n tokens or more.
/// Throws UsageError when `words` is not between kShortestReview and kLongestReview.
Review builtin_review(std::uint64_t index, Index words);

/// The sentences of a review: each ends at a full stop, an exclamation or a question mark before a space.
std::vector<std::string> sentences_of(const std::string& review);

/// What the reviews depend on, by content: a digest of the whole grammar and of the first few reviews.
std::string builtin_reviews_digest();

}  // namespace wordsway
