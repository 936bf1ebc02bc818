#include "commands/text_study.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "commands/study_command.h"
#include "output/progress_bar.h"
#include "output/text_rows.h"

namespace wordsway::app {

void add_text_study_options(CLI::App& command, TextStudyOptions& options) {
  add_text_options(command, options.texts);
  add_selection_options(command, options.texts);
  add_model_option(command, options.model);
  add_device_options(command, options.device);
  add_output_kind_options(command, options.output);
  add_prompt_options(command, options.prompt);
  add_study_options(command, options.study);
}

bool is_builtin(const TextStudyOptions& options) {
  return options.model.empty() || options.model == "builtin";
}

StudiedTexts read_studied_texts(const TextStudyOptions& options, std::uint64_t seed) {
  StudiedTexts result;
  result.model = std::make_shared<const Model>(open_model(options.model, options.device));
  const Model& model = *result.model;
  const PromptedOutput ask = prompted_output(model, options.output, options.prompt, options.common);
  const bool selects = options.texts.select || options.texts.max_tokens;
  result.texts = selects ? read_texts(options.texts, *model.tokenizer, seed) : read_texts(options.texts);
  result.name =
      options.texts.input.empty() ? fmt::format("{}", fmt::join(options.texts.texts, " | ")) : options.texts.input;
  result.encodings = encode_with_remark(model, result.texts, options.common, {.prompt = ask.prompt});
  result.layer = options.output.layer;
  result.change = {ask.output, ask.prompt};
  tell_causal(model, options.common);
  if (!predicts_masked_words(model)) {
    result.head = std::make_shared<const Model>(open_model("builtin"));
    say(options.common, fmt::format("{} predicts no masked words: the built-in model says which words fit a place",
                                    model.transformer->name()));
  }
  if (result.texts.size() == 1) result.progress = progress_on_stderr(options.common.quiet);
  return result;
}

void run_text_study(const TextStudy& study, const StudiedTexts& texts, const TextStudyOptions& options,
                    const std::function<void(const LabelledText&, const std::vector<Record>&)>& see) {
  const size_t count = texts.texts.size();
  TextRows output(options.common.format, count);
  const auto add = [&](size_t text, const std::vector<Record>& rows) {
    if (see) see(texts.texts[text], rows);
    output.add(text, rows);
  };
  std::vector<bool> has_task(count, false);
  for (Index task = 0; task < study.size(); ++task) has_task[static_cast<size_t>(study.text_of(task))] = true;
  for (size_t text = 0; text < count && !options.study.dry_run; ++text)
    if (!has_task[text]) add(text, {});
  if (study.size() == 0) return;
  // Of a single text the study itself shows progress; rows that scroll by on a terminal are progress enough.
  const bool shows = count > 1 && isatty(STDOUT_FILENO) == 0;
  run_study_command(study, options.study, options.common, shows ? progress_on_stderr(options.common.quiet) : Progress(),
                    [&](Index task, const std::vector<Record>& rows) {
                      // Why a text failed is said on stderr, and stands in the journal.
                      const bool failed = !rows.empty() && is_failed(rows.front());
                      add(static_cast<size_t>(study.text_of(task)), failed ? std::vector<Record>() : rows);
                    });
}

}  // namespace wordsway::app
