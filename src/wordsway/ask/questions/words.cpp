// words: which words of a text matter to a model?
#include "wordsway/audit/words.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "wordsway/ask/choices/candidate_choice.h"
#include "wordsway/ask/choices/search_choice.h"
#include "wordsway/ask/choices/text_question.h"
#include "wordsway/ask/question.h"
#include "wordsway/core/error.h"
#include "wordsway/core/statistics.h"
#include "wordsway/figures/model_charts.h"
#include "wordsway/text/lexicon/lexicon.h"

namespace wordsway {
namespace {

struct WordsRequest {
  TextQuestion about;
  CandidateChoice candidates;
  bool ball = false, fast = false;
  std::optional<std::string> search_in_ball;  // the page has this field instead of the two
  RadiusChoice radius;
  SearchChoice search;

  static void describe(Fields<WordsRequest>& fields) {
    fields.include(&WordsRequest::about);
    fields.include(&WordsRequest::candidates);
    fields
        .flag("ball", &WordsRequest::ball,
              "Search the worst move of every word's embedding in the ball, the paper's measure: fills `sensitivity` "
              "(for the built-in model that is always filled, by a shorter search)")
        .not_on_page();
    fields
        .flag("fast", &WordsRequest::fast,
              "Search by 6 power iterations instead of the full search: good for short moves (--radius 0.1)")
        .not_on_page();
    fields
        .choice("search_in_ball", &WordsRequest::search_in_ball, {"none", "fast", "full"},
                "Whether and how the worst move of every word's embedding in the ball is searched")
        .on_page("ball")
        .only_for({FrontEnd::kPage});
    fields.include(&WordsRequest::radius);
    fields.include(&WordsRequest::search, SearchChoice::Defaults{.trials = "",
                                                                 .starts = fmt::format("{} with --ball", kBallStarts),
                                                                 .tolerance = "1e-4 with --ball"});
    fields.check([](const WordsRequest& request) {
      request.options({});
      // An accepted option that has no effect would mislead.
      if (request.search.trials.value_or(1) != 1)
        throw UsageError(
            fmt::format("{{trials}} {}: a model and a text are given, so there is nothing to draw again, and one trial "
                        "is all there "
                        "is",
                        *request.search.trials));
    });
  }

  /// Candidates may be in a file, so the caller reads them, once.
  WordOptions options(CandidateChoice::Candidates tried) const {
    const std::string in_ball = search_in_ball.value_or("");
    WordOptions result;
    result.source = tried.source;
    result.given = std::move(tried.given);
    result.search = search.options();
    result.search.radius = radius.value();
    choose_ball(result,
                {ball || in_ball == "full", fast || in_ball == "fast", !search_in_ball && about.model.is_builtin()});
    result.seed = search.seed.seed;
    return result;
  }
};

std::string plan_of(const WordOptions& ask) {
  auto fit = fmt::format("{} words of its kind that fit the place", ask.replacements);
  switch (ask.source) {
    case CandidateSource::kAlike:
      return "words alike";
    case CandidateSource::kSynonyms:
      return "its synonyms";
    case CandidateSource::kAntonyms:
      return "its opposites";
    case CandidateSource::kPlausible:
      return fit;
    case CandidateSource::kAll:
      return fmt::format("{} words that fit and {} in search of the worst", ask.replacements, ask.replacements);
    case CandidateSource::kGiven:
      break;
  }
  return fmt::format("{} words of yours", ask.given.size());
}

// Says what will be computed, and warns if the quick search cannot be trusted.
void warn_of_plan(const StudiedTexts& texts, const WordOptions& ask, bool fast, Context& context) {
  if (texts.texts.size() != 1) return;
  const Encoding& encoding = texts.encodings.front();
  const size_t words = words_of(texts.texts.front().text, encoding).size();
  if (words == 0) return;  // nothing can change
  context.warn(
      fmt::format("{} words, {} tokens: each word is replaced by {}, its commonest synonym and opposite, and "
                  "left out{}",
                  words, encoding.size(), plan_of(ask),
                  ask.ball == BallSearch::kNone ? "; {ball} adds the worst move in the ball" : ""));
  if (ask.source == CandidateSource::kAlike && lexicon_of(texts.texts.front().text) == nullptr)
    context.warn(
        "The text is not in a language that wordsway has a lexicon of: words alike are words of the model's "
        "vocabulary of similar frequency, and there are no synonyms and no opposites");
  if (!fast) return;
  const Matrix X = texts.model->transformer->embed(encoding.ids).cast<double>();
  double longest = 0;
  for (Index token = 0; token < X.rows(); ++token)
    longest = std::max(longest, ask.search.radius.of(X.row(token)) / std::sqrt(static_cast<double>(X.cols())));
  if (longest > kShortMove)
    context.warn(fmt::format(
        "{{fast}} ranks words well for short moves, such as {{radius}} {}; for one of {:.2g}·√d take {{ball}}",
        kShortMove, longest));
}

std::optional<double> number(const Record& row, const std::string& name) {
  return row.missing(name) ? std::nullopt : std::optional(row.number(name));
}

// A change that keeps the meaning is noise, so the mean change by synonyms has no colour.
ColouredText coloured(const std::string& text, const std::vector<Record>& rows) {
  const bool of_logits = !rows.empty() && rows.front().find("typical_divergence") != nullptr;
  const std::string column = of_logits ? "typical_divergence" : "typical";
  const std::string synonyms = of_logits ? "synonym_divergence" : "synonym_change";
  double zero = 0, high = 0;
  Index count = 0;
  for (const Record& row : rows) {
    high = std::max(high, number(row, column).value_or(0));
    if (const auto change = number(row, synonyms)) zero += *change, ++count;
  }
  if (count > 0) zero /= static_cast<double>(count);
  ColouredText result{text, {}};
  for (const Record& row : rows)
    result.spans.push_back(
        {static_cast<Index>(row.number("begin")), static_cast<Index>(row.number("end")),
         high > zero ? std::max(0.0, number(row, column).value_or(zero) - zero) / (high - zero) : 0});
  return result;
}

// Of the words that have both, those whose opposite moved the model less than their synonym.
class NoticedCount {
 public:
  void add(const std::vector<Record>& rows) {
    for (const Record& row : rows) {
      const bool of_logits = row.find("antonym_divergence") != nullptr;
      const auto antonym = number(row, of_logits ? "antonym_divergence" : "antonym_change");
      const auto synonym = number(row, of_logits ? "synonym_divergence" : "synonym_change");
      if (!antonym || !synonym) continue;
      ++words_;
      less_ += *antonym < *synonym;
    }
  }

