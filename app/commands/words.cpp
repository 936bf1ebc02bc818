// wordsway words: how sensitive a model is to each word of a text.
#include "wordsway/audit/words.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include "commands/commands.h"
#include "options/common.h"
#include "options/model.h"
#include "options/output_paths.h"
#include "options/search.h"
#include "options/texts.h"
#include "output/chart_fonts.h"
#include "output/progress_bar.h"
#include "output/text_rows.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/bar_chart.h"

namespace wordsway::app {
namespace {

struct WordsOptions {
  CommonOptions common;
  TextOptions texts;
  RadiusOptions radius;
  SearchOptions search;
  PromptOptions prompt;
  std::string model, layer = "last", chart;
  bool fast = false;
  int average = 0;
};

WordOptions word_options(const WordsOptions& options, const ModelOutput& output) {
  WordOptions result;
  result.output = output;
  result.search = options.search.sensitivity();
  result.search.radius = options.radius.radius();
  result.fast = options.fast;
  result.average = options.average;
  result.seed = options.search.seed;
  return result;
}

std::vector<Record> as_rows(const std::vector<WordSensitivity>& words) {
  std::vector<Record> rows;
  for (const WordSensitivity& found : words) {
    rows.push_back({{"word", found.word.text},
                    {"sensitivity", found.sensitivity},
                    {"token", std::int64_t{found.token}},
                    {"tokens", static_cast<std::int64_t>(found.word.tokens.size())},
                    {"begin", std::int64_t{found.word.characters[0]}},
                    {"end", std::int64_t{found.word.characters[1]}}});
    if (found.average_move) rows.back().set("average_move", *found.average_move);
    if (found.average_replacement) rows.back().set("average_replacement", *found.average_replacement);
  }
  return rows;
}

// The text itself, the more a word sways the deeper its colour; only for a terminal.
std::string coloured(const std::string& text, const std::vector<WordSensitivity>& words) {
  double low = HUGE_VAL, high = 0;
  for (const WordSensitivity& found : words) {
    low = std::min(low, found.sensitivity);
    high = std::max(high, found.sensitivity);
  }
  std::string result;
  size_t done = 0;
  for (const WordSensitivity& found : words) {
    const double share = high > low ? (found.sensitivity - low) / (high - low) : 0;
    const auto level = [&](double from, double to) { return static_cast<std::uint8_t>(from + share * (to - from)); };
    result += text.substr(done, static_cast<size_t>(found.word.bytes[0]) - done);
    result +=
        fmt::format(fmt::bg(fmt::rgb(level(255, 253), level(255, 141), level(255, 60))) | fmt::fg(fmt::color::black),
                    "{}", found.word.text);
    done = static_cast<size_t>(found.word.bytes[1]);
  }
  return result + text.substr(done) + "\n\n";
}

// What the search will cost, and whether the quick one can be trusted.
void say_plan(const Model& model, const LabelledText& text, const Encoding& encoding, const WordsOptions& options) {
  const size_t words = words_of(text.text, encoding).size();
  if (words == 0) return;  // there is nothing to search for
  say(options.common,
      fmt::format("{} words, {} tokens: {}", words, encoding.size(),
                  options.fast ? fmt::format("{} evaluations for each token", kFastIterations)
                               : fmt::format("about 100 evaluations for each token; --fast ranks words with {}",
                                             kFastIterations)));
  const Matrix X = model.transformer->embed(encoding.ids).cast<double>();
  double longest = 0;
  for (Index token = 0; token < X.rows(); ++token)
    longest = std::max(longest, options.radius.radius().of(X.row(token)) / std::sqrt(static_cast<double>(X.cols())));
  if (options.fast && longest > kShortMove)
    say(options.common,
        fmt::format("--fast ranks words well for short moves, such as --radius {}; for one of {:.2g}·√d "
                    "do without it",
                    kShortMove, longest));
}

void measure_text(const Model& model, const LabelledText& text, const Encoding& encoding, const WordsOptions& options,
                  const ModelOutput& asked, TextRows& output) {
  say_plan(model, text, encoding, options);
  const auto words = word_sensitivities(model, text.text, encoding, word_options(options, asked),
                                        progress_on_stderr(options.common.quiet));
  if (!options.chart.empty()) {
    BarChart chart{
        "Word sensitivity of " + model.transformer->name() + ", layer " + options.layer, "word sensitivity", {}, {{}}};
    for (const WordSensitivity& found : words) {
      chart.labels.push_back(found.word.text);
      chart.series[0].values.emplace_back(found.sensitivity);
    }
    write_bar_chart(chart, {options.chart});
  }
  if (options.common.format == "table" && isatty(STDOUT_FILENO) != 0) print_out(coloured(text.text, words));
  output.add(as_rows(words));
}

void measure_words(const WordsOptions& options) {
  const Model model = open_model(options.model);
  const auto texts = read_texts(options.texts);
  if (!options.chart.empty()) require_text(texts, options.texts);
  if (!options.chart.empty() && texts.size() != 1)
    throw UsageError(fmt::format("--chart draws one text; there are {}", texts.size()));
  tell_missing_fonts(options.chart, texts, options.common);
  const PromptedOutput ask = prompted_output(model, options.layer, options.prompt, options.common);
  const auto encodings = encode_with_remark(model, texts, options.common, {.prompt = ask.prompt});
  TextRows output(options.common.format, texts.size());
  for (size_t t = 0; t < texts.size(); ++t) measure_text(model, texts[t], encodings[t], options, ask.output, output);
}

}  // namespace

void add_words_command(CLI::App& app) {
  auto options = std::make_shared<WordsOptions>();
  CLI::App* command = app.add_subcommand("words", "How sensitive a model is to each word of a text");
  add_text_options(*command, options->texts);
  add_model_option(*command, options->model);
  command
      ->add_option("--layer", options->layer,
                   "Which output counts: 0 for the embedding, 1 and up for the layers, last or pooled")
      ->capture_default_str();
  command->add_flag("--fast", options->fast,
                    "Rank words by 6 power iterations instead of a full search: good for short moves (--radius 0.1)");
  command
      ->add_option(
          "--average", options->average,
          "Show the mean over this many random moves and this many replacements of the word, too (default: neither)")
      ->check(CLI::Range(0, 1'000'000));
  add_prompt_options(*command, options->prompt);
  add_radius_options(*command, options->radius);
  add_search_options(*command, options->search, {.trials = "not used here", .starts = "1", .tolerance = "1e-3"});
  add_chart_option(*command, options->chart, "Draw the words: .svg, .pdf or .png (without it: no picture)");
  add_common_options(*command, options->common);
  add_examples(*command,
               "  wordsway words \"turn off the dark mode please\"\n"
               "  wordsway words \"I love her smile\" --layer pooled --fast --radius 0.1 --format json");
  command->callback([options] { measure_words(*options); });
}

}  // namespace wordsway::app
