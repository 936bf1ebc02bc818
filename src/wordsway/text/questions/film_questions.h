// Questions about film reviews, written by us: pairs of prompts that differ in one word, and the right answer to each.
//
// A prompt is a review, a question and nothing more: "Review: … Question: Who is praised? Answer:" or "Review: …
// Continue:". The review is plot, digressions and facts, and one sentence that answers the question. In half of the
// pairs the changed word stands in that sentence and decides: the answers differ. In the other half it stands in
// another sentence and is neutral: a colour, a name, a place, a day that is not asked for; the answers are the same.
// The other sentences are the same in both prompts and are drawn without regard to the answer, so nothing but the word
// gives it away. Where in the review the word stands is drawn evenly. All answers to one kind of question have one
// form, with a word of the review in it: "Yes, because of the word gladly."
//
// Two thirds of the names are made up of syllables and hardly ever come again, so that they have to be copied; longer
// reviews often name the wrong one too, in another sentence.
//
// Held-out questions state the asked and the changed facts in sentences, with openers and with tails that training
// questions never use, and have other names of people, places and films: real ones that training never uses
// (held_out_names), and made-up ones whose syllables training never joins all three. Words that decide, such as
// "brilliant" or "Tuesday", are common to both, or nobody could know what they mean.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "wordsway/core/matrix.h"

namespace wordsway {

enum class QuestionSplit { kTraining, kHeldOut };

struct FilmQuestion {
  std::string kind;                    // one of film_question_kinds()
  bool decides = true;                 // the changed word decides the answer
  std::array<std::string, 2> prompts;  // "Review: … Question: … Answer:"; they differ in one word
  std::array<std::string, 2> answers;  // whole sentences; a blank stands between prompt and answer
  Index words = 0;                     // of the review, between blanks
  Index place = 0;                     // which of them is the changed one, from 0
};

inline constexpr Index kShortestQuestion = 10;
inline constexpr Index kLongestQuestion = 400;

/// Question number `index` of a split, about a review of about `words` words: it ends with the sentence that brings it
/// nearest, and has at least the one or two sentences that it needs. Even numbers decide, odd ones are neutral; kinds
/// take turns. The same on every machine and from any thread.
/// Throws UsageError when `words` is not between kShortestQuestion and kLongestQuestion.
FilmQuestion film_question(std::uint64_t index, Index words, QuestionSplit split);

/// The kinds of questions in their order: "again", "recommend", "continue", …
std::span<const std::string_view> film_question_kinds();

/// The first names, surnames, places and words of film titles that are kept for held-out questions, in alphabetical
/// order: about a fifth of those of the reviews (text/reviews/data/names.txt). Training questions have none of them.
std::span<const std::string> held_out_names();

/// Whether a text has one of them as a word, or with an "s" after it.
bool has_held_out_name(std::string_view text);

/// What the questions depend on, by content: a digest of the first ones of both splits.
std::string film_questions_digest();

}  // namespace wordsway
