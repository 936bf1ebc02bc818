// pairs: does an encoder notice the word that turns the meaning?
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/choices/sample_choice.h"
#include "wordsway/ask/choices/threshold_choice.h"
#include "wordsway/ask/pairs_study.h"
#include "wordsway/ask/question.h"
#include "wordsway/audit/pair_audit.h"
#include "wordsway/audit/pairs_text.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/model_charts.h"
#include "wordsway/figures/pairs/ci_reports.h"
#include "wordsway/figures/pairs/pairs_page.h"
#include "wordsway/io/atomic_file.h"
#include "wordsway/io/json.h"
#include "wordsway/io/row_text.h"
#include "wordsway/text/pairs/builtin_pairs.h"
#include "wordsway/text/pairs/pair_file.h"

namespace wordsway {
namespace {

// The limit on the page.
constexpr size_t kMostPairsOfContent = 10'000;
constexpr size_t kMostLinesOfContent = 2000;  // all are compared with each other

struct PairsRequest {
  std::vector<std::string> given;                   // a file, or two texts
  std::optional<std::string> a, b;                  // two texts
  std::optional<std::string> content, format, set;  // the page sends the content of a file
  std::string content_name = "a dropped file";
  std::string all, texts_out, junit, html, json_out;
  ModelInput model;
  PromptInput prompt;
  std::optional<double> threshold, max_false_merges, min_kept;
  std::optional<std::string> unit, preset, baseline;
  bool github = false;
  ArrayChoice vectors;
  RunChoice run;

  static void describe(Fields<PairsRequest>& fields);
  void check() const;

  bool compares_two() const { return given.size() == 2 || a.has_value(); }
};

void describe_pairs(Fields<PairsRequest>& fields) {
  fields
      .texts(
          "given", &PairsRequest::given,
          "Pairs of your own: .jsonl or .csv with anchor, changed, control, class; or two texts in quotes to compare "
          "(without it: the built-in set)")
      .argument("FILE")
      .in_python("pairs")
      .not_on_page();
  fields.text("a", &PairsRequest::a, "The first of two texts to compare").only_for({FrontEnd::kPage});
  fields.text("b", &PairsRequest::b, "The second").only_for({FrontEnd::kPage});
  fields.text("content", &PairsRequest::content, "The content of a file of pairs, or of lines that must stay apart")
      .only_for({FrontEnd::kPython, FrontEnd::kPage});
  fields.choice("format", &PairsRequest::format, {"csv", "tsv", "jsonl", "txt"}, "What the content is")
      .by_default("csv")
      .only_for({FrontEnd::kPython, FrontEnd::kPage});
  fields.text("content_name", &PairsRequest::content_name, "What results call the content")
      .only_for({FrontEnd::kPython});
  fields.choice("set", &PairsRequest::set, {"builtin"}, "The built-in set").only_for({FrontEnd::kPage});
  fields.path("all", &PairsRequest::all, FieldKind::kInput,
              "A file with one text per line, every two of which must stay apart (without it: pairs)");
}

void describe_rules(Fields<PairsRequest>& fields) {
  fields
      .number("max_false_merges", &PairsRequest::max_false_merges, {0, 1},
              "Fail when a larger share of the reversals merges, from 0 to 1")
      .by_default("no limit; 0 with --all");
  fields
      .number("min_kept", &PairsRequest::min_kept, {0, 1},
              "Fail when a smaller share of the paraphrases stays together, from 0 to 1")
      .by_default("no limit");
  fields.path("baseline", &PairsRequest::baseline, FieldKind::kInput,
              "Fail when a class is worse than in this file, the JSON of an earlier run on the same pairs, beyond "
              "chance: McNemar's exact test, p < 0.01 (without it: nothing is compared)");
}

void describe_files(Fields<PairsRequest>& fields) {
  const auto only_shell = std::vector{FrontEnd::kShell};
  fields.path("html", &PairsRequest::html, FieldKind::kOutput, "Write one page for a browser (without it: no page)")
      .only_for(only_shell);
  fields
      .path("json", &PairsRequest::json_out, FieldKind::kOutput,
            "Write the JSON that --baseline reads, whatever --format says (without it: not written)")
      .only_for(only_shell);
  fields
      .path("junit", &PairsRequest::junit, FieldKind::kOutput,
            "Write JUnit XML: one suite for each class (without it: not written)")
      .only_for(only_shell);
  fields
      .flag("github", &PairsRequest::github,
            "Write annotations for a GitHub workflow to stderr, and a table to $GITHUB_STEP_SUMMARY")
      .role(FieldRole::kDisplay)
      .only_for(only_shell);
  fields
      .path("texts_out", &PairsRequest::texts_out, FieldKind::kOutput,
            "Write the texts, each once, one per line (or as .jsonl), to be embedded elsewhere, and stop (without it: "
            "they are not written)")
      .only_for(only_shell);
  fields.array("vectors", &PairsRequest::vectors,
               "Take these vectors of the texts of --texts-out, in the same order: .npy, texts x d (without it: the "
               "model makes them)");
}

void PairsRequest::describe(Fields<PairsRequest>& fields) {
  describe_pairs(fields);
  fields.include(&PairsRequest::model);
  fields
      .number("threshold", &PairsRequest::threshold, {-1e308, 1e308},
              "Texts at least this similar are merged, as in your cache; needs --unit")
      .by_default("cosine 0.8");
  fields.choice(
      "unit", &PairsRequest::unit, similarity_unit_names(),
      "Unit of the threshold: cosine, distance (1 - cosine), score01 ((1 + cosine)/2) or l2sq (squared distance of "
      "unit vectors) (required with --threshold)");
  std::vector<std::string> presets;
  for (const ThresholdPreset& preset : threshold_presets()) presets.emplace_back(preset.name);
  fields
      .text("preset", &PairsRequest::preset,
            "The threshold of a known cache: `wordsway list presets` (without it: --threshold)")
      .choices(presets, false);
  fields.include(&PairsRequest::prompt);
  describe_rules(fields);
  describe_files(fields);
  fields.include(&PairsRequest::run);
  fields.check([](const PairsRequest& request) { request.check(); });
}

void PairsRequest::check() const {
  if (given.size() > 2)
    throw UsageError("pairs takes one FILE of pairs, or two texts to compare; there are " +
                     std::to_string(given.size()) + " arguments");
  if (a.has_value() != b.has_value()) throw UsageError("a and b belong together: give both texts");
  if ((a ? 1 : 0) + (content ? 1 : 0) + (set ? 1 : 0) > 1)
    throw UsageError("give two texts (a and b), content or set, and not two of them");
  if (!all.empty() && !given.empty()) throw UsageError("give {all} FILE or pairs, not both");
  if (!vectors.empty() && !model.model.empty())
    throw UsageError("{vectors} takes the place of {model}: give one of them");
  if (!all.empty() && min_kept) throw UsageError("{min_kept} is about paraphrases, which {all} has none of");
  if (!all.empty() && baseline) throw UsageError("{baseline} compares pairs, not {all}");
  if (!vectors.empty() && (!run.out.empty() || run.dry_run))
    throw UsageError("with {vectors} nothing is computed that a journal could keep or an estimate be made of");
  if (threshold && preset) throw UsageError("give {threshold} or {preset}, not both");
  check_threshold(threshold, unit);
  choose_threshold(threshold, unit, preset);
}

// Either pairs, or texts that must all stay apart from each other.
struct PairTexts {
  std::string name;
  std::vector<TextPair> pairs;
  std::vector<std::string> texts;
  bool of_all = false;