  PartsEnd end() const {
    const RateInterval interval = wilson_interval(less_, words_);
    const auto share =
        words_ == 0 ? std::nullopt : std::optional(static_cast<double>(less_) / static_cast<double>(words_));
    PartsEnd end;
    end.summaries["noticed"] = {{"words", std::int64_t{words_}},
                                {"opposite_moved_less", std::int64_t{less_}},
                                {"share", optional_value(share)},
                                {"low", interval.low},
                                {"high", interval.high}};
    if (words_ > 0)
      end.lines =
          fmt::format("\nThe opposite moved the model less than the synonym in {} of the {} words that have both.\n",
                      less_, words_);
    return end;
  }

 private:
  Index words_ = 0, less_ = 0;
};

std::vector<Record> joined(const std::map<size_t, std::vector<Record>>& rows_of_texts) {
  std::vector<Record> all;
  for (const auto& [text, rows] : rows_of_texts) all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

Answer answer(const WordsRequest& request, Context& context) {
  const WordOptions ask = request.options(request.candidates.read());
  const StudiedTexts texts = read_text_question(request.about, ask.source, request.search.seed.seed, context);
  if (context.wants_chart() && texts.texts.empty()) throw_no_text(request.about.texts);
  if (context.wants_chart() && texts.texts.size() != 1)
    throw UsageError(fmt::format("a chart draws one text; there are {}", texts.texts.size()));
  warn_of_plan(texts, ask, request.fast, context);
  const WordsStudy study(texts, ask);
  std::map<size_t, std::vector<Record>> drawn;  // by text
  NoticedCount noticed;
  Answer answer = answer_by_text(
      study, texts, request.about, context,
      [&](size_t text, const std::vector<Record>& rows, Part& part) {
        if (texts.texts.size() == 1 || context.wants_arrays()) drawn[text] = rows;
        noticed.add(rows);
        part.coloured = [shown = texts.texts[text].text, rows] { return std::optional(coloured(shown, rows)); };
      },
      [&] { return noticed.end(); });
  if (!drawn.empty())
    answer.chart = [drawn = joined(drawn), name = texts.model->transformer->name(),
                    layer = request.about.output.layer](Bands) { return chart_of(words_chart(drawn, name, layer)); };
  return answer;
}

Guide guide() {
  Guide guide;
  guide.order = 50;
  guide.summary = "Which words of a text matter to a model";
  guide.examples =
      "  wordsway words \"turn off the dark mode please\"\n"
      "  wordsway words -m MODEL --layer pooled \"please enable dark mode\" --chart words.svg\n"
      "  wordsway words -m MODEL -i corpus.jsonl --out words.jsonl --format csv > words.csv";
  guide.columns =
      "Columns, each ‖φ' − φ‖/‖φ‖ for the outputs φ of the text, φ' of the changed one:\n"
      "  typical      mean over the words of --candidates; by default words alike, of\n"
      "               the same kind but another meaning\n"
      "  worst_word   the one of them that changes most, and its worst_change\n"
      "  synonym      the commonest synonym, and its synonym_change: what keeps the\n"
      "               meaning is noise\n"
      "  antonym      the commonest opposite, and its antonym_change: what a model\n"
      "               should notice\n"
      "  dropped      the word is left out\n"
      "  sensitivity  the worst move of its embedding in a ball: a vector, not a word\n"
      "               (--ball, --fast)\n"
      "--candidates all has words that a masked-word head expects for typical, and\n"
      "searches the whole vocabulary for the worst; `wordsway substitute` looks\n"
      "closer.\n"
      "With --layer pooled, the cosines with the original too. With --layer logits, φ\n"
      "is the logits less their mean, and the divergences of the next word's\n"
      "distribution (Jensen-Shannon, in bits) are shown too: worst_word and the chart\n"
      "go by these.";
  guide.chart = "Draw the words";
  guide.row_keys = {"word",    "sensitivity",    "typical", "worst_word", "worst_change", "synonym", "synonym_change",
                    "antonym", "antonym_change", "dropped", "token",      "tokens",       "begin",   "end"};
  guide.data_columns = {"token", "tokens", "begin", "end"};
  return guide;
}

}  // namespace

void register_words(QuestionRegistry& registry) {
  add_question(registry, "words", guide(), answer);
}

}  // namespace wordsway
