// wordsway substitute: what happens when words of a text are replaced by other real words.
#include "wordsway/audit/substitute.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands/commands.h"
#include "commands/text_study.h"
#include "options/numbers.h"
#include "wordsway/audit/similarity.h"
#include "wordsway/core/error.h"

namespace wordsway::app {
namespace {

struct SubstituteCommand : TextStudyOptions {
  std::optional<std::string> word, candidates, unit;
  std::optional<Index> token, evaluations;
  std::optional<double> threshold;
  Index top = 5;
  bool exhaustive = false;
  std::uint64_t seed = 1;
};

// One word per line; the texts of a jsonl or csv file are words too.
std::vector<std::string> read_candidates(const std::string& path) {
  std::vector<std::string> words;
  for (LabelledText& text : read_corpus(path)) {
    const size_t begin = text.text.find_first_not_of(" \t"), end = text.text.find_last_not_of(" \t");
    if (begin != std::string::npos) words.push_back(text.text.substr(begin, end - begin + 1));
  }
  if (words.empty()) throw DataError(path + ": there is no word in it");
  return words;
}

SubstituteStudyOptions study_options(const SubstituteCommand& options) {
  SubstituteStudyOptions result;
  const std::string candidates = options.candidates.value_or(options.threshold ? "plausible" : "all");
  if (candidates == "plausible") {
    result.search.source = CandidateSource::kPlausible;
  } else if (candidates != "all") {
    result.search.source = CandidateSource::kGiven;
    result.search.given = read_candidates(candidates);
  }
  result.search.evaluations = options.evaluations;
  result.search.exhaustive = options.exhaustive;
  result.search.seed = options.seed;
  result.choice = {options.word, options.token};
  result.top = options.top;
  if (options.threshold)
    result.threshold = cosine_of_threshold(*options.threshold, parse_similarity_unit(*options.unit));
  return result;
}

void say_plan(const SubstituteStudyOptions& study, const CommonOptions& common) {
  const SubstituteOptions& search = study.search;
  if (search.source == CandidateSource::kGiven)
    return say(common, fmt::format("every word is replaced by {} words of yours", search.given.size()));
  const bool all = search.source == CandidateSource::kAll;
  if (search.exhaustive)
    return say(common, fmt::format("every word is replaced by {}",
                                   all ? "every whole word of the vocabulary" : "every word that fits its place"));
  say(common, fmt::format("every word is replaced by {} {}",
                          search.evaluations.value_or(all ? kScreenedEvaluations : kPlausibleEvaluations),
                          all ? "words of the vocabulary, screened by their first-order effect; --exhaustive tries all"
                              : "words that fit its place, the likeliest"));
}

void substitute(const SubstituteCommand& options) {
  if (options.threshold && !options.unit)
    throw UsageError(fmt::format("--threshold {} of what? give --unit: {}", *options.threshold,
                                 fmt::join(similarity_unit_names(), ", ")));
  if (options.unit && !options.threshold) throw UsageError("--unit is that of --threshold, which is not given");
  if (options.threshold && options.output.layer != "pooled")
    throw UsageError("--threshold compares the vectors of texts: give --layer pooled");
  if (options.word && options.token) throw UsageError("give --word or --token, not both");
  const SubstituteStudyOptions ask = study_options(options);
  const StudiedTexts texts = read_studied_texts(options, options.seed);
  const SubstituteStudy study(texts, ask);
  say_plan(ask, options.common);
  run_text_study(study, texts, options);
}

}  // namespace

void add_substitute_command(CLI::App& app) {
  auto options = std::make_shared<SubstituteCommand>();
  CLI::App* command =
      app.add_subcommand("substitute", "Which real words change a text most, and which could be swapped unnoticed");
  add_text_study_options(*command, *options);
  command->add_option("--word", options->word, "Replace this word alone, wherever it stands (default: every word)");
  command
      ->add_option("--token", options->token,
                   "Replace the word of this token alone, counted from 0 (default: every word)")
      ->check(CLI::Range(0, 100'000'000));
  command->add_option("--top", options->top, "How many replacements to show for each word")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--candidates", options->candidates,
                      "all: the whole words of the vocabulary; plausible: those that a masked-word head gives the "
                      "place, numbers for numbers, names for names; or a FILE with one word per line (default: all, "
                      "with --threshold plausible)");
  command
      ->add_option("--evaluations", options->evaluations,
                   fmt::format("Most candidates evaluated for each word (default: {} of all, {} plausible ones)",
                               kScreenedEvaluations, kPlausibleEvaluations))
      ->check(CLI::Range(1, 100'000'000));
  command->add_flag("--exhaustive", options->exhaustive, "Evaluate every candidate instead of the best of a screening");
  command->add_option("--threshold", options->threshold,
                      "Show which words can be swapped without leaving this similarity, most harmful first; needs "
                      "--unit and --layer pooled (without it: which swaps change most)");
  command
      ->add_option("--unit", options->unit,
                   "Of the threshold: cosine, distance, score01 or l2sq (required with --threshold)")
      ->check(one_of("unit", similarity_unit_names()));
  add_seed_option(*command, options->seed, "For the first candidates of the screening, and for --select");
  add_common_options(*command, options->common);
  add_examples(*command,
               "  wordsway substitute \"please enable dark mode\" --word enable --candidates plausible\n"
               "  wordsway substitute -m MODEL --layer pooled \"please enable dark mode\" --top 3\n"
               "  wordsway substitute -m MODEL --layer pooled -i questions.txt --threshold 0.9 --unit cosine",
               "Every change is that of the changed text, embedded afresh. screened_rank is the\n"
               "place of a word in the order of evaluation. With --layer logits rows are ordered\n"
               "by the divergence of the next word's distribution. With --threshold one row for\n"
               "each word: the most harmful swap within it, the cosine of the two words by\n"
               "themselves (`alone`), others (`also`), and how many there are (`swaps`).");
  command->callback([options] { substitute(*options); });
}

}  // namespace wordsway::app
