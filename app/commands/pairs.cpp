// wordsway pairs: does an encoder notice the word that turns the meaning?
#include <cstdlib>
#include <fstream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands/commands.h"
#include "options/chart.h"
#include "options/common.h"
#include "options/model.h"
#include "options/numbers.h"
#include "options/output_paths.h"
#include "output/progress_bar.h"
#include "system/streams.h"
#include "wordsway/audit/pair_audit.h"
#include "wordsway/audit/pairs_text.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/model_charts.h"
#include "wordsway/figures/pairs/ci_reports.h"
#include "wordsway/figures/pairs/pairs_page.h"
#include "wordsway/io/atomic_file.h"
#include "wordsway/io/json.h"
#include "wordsway/io/npy.h"
#include "wordsway/io/row_text.h"
#include "wordsway/text/pairs/builtin_pairs.h"
#include "wordsway/text/pairs/pair_file.h"

namespace wordsway::app {
namespace {

struct PairsCommand {
  std::vector<std::string> given;  // a file, or two texts
  std::string model, all, vectors, texts_out, junit, html, json_out;
  Device device;
  ChartOptions chart;
  PromptOptions prompt;
  std::optional<double> threshold, max_false_merges, min_kept;
  std::optional<std::string> unit, preset, baseline;
  bool github = false;
  CommonOptions common;

