// substitute: what happens when words of a text are replaced by other real words?
#include "wordsway/audit/substitute.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/ask/choices/candidate_choice.h"
#include "wordsway/ask/choices/search_choice.h"
#include "wordsway/ask/choices/text_question.h"
#include "wordsway/ask/choices/threshold_choice.h"
#include "wordsway/ask/question.h"
#include "wordsway/audit/similarity.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

constexpr Index kMostTokenNumber = 100'000'000;

struct SubstituteRequest {
  TextQuestion about;
  std::optional<std::string> word, unit;
  CandidateChoice candidates;
  std::optional<Index> token, evaluations;
  Index top = 5;
  bool exhaustive = false;
  std::optional<double> threshold;
  SeedChoice seed;

  static void describe(Fields<SubstituteRequest>& fields);
};

void SubstituteRequest::describe(Fields<SubstituteRequest>& fields) {
  fields.include(&SubstituteRequest::about);
  fields.text("word", &SubstituteRequest::word, "Replace this word alone, wherever it stands").by_default("every word");
  fields
      .whole("token", &SubstituteRequest::token, {0, kMostTokenNumber},
             "Replace the word of this token alone, counted from 0")
      .by_default("every word");
  fields.whole("top", &SubstituteRequest::top, {1, 1'000'000}, "How many replacements to show for each word")
      .page_takes({1, 1000});
  fields.include(&SubstituteRequest::candidates,
                 "alike; plausible with --threshold, all with --evaluations or --exhaustive");
  fields
      .whole("evaluations", &SubstituteRequest::evaluations, {1, 100'000'000},
             "Most candidates evaluated for each word")
      .by_default(fmt::format("{} of all, {} plausible ones", kScreenedEvaluations, kPlausibleEvaluations))
      .page_takes({1, 100'000});
  fields.flag("exhaustive", &SubstituteRequest::exhaustive,
              "Evaluate every candidate instead of the best of a screening");
  fields.number("threshold", &SubstituteRequest::threshold, {-1e308, 1e308},
                "Show which words can be swapped without leaving this similarity, most harmful first; needs --unit and "
                "--layer pooled (without it: which swaps change most)");
  fields.choice("unit", &SubstituteRequest::unit, similarity_unit_names(),
                "Unit of the threshold: cosine, distance, score01 or l2sq (required with --threshold)");
  fields.include(&SubstituteRequest::seed, "For the first candidates of the screening, and for --select");
  fields.check([](const SubstituteRequest& request) {
    check_threshold(request.threshold, request.unit);
    if (request.threshold && request.about.output.layer != "pooled")
      throw UsageError("{threshold} compares the vectors of texts: give {layer} pooled");
    if (request.word && request.token) throw UsageError("give {word} or {token}, not both");
  });
}

SubstituteStudyOptions study_options(const SubstituteRequest& request) {
  SubstituteStudyOptions result;
  // A limit on evaluations speaks of many words.
  const bool of_many = request.evaluations || request.exhaustive;
  auto candidates = request.candidates.read(request.threshold ? CandidateSource::kPlausible
                                            : of_many         ? CandidateSource::kAll
                                                              : CandidateSource::kAlike);
  if (of_many && candidates.source != CandidateSource::kAll && candidates.source != CandidateSource::kPlausible)
    throw UsageError("{evaluations} and {exhaustive} are for {candidates} all and plausible; all others are evaluated");
  result.search.source = candidates.source;
  result.search.given = std::move(candidates.given);
  result.search.evaluations = request.evaluations;
  result.search.exhaustive = request.exhaustive;
  result.search.seed = request.seed.seed;
  result.choice = {request.word, request.token};
  result.top = request.top;
  if (request.threshold)
    result.threshold = cosine_of_threshold(*request.threshold, parse_similarity_unit(*request.unit));
  return result;
}

std::string plan_of(const SubstituteOptions& search) {
  switch (search.source) {
    case CandidateSource::kAlike:
      return "every word is replaced by other words of the same kind";
    case CandidateSource::kSynonyms:
      return "every word is replaced by its synonyms";
    case CandidateSource::kAntonyms:
      return "every word is replaced by its opposites";
    case CandidateSource::kGiven:
      return fmt::format("words are replaced by {} of yours", search.given.size());
    case CandidateSource::kPlausible:
      if (search.exhaustive) return "every word is replaced by every word of its kind that fits its place";
      return fmt::format("every word is replaced by {} words of its kind that fit its place, the likeliest",
                         search.evaluations.value_or(kPlausibleEvaluations));
    case CandidateSource::kAll:
      break;
  }
  if (search.exhaustive) return "every word is replaced by every whole word of the vocabulary";
  return fmt::format(
      "every word is replaced by {} words of the vocabulary, screened by their first-order effect; {{exhaustive}} "
      "tries all",
      search.evaluations.value_or(kScreenedEvaluations));
}

Answer answer(const SubstituteRequest& request, Context& context) {
  const SubstituteStudyOptions ask = study_options(request);
  const StudiedTexts texts = read_text_question(request.about, ask.search.source, request.seed.seed, context);
  const SubstituteStudy study(texts, ask);
  context.warn(plan_of(ask.search));
  return answer_by_text(study, texts, request.about, context);
}

Guide guide() {
  Guide guide;
  guide.order = 60;
  guide.summary = "Which real words change a text most, and which could be swapped unnoticed";
  guide.examples =
      "  wordsway substitute \"please enable dark mode\"\n"
      "  wordsway substitute \"please enable dark mode\" --word enable --candidates antonyms\n"
      "  wordsway substitute -m MODEL --layer pooled \"please enable dark mode\" --top 3\n"
      "  wordsway substitute -m MODEL --layer pooled -i questions.txt --threshold 0.9 --unit cosine";
  guide.columns =
      "Every change is that of the changed text, embedded afresh. relation says whether\n"
      "the replacement is a synonym, an antonym or a word alike; screened_rank is the\n"
      "place of a word in the order of evaluation. With --layer logits rows are ordered\n"
      "by the divergence of the next word's distribution. With --threshold one row for\n"
      "each word: the most harmful swap within it, the cosine of the two words by\n"
      "themselves (`alone`), others (`also`), and how many there are (`swaps`).";
  guide.row_keys = {"word", "token", "replacement", "change", "cosine", "plausibility", "relation", "screened_rank"};
  guide.data_columns = {"token"};
  return guide;
}

}  // namespace

void register_substitute(QuestionRegistry& registry) {
  add_question(registry, "substitute", guide(), answer);
}

}  // namespace wordsway
