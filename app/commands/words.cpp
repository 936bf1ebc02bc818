// wordsway words: which words of a text matter to a model.
#include "wordsway/audit/words.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include "commands/commands.h"
#include "commands/text_study.h"
#include "options/chart.h"
#include "options/output_paths.h"
#include "options/search.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/figures/model_charts.h"

namespace wordsway::app {
namespace {

struct WordsOptions : TextStudyOptions {
  RadiusOptions radius;
  SearchOptions search;
  ChartOptions chart;
  bool ball = false, fast = false;
  int average = 0;
};

WordOptions word_options(const WordsOptions& options) {
  WordOptions result;
  result.search = options.search.sensitivity();
  result.search.radius = options.radius.radius();
  choose_ball(result, {options.ball, options.fast, is_builtin(options)});
  result.average = options.average;
  result.seed = options.search.seed;
  return result;
}

std::optional<double> number(const Record& row, const std::string& name) {
  return row.missing(name) ? std::nullopt : std::optional(row.number(name));
}

// The text itself, the more a word matters the deeper its colour; only for a terminal.
std::string coloured(const std::string& text, const std::vector<Record>& rows) {
  const bool of_logits = !rows.empty() && rows.front().find("typical_divergence") != nullptr;
  const std::string column = of_logits ? "typical_divergence" : "typical";
  double low = HUGE_VAL, high = 0;
  for (const Record& row : rows) {
    low = std::min(low, number(row, column).value_or(HUGE_VAL));
    high = std::max(high, number(row, column).value_or(0));
  }
  const std::u32string characters = unicode::decode(text);
  const auto part = [&](size_t begin, size_t end) {
    std::string result;
    for (size_t k = begin; k < end; ++k) unicode::append_utf8(result, characters[k]);
    return result;
  };
  std::string result;
  size_t done = 0;
  for (const Record& row : rows) {
    const auto begin = static_cast<size_t>(row.number("begin")), end = static_cast<size_t>(row.number("end"));
    const double share = high > low ? (number(row, column).value_or(low) - low) / (high - low) : 0;
    const auto level = [&](double from, double to) { return static_cast<std::uint8_t>(from + share * (to - from)); };
    result += part(done, begin);
    result +=
        fmt::format(fmt::bg(fmt::rgb(level(255, 253), level(255, 141), level(255, 60))) | fmt::fg(fmt::color::black),
                    "{}", part(begin, end));
    done = end;
  }
  return result + part(done, characters.size()) + "\n\n";
}

// What will be done, and whether the quick search in the ball can be trusted.
void say_plan(const StudiedTexts& texts, const WordsOptions& options) {
  if (texts.texts.size() != 1) return;
  const Encoding& encoding = texts.encodings.front();
  const size_t words = words_of(texts.texts.front().text, encoding).size();
  if (words == 0) return;  // there is nothing to change
  const WordOptions ask = word_options(options);
  say(options.common,
      fmt::format("{} words, {} tokens: each word is replaced by {} words that fit and {} in search of the worst, and "
                  "left out{}",
                  words, encoding.size(), ask.replacements, ask.replacements,
                  ask.ball == BallSearch::kNone ? "; --ball adds the worst move in the ball" : ""));
  const Matrix X = texts.model->transformer->embed(encoding.ids).cast<double>();
  double longest = 0;
  for (Index token = 0; token < X.rows(); ++token)
    longest = std::max(longest, options.radius.radius().of(X.row(token)) / std::sqrt(static_cast<double>(X.cols())));
  if (options.fast && longest > kShortMove)
    say(options.common,
        fmt::format("--fast ranks words well for short moves, such as --radius {}; for one of {:.2g}·√d take --ball",
                    kShortMove, longest));
}

void measure_words(const WordsOptions& options) {
  word_options(options);                       // throws on options that contradict each other, before anything is read
  if (options.search.trials.value_or(1) != 1)  // a number that is taken and changes nothing misleads
    throw UsageError(fmt::format(
        "--trials {}: a model and a text are given, so there is nothing to draw again, and one trial is all there is",
        *options.search.trials));
  const StudiedTexts texts = read_studied_texts(options, options.search.seed);
  if (!options.chart.empty()) require_text(texts.texts, options.texts);
  if (!options.chart.empty() && texts.texts.size() != 1)
    throw UsageError(fmt::format("--chart draws one text; there are {}", texts.texts.size()));
  say_plan(texts, options);
  const WordsStudy study(texts, word_options(options));
  const bool on_terminal = options.common.format == "table" && isatty(STDOUT_FILENO) != 0;
  run_text_study(study, texts, options, [&](const LabelledText& text, const std::vector<Record>& rows) {
    if (!options.chart.empty()) {
      std::string shown = text.text;
      for (const Record& row : rows)
        if (!row.missing("worst_word")) shown += row.text("worst_word");
      tell_missing_fonts(options.chart, shown, options.common);
      write_bar_chart(words_chart(rows, texts.model->transformer->name(), options.output.layer),
                      options.chart.canvas());
    }
    if (on_terminal) print_out(coloured(text.text, rows));
  });
}

}  // namespace

void add_words_command(CLI::App& app) {
  auto options = std::make_shared<WordsOptions>();
  CLI::App* command = app.add_subcommand("words", "Which words of a text matter to a model");
  add_text_study_options(*command, *options);
  command->add_flag("--ball", options->ball,
                    "Search the worst move of every word's embedding in the ball, the paper's measure: fills "
                    "`sensitivity` (for the built-in model that is always filled, by a shorter search)");
  command->add_flag("--fast", options->fast,
                    "The same by 6 power iterations instead of a full search: good for short moves (--radius 0.1)");
  command
      ->add_option("--average", options->average,
                   "Show the mean over this many random moves and this many random tokens in the word's place, too "
                   "(default: neither)")
      ->check(CLI::Range(0, 1'000'000));
  add_radius_options(*command, options->radius);
  add_search_options(
      *command, options->search,
      {.trials = "", .starts = fmt::format("{} with --ball", kBallStarts), .tolerance = "1e-4 with --ball"});
  add_chart_option(*command, options->chart, "Draw the words: .svg, .pdf, .png or .tex (without it: no picture)");
  add_common_options(*command, options->common);
  add_examples(*command,
               "  wordsway words \"turn off the dark mode please\"\n"
               "  wordsway words -m MODEL --layer pooled \"please enable dark mode\" --chart words.svg\n"
               "  wordsway words -m MODEL -i corpus.jsonl --out words.jsonl --format csv > words.csv",
               "Columns, each ‖φ' − φ‖/‖φ‖ for the outputs φ of the text, φ' of the changed one:\n"
               "  typical      mean over 64 words that fit the place (a masked-word head says\n"
               "               which), fixed by --seed\n"
               "  worst_word   the whole word of the vocabulary that changes most, as far as 64\n"
               "               more evaluations find it, and its worst_change; `wordsway\n"
               "               substitute` looks closer\n"
               "  dropped      the word is left out\n"
               "  sensitivity  the worst move of its embedding in a ball: a vector, not a word\n"
               "               (--ball, --fast)\n"
               "With --layer pooled, the cosines with the original too. With --layer logits, φ\n"
               "is the logits less their mean, and the divergences of the next word's\n"
               "distribution (Jensen-Shannon, in bits) are shown too: worst_word and the chart\n"
               "go by these.");
  command->callback([options] { measure_words(*options); });
}

}  // namespace wordsway::app