  bool compares_two() const { return given.size() == 2; }
};

Threshold threshold_of(const PairsCommand& options) {
  if (options.threshold && options.preset) throw UsageError("give --threshold or --preset, not both");
  if (options.threshold && !options.unit)
    throw UsageError(fmt::format("--threshold {} of what? give --unit: {}", *options.threshold,
                                 fmt::join(similarity_unit_names(), ", ")));
  if (options.unit && !options.threshold) throw UsageError("--unit is that of --threshold, which is not given");
  Threshold threshold = choose_threshold(options.threshold, options.unit, options.preset);
  if (!options.threshold && !options.preset)
    say(options.common, fmt::format("no threshold was given: {} is taken; --threshold and --unit, or --preset, say "
                                    "what yours is",
                                    threshold.describe()));
  return threshold;
}

void check_options(const PairsCommand& options) {
  if (options.given.size() > 2)
    throw UsageError("pairs takes one FILE of pairs, or two texts to compare; there are " +
                     std::to_string(options.given.size()) + " arguments");
  if (!options.all.empty() && !options.given.empty()) throw UsageError("give --all FILE or pairs, not both");
  if (!options.vectors.empty() && !options.model.empty())
    throw UsageError("--vectors takes the place of -m: give one of them");
  if (!options.all.empty() && options.min_kept)
    throw UsageError("--min-kept is about paraphrases, which --all has none of");
  if (!options.all.empty() && options.baseline) throw UsageError("--baseline compares pairs, not --all");
}

// Lines that differ, in their order.
std::vector<std::string> different_lines(const PairsCommand& options) {
  std::vector<TextPair> lines;
  Index count = 0;
  for (LabelledText& text : read_corpus(options.all)) {
    ++count;
    if (!text.text.empty()) lines.push_back({text.text, text.text});
  }
  std::vector<std::string> texts = distinct_texts(lines);
  if (static_cast<Index>(texts.size()) < count)
    say(options.common, fmt::format("{} of {} lines are empty or the same as another: they are left out",
                                    count - static_cast<Index>(texts.size()), count));
  return texts;
}

std::vector<TextPair> read_given(const PairsCommand& options) {
  if (options.given.empty()) return builtin_pairs();
  if (options.compares_two()) return {{options.given[0], options.given[1], {}, kUnnamedClass}};
  const std::string& file = options.given.front();
  if (file != "-" && corpus_format_by_name(file) == CorpusFormat::kText)
    throw UsageError(fmt::format(
        "'{}': a file of pairs ends in .jsonl, .csv or .tsv; to compare two texts, give both of them in quotes", file));
  return read_pairs(file);
}

std::string name_of(const PairsCommand& options) {
  if (!options.all.empty()) return options.all;
  if (options.compares_two()) return "two texts";
  return options.given.empty() ? "builtin" : options.given.front();
}

void write_texts(const PairsCommand& options, const std::vector<std::string>& texts) {
  std::string content;
  const bool as_json = options.texts_out.ends_with(".jsonl");
  for (const std::string& text : texts) {
    if (!as_json && text.find_first_of("\r\n") != std::string::npos)
      throw DataError(fmt::format("a text has several lines: \"{}\"; write them to a .jsonl file instead", text));
    content += as_json ? to_json(Record{{"text", text}}) : text;
    content += '\n';
  }
  write_file_atomically(options.texts_out, content);
  print_out(format_rows({{{"out", options.texts_out}, {"texts", static_cast<std::int64_t>(texts.size())}}},
                        options.common.format));
}

PairAuditOptions audit_options(const PairsCommand& options) {
  PairAuditOptions result;
  result.name = name_of(options);
  result.threshold = threshold_of(options);
  result.rules.max_false_merges = options.max_false_merges;
  result.rules.min_kept = options.min_kept;
  if (options.baseline) result.rules.baseline = read_pair_baseline(*options.baseline);
  // Texts that must stay apart are a rule by themselves.
  if (!options.all.empty() && !options.max_false_merges) result.rules.max_false_merges = 0;
  return result;
}

// A word that was cut off cannot be noticed.
void tell_cut_texts(const Model& model, const std::vector<std::string>& texts, const std::string& prompt,
                    const CommonOptions& common) {
  std::vector<LabelledText> labelled;
  labelled.reserve(texts.size());
  for (const std::string& text : texts) labelled.push_back({text, std::nullopt, "'" + text + "'"});
  encode_with_remark(model, labelled, common, {.prompt = prompt});
}

PairAudit audit(const PairsCommand& options, PairAuditOptions ask, std::vector<TextPair> pairs,
                const std::vector<std::string>& texts) {
  if (!options.vectors.empty()) {
    const Matrix vectors = read_npy_matrix(options.vectors);
    return options.all.empty() ? audit_pairs(vectors, std::move(pairs), ask) : audit_all(vectors, texts, ask);
  }
  const Model model = open_model(options.model, options.device);
  ask.prompt = choose_prompt(model, options.prompt, true);
  tell_sentence_use(model, true, ask.prompt, options.common);
  tell_cut_texts(model, options.all.empty() ? distinct_texts(pairs) : texts, ask.prompt, options.common);
  const Progress progress = progress_on_stderr(options.common.quiet);
  return options.all.empty() ? audit_pairs(model, std::move(pairs), ask, progress)
                             : audit_all(model, texts, ask, progress);
}

void tell_github(const PairAudit& audit, const PairsCommand& options) {
  const bool from_file = options.given.size() == 1 && options.given.front() != "-";
  write_error({github_annotations(audit, from_file ? options.given.front() : "")});
  const char* const summary = std::getenv("GITHUB_STEP_SUMMARY");
  if (summary == nullptr || *summary == '\0') return;
  std::ofstream file(summary, std::ios::app | std::ios::binary);
  file << github_summary(audit) << std::flush;
  if (!file) throw FileError(fmt::format("cannot write {}, which GITHUB_STEP_SUMMARY names", summary));
}

void run_pairs(const PairsCommand& options) {
  check_options(options);
  std::vector<std::string> texts;
  std::vector<TextPair> pairs;
  if (!options.all.empty()) {
    texts = different_lines(options);
  } else {
    pairs = read_given(options);
  }
  if (!options.texts_out.empty()) return write_texts(options, options.all.empty() ? distinct_texts(pairs) : texts);
  if (!options.chart.empty() && (!options.all.empty() || !options.vectors.empty()))
    throw UsageError("--chart shows where a model loses pairs; --all and --vectors do not follow them through one");
  const PairAudit found = audit(options, audit_options(options), std::move(pairs), texts);
  if (!options.chart.empty()) write_heat_map(losses_chart(found), options.chart.canvas());
  if (!options.html.empty()) write_file_atomically(options.html, pairs_html(found));
  if (!options.junit.empty()) write_file_atomically(options.junit, junit_xml(found));
  if (!options.json_out.empty()) write_file_atomically(options.json_out, to_json(found));
  if ((!options.junit.empty() || options.github) && !found.verdict.passed())
    say(options.common, "no rule was given, so nothing can fail: --max-false-merges, --min-kept, --baseline");
  print_out(format_pairs(found, options.common.format, options.compares_two()));
  if (options.github) tell_github(found, options);
  if (!found.verdict.passed().value_or(true)) throw CheckFailed(found.verdict.failures());
}

void add_rule_options(CLI::App& command, PairsCommand& options) {
  command
      .add_option("--max-false-merges", options.max_false_merges,
                  "Fail when a larger share of the reversals merges, from 0 to 1 (default: no limit; 0 with --all)")
      ->check(number_between(0, 1, "the share of false merges"));
  command
      .add_option("--min-kept", options.min_kept,
                  "Fail when a smaller share of the paraphrases stays together, from 0 to 1 (default: no limit)")
      ->check(number_between(0, 1, "the share of paraphrases kept"));
  command.add_option("--baseline", options.baseline,
                     "Fail when a class is worse than in this file, the JSON of an earlier run on the same pairs, "
                     "beyond chance: McNemar's exact test, p < 0.01 (without it: nothing is compared)");
}

void add_file_options(CLI::App& command, PairsCommand& options) {
  add_output_option(command, "--html", options.html, "Write one page for a browser (without it: no page)");
  add_output_option(command, "--json", options.json_out,
                    "Write the JSON that --baseline reads, whatever --format says (without it: not written)");
  add_output_option(command, "--junit", options.junit,
                    "Write JUnit XML: one suite for each class (without it: not written)");
  command.add_flag("--github", options.github,
                   "Write annotations for a GitHub workflow to stderr, and a table to $GITHUB_STEP_SUMMARY");
  add_chart_option(command, options.chart,
                   "Draw where the model loses the pairs, by class: .svg, .pdf, .png or .tex (without it: no picture)");
  add_output_option(command, "--texts-out", options.texts_out,
                    "Write the texts, each once, one per line (or as .jsonl), to be embedded elsewhere, and stop "
                    "(without it: they are not written)");
  command.add_option("--vectors", options.vectors,
                     "Take these vectors of the texts of --texts-out, in the same order: .npy, texts x d (without it: "
                     "the model makes them)");
}

}  // namespace

void add_pairs_command(CLI::App& app) {
  auto options = std::make_shared<PairsCommand>();
  CLI::App* command =
      app.add_subcommand("pairs", "Does an encoder notice the word that turns the meaning? An audit with a verdict");
  command
      ->add_option("FILE", options->given,
                   "Pairs of your own: .jsonl or .csv with anchor, changed, control, class; or two texts in quotes to "
                   "compare (without it: the built-in set)")
      ->delimiter('\0');
  command->add_option("--all", options->all,
                      "A file with one text per line, every two of which must stay apart (without it: pairs)");
  add_model_option(*command, options->model);
  add_device_options(*command, options->device);
  command->add_option("--threshold", options->threshold,
                      "Texts at least this similar are merged, as in your cache; needs --unit (default: cosine 0.8)");
  command
      ->add_option(
          "--unit", options->unit,
          "Of the threshold: cosine, distance (1 - cosine), score01 ((1 + cosine)/2) or l2sq (squared distance "
          "of unit vectors) (required with --threshold)")
      ->check(one_of("unit", similarity_unit_names()));
  std::vector<std::string> presets;
  for (const ThresholdPreset& preset : threshold_presets()) presets.emplace_back(preset.name);
  command
      ->add_option("--preset", options->preset,
                   "The threshold of a known cache: `wordsway list presets` (without it: --threshold)")
      ->check(such_as(presets));
  add_prompt_options(*command, options->prompt);
  add_rule_options(*command, *options);
  add_file_options(*command, *options);
  add_common_options(*command, options->common);
  add_examples(*command,
               "  wordsway pairs -m MODEL --preset redisvl --html pairs.html\n"
               "  wordsway pairs -m MODEL \"enable dark mode\" \"disable dark mode\"\n"
               "  wordsway pairs mine.csv -m MODEL --threshold 0.9 --unit cosine \\\n"
               "      --max-false-merges 0.01 --min-kept 0.8 --junit pairs.xml",
               "A pair is an anchor and a text in which one word turns the meaning (`changed`);\n"
               "its control says what the anchor says in other words. A good encoder keeps\n"
               "controls within the threshold and changed texts outside.\n"
               "  changed, control  median cosine with the anchor\n"
               "  merged            share of changed texts within the threshold: false merges\n"
               "  kept              share of controls within it\n"
               "  AUROC             chance that a control is more similar than a changed text:\n"
               "                    1 is perfect, 0.5 is guessing, less is upside down\n"
               "  inverted          share of pairs whose changed text beats its control\n"
               "  for 1%, kept then the cosine at which at most 1% merge, and what is kept there\n"
               "docs/pairs.md says how the built-in set was made and what it cannot tell.");
  command->callback([options] { run_pairs(*options); });
}

}  // namespace wordsway::app
