// The tables of the questions (text/questions/data): what reviewers state, what is asked about it, and words for both.
//
// Texts use the marks of text/grammar: {=name} for words that a review repeats, [a/b] for a choice, and <a/b> for the
// two sides of a pair. A statement has one mark <a/b>, of one word each. "a" becomes "an" before a vowel, which would
// be a second changed word: what follows an article must begin alike on both sides. Statements are put together from
// openers, subjects, verbs and tails; where one of them is empty, the blanks around it are taken away afterwards.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "wordsway/text/grammar/grammar.h"
#include "wordsway/text/questions/film_questions.h"

namespace wordsway::questions {

/// What a statement speaks about. A review that is asked about one topic says nothing that could contradict it.
enum class Topic { kVerdict, kFault, kPeople, kStars, kEnding, kDay, kHome, kCompany, kNothing };

/// Ways to say one thing. The first are for training, the last for held-out questions only.
struct Statement {
  std::string_view name;
  Topic topic;
  std::vector<std::string_view> training, held_out;
};

/// What is asked. `statement` says it in the review; the answer has sides as the statement has. All answers to one kind
/// of question have the same form, with a word of the statement in it: how it was stated need not be known.
struct Answer {
  std::string_view statement, text;
};
struct QuestionKind {
  std::string_view name;
  std::string_view question;  // follows the review
  std::vector<Answer> answers;
};

/// All of these are read at the first call, from any thread, and throw InternalError where a table is malformed.
std::span<const Statement> statements();
/// Facts that no question asks about.
const Statement& neutral_statement();
/// Sentences with both of the words that statements of a topic choose from, which favour neither; none for a topic
/// without such words.
std::span<const std::string_view> mentions(Topic topic);
std::span<const QuestionKind> question_kinds();

/// Words for statements and questions, and openings of reviews that say nothing for or against the film. They come
/// beside the rules of text/reviews, and in their place where both have a name.
std::span<const grammar::Rule> question_rules();
/// Openers and tails of statements, of which each split has its own.
std::span<const grammar::Rule> phrase_rules(QuestionSplit split);
/// More men, women, surnames and places beside those of the reviews, in rules of the same names.
std::span<const grammar::Rule> further_names();
/// Syllables, and people, places and words of titles as made-up names or as real ones (rules "real_man" and so on).
std::span<const grammar::Rule> syllable_rules();
/// How a split puts made-up names together. No name belongs to both.
std::span<const grammar::Rule> coined_name_rules(QuestionSplit split);

}  // namespace wordsway::questions
