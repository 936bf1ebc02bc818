// The rules that questions of a split are written by: those of the reviews, with the names of that split alone, and
// those of the questions.
#pragma once

#include "wordsway/text/grammar/grammar.h"
#include "wordsway/text/questions/film_questions.h"

namespace wordsway::questions {

/// Made at the first call, from any thread.
const grammar::Grammar& question_grammar(QuestionSplit split);

}  // namespace wordsway::questions
