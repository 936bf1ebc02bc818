// What commands that change the words of texts have in common: `words` and `substitute`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "options/common.h"
#include "options/model.h"
#include "options/study.h"
#include "options/texts.h"
#include "wordsway/study/word_studies.h"

namespace CLI {
class App;
}

namespace wordsway::app {

struct TextStudyOptions {
  CommonOptions common;
  TextOptions texts;
  PromptOptions prompt;
  StudyOptions study;
  OutputOptions output;
  std::string model;
  Device device;
};

/// Adds TEXT…, -i and how texts are chosen, -m, --device, --layer, --rows, prompts, --out and the common ones.
void add_text_study_options(CLI::App& command, TextStudyOptions& options);

/// Whether the built-in model is asked.
bool is_builtin(const TextStudyOptions& options);

/// Reads models and texts. A model that predicts no masked words gets the built-in one beside it. Says on stderr what
/// the pooling is, what was cut, and who says which words fit.
StudiedTexts read_studied_texts(const TextStudyOptions& options, std::uint64_t seed);

/// Runs the study and prints its rows text by text, as they come. `see`, where given, is called with the rows of every
/// text before they are printed.
void run_text_study(const TextStudy& study, const StudiedTexts& texts, const TextStudyOptions& options,
                    const std::function<void(const LabelledText&, const std::vector<Record>&)>& see = {});

}  // namespace wordsway::app
