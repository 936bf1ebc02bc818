// Prints the decoder's training and test questions, one JSON object per line; prepare.py reads it.
//
//   write_questions training COUNT   {"kind", "decides", "words", "place", "prompts": [2], "answers": [2]}: reviews of
//                                    16 to 260 words, long ones more often
//   write_questions short COUNT      held-out questions about reviews of 16 to 78 words, about 20 to 100 tokens
//   write_questions long COUNT       held-out questions about reviews of 155 words, about 200 tokens
//   write_questions reviews COUNT    {"text"}: built-in reviews without a name that is kept for held-out questions
//   write_questions names            the names that are kept
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "wordsway/core/error.h"
#include "wordsway/random/stream.h"
#include "wordsway/text/questions/film_questions.h"
#include "wordsway/text/reviews/builtin_reviews.h"

namespace {

using namespace wordsway;

Index between(Index least, Index most, double share) {
  return least + static_cast<Index>(share * static_cast<double>(most - least + 1));
}

// The length of review number `index`: training has more long ones, in which the word is harder to find.
Index words_of(std::string_view set, std::uint64_t index) {
  const double share = Stream(1).derive(set).derive(index).uniform(0);
  if (set == "training") return between(16, 260, std::pow(share, 0.75));
  return set == "short" ? between(16, 78, share) : 155;
}

void print_questions(std::string_view set, std::uint64_t count) {
  const QuestionSplit split = set == "training" ? QuestionSplit::kTraining : QuestionSplit::kHeldOut;
  // Other numbers, so that no question is in both held-out sets.
  const std::uint64_t first = set == "long" ? 1'000'000 : 0;
  for (std::uint64_t index = first; index < first + count; ++index) {
    const FilmQuestion question = film_question(index, words_of(set, index), split);
    const nlohmann::json line{{"kind", question.kind},   {"decides", question.decides}, {"words", question.words},
                              {"place", question.place}, {"prompts", question.prompts}, {"answers", question.answers}};
    std::cout << line.dump() << '\n';
  }
}

void print_reviews(std::uint64_t count) {
  for (std::uint64_t index = 0; count > 0; ++index) {
    const Review review = builtin_review(index, between(20, 200, Stream(1).derive("review").derive(index).uniform(0)));
    if (has_held_out_name(review.text)) continue;
    std::cout << nlohmann::json{{"text", review.text}}.dump() << '\n';
    --count;
  }
}

int print(std::string_view set, std::uint64_t count) {
  if (set == "training" || set == "short" || set == "long") {
    print_questions(set, count);
  } else if (set == "reviews") {
    print_reviews(count);
  } else if (set == "names") {
    for (const std::string_view name : held_out_names()) std::cout << name << '\n';
  } else {
    throw UsageError("write_questions: 'training', 'short', 'long', 'reviews' or 'names' was expected, not '" +
                     std::string(set) + "'");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  std::ios::sync_with_stdio(false);
  return print(argc > 1 ? argv[1] : "", argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0);
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
