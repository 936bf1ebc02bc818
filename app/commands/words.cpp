// wordsway words: how sensitive a model is to each word of a text.
#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

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
#include "output/rows.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/figures/bar_chart.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/sensitivity/power_estimate.h"

namespace wordsway::app {
namespace {

constexpr int kFastIterations = 6;
constexpr double kShortMove = 0.1;  // of √d: up to here a quick ranking agrees with the full one (bench/words)

struct WordsOptions {
  CommonOptions common;
  TextOptions texts;
  RadiusOptions radius;
  SearchOptions search;
  std::string model, layer = "last", chart;
  bool fast = false;
  int average = 0;
};

struct Word {
  std::string text;
  std::array<Index, 2> bytes{};  // in the text
  std::vector<Index> tokens;
  double sensitivity = 0;  // the maximum over its tokens
  Index token = 0;         // which gave it
  double average_move = 0, average_replacement = 0;
};

std::vector<Word> group_words(const std::string& text, const Encoding& encoding) {
  std::vector<Word> words;
  std::optional<int> current;
  for (size_t k = 0; k < encoding.ids.size(); ++k) {
    if (!encoding.words[k]) continue;
    if (encoding.words[k] != current) words.push_back({"", encoding.byte_offsets[k], {}});
    current = encoding.words[k];
    words.back().bytes[1] = encoding.byte_offsets[k][1];
    words.back().tokens.push_back(static_cast<Index>(k));
  }
  for (Word& word : words)
    word.text = text.substr(static_cast<size_t>(word.bytes[0]), static_cast<size_t>(word.bytes[1] - word.bytes[0]));
  return words;
}

class Meter {
 public:
  Meter(const LoadedModel& model, const Encoding& encoding, const WordsOptions& options)
      : model_(model),
        options_(options),
        ids_(encoding.ids),
        x_(model.transformer->embed(encoding.ids)),
        map_(model.transformer, parse_output(options.layer, *model.transformer)),
        sample_(map_.at(x_.cast<double>())) {}

  // Tokens are measured side by side, each on one thread: the products of a short text are too small to share out.
  void measure(std::vector<Word>& words, const Progress& progress) const {
    std::vector<Index> tokens;
    for (const Word& word : words) tokens.insert(tokens.end(), word.tokens.begin(), word.tokens.end());
    std::vector<double> found(static_cast<size_t>(x_.rows()));
    std::mutex mutex;
    Index done = 0;
    parallel_for(static_cast<Index>(tokens.size()), [&](Index k) {
      const Index token = tokens[static_cast<size_t>(k)];
      found[static_cast<size_t>(token)] = sensitivity(token);
      const std::lock_guard lock(mutex);
      if (progress) progress({"tokens", static_cast<double>(++done), static_cast<double>(tokens.size())});
    });
    parallel_for(static_cast<Index>(words.size()), [&](Index w) { summarise(words[static_cast<size_t>(w)], found); });
  }

  // The longest move that any token may make, in multiples of √d.
  double longest_move() const {
    double longest = 0;
    for (Index token = 0; token < x_.rows(); ++token) longest = std::max(longest, options_.radius.of(x_.row(token)));
    return longest / std::sqrt(static_cast<double>(x_.cols()));
  }

 private:
  void summarise(Word& word, const std::vector<double>& found) const {
    word.token = *std::max_element(word.tokens.begin(), word.tokens.end(), [&](Index a, Index b) {
      return found[static_cast<size_t>(a)] < found[static_cast<size_t>(b)];
    });
    word.sensitivity = found[static_cast<size_t>(word.token)];
    if (options_.average > 0) average(word);
  }

  double sensitivity(Index token) const {
    const Stream stream = Stream(options_.search.seed).derive("words");
    const double radius = options_.radius.of(x_.row(token));
    if (options_.fast) return estimate_token_by_power(*sample_, token, radius, kFastIterations, stream);
    SensitivityOptions search = options_.search.sensitivity();
    search.radius = radius;
    // Words are compared with each other: a value within a few percent ranks them, at an eighth of the cost.
    if (!search.starts) search.starts = 1;
    if (!search.tolerance) search.tolerance = 1e-3;
    return measure_token(*sample_, token, search, stream).sensitivity;
  }

  // The typical case beside the worst: random moves of the same length, and other words of the vocabulary in its place.
  void average(Word& word) const {
    const Stream stream = Stream(options_.search.seed).derive("average").derive(static_cast<std::uint64_t>(word.token));
    const auto view = sample_->token(word.token);
    const auto change = view->change();
    const double radius = options_.radius.of(x_.row(word.token)), norm = sample_->feature_norm();
    for (int k = 0; k < options_.average; ++k) {
      const Stream draw = stream.derive(static_cast<std::uint64_t>(k));
      const Vector direction = gaussian_vector(draw, x_.cols());
      word.average_move += std::sqrt((*change)(direction * (radius / direction.norm()))) / norm / options_.average;
      word.average_replacement += replaced(word.token, draw.derive("word")) / options_.average;
    }
  }