  std::vector<std::string> distinct() const { return of_all ? texts : distinct_texts(pairs); }
};

std::vector<std::string> different_lines(std::vector<TextPair> lines, Index count, Context& context) {
  std::vector<std::string> texts = distinct_texts(lines);
  if (static_cast<Index>(texts.size()) < count)
    context.warn(fmt::format("{} of {} lines are empty or the same as another: they are left out",
                             count - static_cast<Index>(texts.size()), count));
  return texts;
}

PairTexts read_all(const PairsRequest& request, Context& context) {
  std::vector<TextPair> lines;
  Index count = 0;
  for (LabelledText& text : read_corpus(request.all)) {
    ++count;
    if (!text.text.empty()) lines.push_back({text.text, text.text});
  }
  return {request.all, {}, different_lines(std::move(lines), count, context), true};
}

CorpusFormat format_named(const std::string& name) {
  return name == "csv" ? CorpusFormat::kCsv : name == "tsv" ? CorpusFormat::kTsv : CorpusFormat::kJsonLines;
}

// A mistake in a file that the page sends is a DataError, as for a file that is read.
PairTexts read_content(const PairsRequest& request, const Context& context) {
  constexpr std::uint64_t kMostUnpacked = std::uint64_t{16} << 20;
  std::istringstream stream(*request.content);
  TextLines lines(open_bytes("-", stream, kMostUnpacked), "the file");
  const std::string format = request.format.value_or("csv");
  PairTexts input{request.content_name, {}, {}, format == "txt"};
  if (!input.of_all) {
    input.pairs = read_pairs(lines, format_named(format));
    if (context.is_page() && input.pairs.size() > kMostPairsOfContent)
      throw DataError(
          fmt::format("the file has {} pairs; at most {} are taken", input.pairs.size(), kMostPairsOfContent));
    return input;
  }
  std::vector<TextPair> all;
  read_plain_text(lines, [&](LabelledText&& text) {
    if (!text.text.empty()) all.push_back({text.text, text.text});
    return true;
  });
  input.texts = distinct_texts(all);
  if (context.is_page() && input.texts.size() > kMostLinesOfContent)
    throw DataError(
        fmt::format("the file has {} lines; at most {} are compared", input.texts.size(), kMostLinesOfContent));
  return input;
}

PairTexts read_input(const PairsRequest& request, Context& context) {
  if (!request.all.empty()) return read_all(request, context);
  if (request.content) return read_content(request, context);
  if (request.a) return {"two texts", {{*request.a, *request.b, {}, kUnnamedClass}}, {}};
  if (request.compares_two()) return {"two texts", {{request.given[0], request.given[1], {}, kUnnamedClass}}, {}};
  if (request.given.empty()) return {"builtin", builtin_pairs(), {}};
  const std::string& file = request.given.front();
  if (file != "-" && corpus_format_by_name(file) == CorpusFormat::kText)
    throw UsageError(fmt::format(
        "'{}': a file of pairs ends in .jsonl, .csv or .tsv; to compare two texts, give both of them in quotes", file));
  return {file, read_pairs(file), {}};
}

Answer write_texts(const PairsRequest& request, const std::vector<std::string>& texts) {
  std::string content;
  const bool as_json = request.texts_out.ends_with(".jsonl");
  for (const std::string& text : texts) {
    if (!as_json && text.find_first_of("\r\n") != std::string::npos)
      throw DataError(fmt::format("a text has several lines: \"{}\"; write them to a .jsonl file instead", text));
    content += as_json ? to_json(Record{{"text", text}}) : text;
    content += '\n';
  }
  write_file_atomically(request.texts_out, content);
  return rows_answer({{{"out", request.texts_out}, {"texts", static_cast<std::int64_t>(texts.size())}}});
}

PairAuditOptions audit_options(const PairsRequest& request, const PairTexts& input, Context& context) {
  PairAuditOptions result;
  result.name = input.name;
  result.threshold = choose_threshold(request.threshold, request.unit, request.preset);
  if (!request.threshold && !request.preset)
    context.warn(
        fmt::format("no threshold was given: {} is taken; {{threshold}} and {{unit}}, or {{preset}}, say what yours is",
                    result.threshold.describe()));
  result.rules.max_false_merges = request.max_false_merges;
  result.rules.min_kept = request.min_kept;
  if (request.baseline) result.rules.baseline = read_pair_baseline(*request.baseline);
  // Texts that must stay apart imply a rule.
  if (input.of_all && !request.max_false_merges) result.rules.max_false_merges = 0;
  return result;
}

// Warns about texts that were cut: a model cannot notice a word that was cut off.
EncodedByText encode_by_text(const Model& model, const std::vector<std::string>& texts, const std::string& prompt,
                             Context& context) {
  std::vector<LabelledText> labelled;
  labelled.reserve(texts.size());
  for (const std::string& text : texts) labelled.push_back({text, std::nullopt, "'" + text + "'"});
  std::vector<Encoding> encodings = encode_with_warnings(model, labelled, context, {.prompt = prompt});
  EncodedByText encoded;
  for (size_t k = 0; k < texts.size(); ++k) encoded.emplace(texts[k], std::move(encodings[k]));
  return encoded;
}

// Returns nothing after a dry run, and in processes that do not lead.
std::optional<PairAudit> audit(const PairsRequest& request, const PairTexts& input, Context& context) {
  PairAuditOptions options = audit_options(request, input, context);
  if (!request.vectors.empty()) {
    const Matrix vectors = read_matrix(request.vectors, "the array of vectors");
    return input.of_all ? audit_all(vectors, input.texts, options) : audit_pairs(vectors, input.pairs, options);
  }
  if (input.of_all) check_texts_to_compare(input.texts);
  const auto model = request.model.open(context);
  options.prompt = choose_prompt(*model, request.prompt.choice, true);
  context.warn(describe_sentence_use(*model, options.prompt));
  EncodedByText encoded = encode_by_text(*model, input.distinct(), options.prompt, context);
  const PairsStudy study(model, input.pairs, input.texts, std::move(encoded), input.name, options.prompt,
                         context.progress());
  RunHooks hooks;
  hooks.tells_progress = study.size() == 1;
  hooks.shows_rows = false;
  const auto result = context.run(study, request.run, hooks);
  if (!result) return std::nullopt;
  return input.of_all ? audit_all(*model, study.vectors(result->rows), input.texts, options)
                      : audit_pairs(*model, study.similarities(result->rows), input.pairs, options);
}

void write_summary_for_github(const PairAudit& audit) {
  const char* const summary = std::getenv("GITHUB_STEP_SUMMARY");
  if (summary == nullptr || *summary == '\0') return;
  std::ofstream file(summary, std::ios::app | std::ios::binary);
  file << github_summary(audit) << std::flush;
  if (!file) throw FileError(fmt::format("cannot write {}, which GITHUB_STEP_SUMMARY names", summary));
}

void write_files(const PairsRequest& request, const PairAudit& found, Context& context) {
  if (!request.html.empty()) write_file_atomically(request.html, pairs_html(found));
  if (!request.junit.empty()) write_file_atomically(request.junit, junit_xml(found));
  if (!request.json_out.empty()) write_file_atomically(request.json_out, to_json(found));
  if ((!request.junit.empty() || request.github) && !found.verdict.passed())
    context.warn("no rule was given, so nothing can fail: {max_false_merges}, {min_kept}, {baseline}");
  if (request.github) write_summary_for_github(found);
}

Answer answer_of(const PairsRequest& request, const std::shared_ptr<const PairAudit>& found) {
  const bool of_two = request.compares_two();
  Answer answer;
  answer.shape = of_two ? Answer::Shape::kRow : Answer::Shape::kDocument;
  for (const AuditedPair& pair : found->pairs) answer.rows.push_back(row_of(pair, found->steps));
  if (of_two && !found->steps.empty())
    answer.rows.front().merge({{"steps", found->steps}, {"similarities", found->pairs.front().found.by_step}});
  answer.config = found->config;
  answer.json = [found, of_two] { return format_pairs(*found, "json", of_two); };
  answer.table = [found, of_two](int) { return format_pairs(*found, "table", of_two); };
  answer.chart = [found](Bands) { return pairs_chart(*found); };
  answer.documents = {{"html", [found] { return pairs_html(*found); }},
                      {"junit", [found] { return junit_xml(*found); }}};
  if (request.github)
    answer.annotations = github_annotations(
        *found, request.given.size() == 1 && request.given.front() != "-" ? request.given.front() : "");
  if (!found->verdict.passed().value_or(true)) answer.failure = found->verdict.failures();
  return answer;
}

Answer answer(const PairsRequest& request, Context& context) {
  const PairTexts input = read_input(request, context);
  if (!request.texts_out.empty()) return write_texts(request, input.distinct());
  if (context.wants_chart() && (input.of_all || !request.vectors.empty()))
    throw UsageError("a chart shows where a model loses pairs; {all} and {vectors} do not follow them through one");
  std::optional<PairAudit> found = audit(request, input, context);
  if (!found) return {};
  write_files(request, *found, context);
  return answer_of(request, std::make_shared<const PairAudit>(std::move(*found)));
}

Guide guide() {
  Guide guide;
  guide.order = 70;
  guide.summary = "Does an encoder notice the word that turns the meaning? An audit with a verdict";
  guide.examples =
      "  wordsway pairs -m MODEL --preset redisvl --html pairs.html\n"
      "  wordsway pairs -m MODEL \"enable dark mode\" \"disable dark mode\"\n"
      "  wordsway pairs mine.csv -m MODEL --threshold 0.9 --unit cosine \\\n"
      "      --max-false-merges 0.01 --min-kept 0.8 --junit pairs.xml";
  guide.columns =
      "A pair is an anchor and a text in which one word turns the meaning (`changed`);\n"
      "its control says what the anchor says in other words. A good encoder keeps\n"
      "controls within the threshold and changed texts outside.\n"
      "  changed, control  median cosine with the anchor\n"
      "  merged            share of changed texts within the threshold: false merges\n"
      "  kept              share of controls within it\n"
      "  AUROC             chance that a control is more similar than a changed text:\n"
      "                    1 is perfect, 0.5 is guessing, less is inverted\n"
      "  inverted          share of pairs whose changed text beats its control\n"
      "  for 1%, kept then the cosine at which at most 1% merge, and what is kept there\n"
      "docs/pairs.md says how the built-in set was made and what it cannot tell.";
  guide.chart = "Draw where the model loses the pairs, by class";
  guide.row_keys = {"class",  "anchor",       "changed",  "control", "words",   "similarity", "control_similarity",
                    "merged", "control_kept", "inverted", "lost_at", "apart_at"};
  return guide;
}

}  // namespace

void register_pairs(QuestionRegistry& registry) {
  add_question(registry, "pairs", guide(), answer);
}

}  // namespace wordsway
