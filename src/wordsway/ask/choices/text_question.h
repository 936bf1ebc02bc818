// The part that questions about words of texts share: `words` and `substitute`.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/choices/text_input.h"
#include "wordsway/ask/context.h"
#include "wordsway/ask/question.h"
#include "wordsway/study/word_studies.h"

namespace wordsway {

/// A model, texts, and the output of the model to look at.
struct TextQuestion {
  TextInput texts;
  ModelInput model;
  OutputInput output;
  PromptInput prompt;
  RunChoice run;

  static void describe(Fields<TextQuestion>& fields);
};

/// Opens the model and reads the texts. If the candidates are words that fit and the model does not predict masked
/// words, the built-in one says which do. Warns about pooling, cut texts and the model that says which words fit.
StudiedTexts read_text_question(const TextQuestion& question, CandidateSource source, std::uint64_t seed,
                                Context& context);

/// Runs the study and hands its rows on text by text, numbered if there are several texts. `finish`, if given,
/// completes a part from the rows of its text; `end` says what all of them say.
Answer answer_by_text(const TextStudy& study, const StudiedTexts& texts, const TextQuestion& question, Context& context,
                      const std::function<void(size_t text, const std::vector<Record>& rows, Part& part)>& finish = {},
                      const std::function<PartsEnd()>& end = {});

}  // namespace wordsway