  double replaced(Index token, const Stream& draw) const {
    std::vector<int> ids = ids_;
    ids[static_cast<size_t>(token)] =
        static_cast<int>(draw.uniform(0) * static_cast<double>(model_.transformer->config().vocabulary));
    const Matrix features = map_.features_reference(model_.transformer->embed(ids).cast<double>());
    return (features - sample_->features()).norm() / sample_->feature_norm();
  }

  const LoadedModel& model_;
  const WordsOptions& options_;
  std::vector<int> ids_;
  MatrixF x_;
  ModelMap map_;
  std::unique_ptr<Sample> sample_;
};

std::vector<Record> as_rows(const std::vector<Word>& words, const WordsOptions& options) {
  std::vector<Record> rows;
  for (const Word& word : words) {
    rows.push_back({{"word", word.text},
                    {"sensitivity", word.sensitivity},
                    {"token", static_cast<std::int64_t>(word.token)},
                    {"tokens", static_cast<std::int64_t>(word.tokens.size())},
                    {"begin", static_cast<std::int64_t>(word.bytes[0])},
                    {"end", static_cast<std::int64_t>(word.bytes[1])}});
    if (options.average > 0) {
      rows.back().set("average_move", word.average_move);
      rows.back().set("average_replacement", word.average_replacement);
    }
  }
  return rows;
}

// The text itself, the more a word sways the deeper its colour; only for a terminal.
std::string coloured(const std::string& text, const std::vector<Word>& words) {
  double low = HUGE_VAL, high = 0;
  for (const Word& word : words) {
    low = std::min(low, word.sensitivity);
    high = std::max(high, word.sensitivity);
  }
  std::string result;
  size_t done = 0;
  for (const Word& word : words) {
    const double share = high > low ? (word.sensitivity - low) / (high - low) : 0;
    const auto level = [&](double from, double to) { return static_cast<std::uint8_t>(from + share * (to - from)); };
    result += text.substr(done, static_cast<size_t>(word.bytes[0]) - done);
    result +=
        fmt::format(fmt::bg(fmt::rgb(level(255, 253), level(255, 141), level(255, 60))) | fmt::fg(fmt::color::black),
                    "{}", word.text);
    done = static_cast<size_t>(word.bytes[1]);
  }
  return result + text.substr(done) + "\n\n";
}

void measure_text(const LoadedModel& model, const LabelledText& text, const Encoding& encoding,
                  const WordsOptions& options, TextRows& output) {
  std::vector<Word> words = group_words(text.text, encoding);
  const Meter meter(model, encoding, options);
  say(options.common, fmt::format("{} words, {} tokens: {}", words.size(), encoding.size(),
                                  options.fast ? fmt::format("{} evaluations a token", kFastIterations)
                                               : fmt::format("about 100 evaluations a token; --fast ranks them with {}",
                                                             kFastIterations)));
  if (options.fast && meter.longest_move() > kShortMove)
    say(options.common,
        fmt::format("--fast ranks words well for short moves, such as --radius {}; for one of {:.2g}·√d "
                    "do without it",
                    kShortMove, meter.longest_move()));
  meter.measure(words, progress_on_stderr(options.common.quiet));
  if (!options.chart.empty()) {
    BarChart chart{
        "Word sensitivity of " + model.transformer->name() + ", layer " + options.layer, "word sensitivity", {}};
    for (const Word& word : words) chart.bars.push_back({word.text, word.sensitivity});
    write_bar_chart(chart, {options.chart});
  }
  if (options.common.format == "table" && isatty(STDOUT_FILENO) != 0) print_out(coloured(text.text, words));
  output.add(as_rows(words, options));
}

void measure_words(const WordsOptions& options) {
  const LoadedModel model = load_model(options.model);
  const auto texts = read_texts(options.texts);
  if (!options.chart.empty()) require_text(texts, options.texts);
  if (!options.chart.empty() && texts.size() != 1)
    throw UsageError(fmt::format("--chart draws one text; there are {}", texts.size()));
  tell_missing_fonts(options.chart, texts, options.common);
  const auto encodings = encode_texts(model, texts, options.common);
  TextRows output(options.common.format, texts.size());
  for (size_t t = 0; t < texts.size(); ++t) measure_text(model, texts[t], encodings[t], options, output);
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
