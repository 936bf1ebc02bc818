// wordsway answers: two prompts that differ in a word, and what a decoder answers to each.
#include "wordsway/audit/answers.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "commands/commands.h"
#include "options/chart.h"
#include "options/common.h"
#include "options/generation.h"
#include "options/model.h"
#include "options/output_paths.h"
#include "output/answers_text.h"
#include "output/progress_bar.h"
#include "system/signals.h"
#include "system/streams.h"
#include "system/terminal.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/model_charts.h"
#include "wordsway/io/row_text.h"

namespace wordsway::app {
namespace {

struct AnswersCommand {
  CommonOptions common;
  std::vector<std::string> prompts;
  std::string model;
  Device device;
  ChartOptions chart;
  GenerateOptions generate;
};

std::pair<std::string, std::string> prompts_of(const AnswersCommand& options) {
  if (options.prompts.empty()) return builtin_prompts();
  if (options.prompts.size() != 2)
    throw UsageError(fmt::format("answers compares two prompts, each in quotes; there {} {}",
                                 options.prompts.size() == 1 ? "is" : "are", options.prompts.size()));
  return {options.prompts[0], options.prompts[1]};
}

Answers compare(const Model& model, const AnswersCommand& options, const AnswersText& text) {
  GenerateOptions ask = options.generate;
  const Progress progress = progress_on_stderr(options.common.quiet);
  StepCounter counter(progress, "answers", 2 * static_cast<double>(ask.max_new_tokens));
  ask.on_text = [&](std::string_view) {
    counter.step();
    return !interrupted();
  };
  return compare_answers(model, text.prompt_a, text.prompt_b, ask);
}

void draw(const Answers& answers, const AnswersText& text, const std::string& model, const AnswersCommand& options) {
  if (answers.divergence.empty()) throw DataError("there is no token of an answer to draw; expected at least one");
  tell_missing_fonts(options.chart, answers.a.text, options.common);
  write_bar_chart(
      answers_chart({model, answers.words, text.tokens_a, text.tokens_b, answers.first_difference, answers.divergence}),
      options.chart.canvas());
}

std::string printed(const Answers& answers, const AnswersText& text, const Device& device, const std::string& format) {
  if (format == "json" || format == "jsonl") return to_json(answers, device) + "\n";
  if (format == "csv") return to_csv(answer_steps(answers, text));
  return format_answers(answers, text, static_cast<size_t>(line_width(STDOUT_FILENO)));
}

void run_answers(const AnswersCommand& options) {
  options.generate.check();
  AnswersText text;
  std::tie(text.prompt_a, text.prompt_b) = prompts_of(options);
  const Model model = open_decoder(options.model, options.device);
  Answers answers;
  bool given_up = false;
  {
    const InterruptGuard guard("ending the texts after the next token");
    answers = compare(model, options, text);
    given_up = interrupted();
  }
  for (const auto* answer : {&answers.a, &answers.b})
    if (answer->prompt_cut)
      say(options.common, fmt::format("a prompt was cut to the {} tokens that {} has positions for",
                                      answer->prompt_ids.size(), model.transformer->name()));
  text.tokens_a = token_texts(*model.tokenizer, answers.a.ids);
  text.tokens_b = token_texts(*model.tokenizer, answers.b.ids);
  if (!options.chart.empty()) draw(answers, text, model.transformer->name(), options);
  print_out(printed(answers, text, options.device, options.common.format));
  if (given_up) throw Interrupted("interrupted: the answers are what was written by then");
}

}  // namespace

void add_answers_command(CLI::App& app) {
  auto options = std::make_shared<AnswersCommand>();
  CLI::App* command =
      app.add_subcommand("answers", "Two prompts that differ in a word: what a decoder answers to each");
  command
      ->add_option("PROMPT", options->prompts,
                   "Two prompts, each in quotes (without them: a built-in pair about a film)")
      ->delimiter('\0');
  add_decoder_option(*command, options->model);
  add_device_options(*command, options->device);
  add_generation_options(*command, options->generate);
  add_chart_option(*command, options->chart,
                   "Draw the divergence at every token: .svg, .pdf, .png or .tex (without it: no picture)");
  add_common_options(*command, options->common);
  add_examples(*command,
               "  wordsway answers\n"
               "  wordsway answers -m MODEL \"Is it safe to enable this?\" \\\n"
               "      \"Is it safe to disable this?\" --template chatml --chart answers.svg",
               "Steps count the tokens of the answers from 0. first_difference is the step at\n"
               "which they part. divergence says for every token of the first answer how far\n"
               "the distributions of the next token are from each other after the two prompts,\n"
               "when the tokens before it follow both: the Jensen-Shannon divergence in bits,\n"
               "0 for the same, 1 for nothing in common. Drawn answers share their random\n"
               "numbers, so they differ by the prompts alone.");
  command->callback([options] { run_answers(*options); });
}

}  // namespace wordsway::app
