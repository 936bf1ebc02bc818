// Two answers beside each other, for reading.
#pragma once

#include <string>

#include "wordsway/audit/answers.h"

namespace wordsway::app {

struct AnswersText {
  std::string prompt_a, prompt_b;
  std::vector<std::string> tokens_a, tokens_b;  // of the continuations, as token_texts gives them
};

/// The prompts with their changed words in brackets, the answers, where they part, and the divergence as a bar for each
/// step. Lines have at most `width` characters.
std::string format_answers(const Answers& answers, const AnswersText& text, size_t width);

/// A row a step: step, a, b (tokens), divergence.
std::vector<Record> answer_steps(const Answers& answers, const AnswersText& text);

}  // namespace wordsway::app
