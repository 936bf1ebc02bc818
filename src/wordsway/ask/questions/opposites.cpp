// opposites: does a model tell the opposite of a word from its synonym?
#include <fmt/format.h>

#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/choices/text_input.h"
#include "wordsway/ask/question.h"
#include "wordsway/core/error.h"
#include "wordsway/core/statistics.h"
#include "wordsway/figures/model_charts.h"
#include "wordsway/io/row_text.h"
#include "wordsway/study/opposites_study.h"
#include "wordsway/text/tables/tables.h"

namespace wordsway {
namespace {

struct OppositesRequest {
  TextInput texts;
  ModelInput model;
  std::optional<std::string> layer;
  PromptInput prompt;
  double threshold = 0.9;
  RunChoice run;

  static void describe(Fields<OppositesRequest>& fields) {
    fields.include(&OppositesRequest::texts,
                   TextInput::Parts{.selection = false,
                                    .argument_help = "Texts, each in quotes as one argument (without them: those of "
                                                     "-i, or everyday sentences that come with wordsway)"});
    fields.include(&OppositesRequest::model);
    fields.text("layer", &OppositesRequest::layer,
                "What is compared: pooled, the vector of the text; logits, what comes next; or a layer (default: "
                "logits for a decoder that does not embed texts, else pooled)");
    fields.include(&OppositesRequest::prompt);
    fields.number("threshold", &OppositesRequest::threshold, {-1, 1},
                  "The cosine from which a cache takes two texts for the same");
    fields.include(&OppositesRequest::run);
  }
};

std::vector<std::string> texts_of(const OppositesRequest& request) {
  std::vector<std::string> texts;
  if (request.texts.has_any()) {
    for (LabelledText& one : read_texts(request.texts)) texts.push_back(std::move(one.text));
    return texts;
  }
  static const tables::RuleTable everyday("lexicon/everyday_sentences.txt");
  const auto options = everyday.options("sentence");
  return {options.begin(), options.end()};
}

JudgedModel judged_model(const OppositesRequest& request, const Model& model, Context& context) {
  const bool writes = model.transformer->is_decoder() && model.sentence.modules_file.empty();  // does not embed texts
  const std::string layer = request.layer.value_or(writes ? "logits" : "pooled");
  const PromptedOutput ask = prompted_output(model, {.layer = layer}, request.prompt, context);
  return {model.transformer->name(), model, {ask.output, ask.prompt}};
}

// The counts of all rows, as sentences.
std::string summary_of(const std::vector<Record>& rows, double threshold) {
  Index missed = 0, merged = 0, cosines = 0;
  for (const Record& row : rows) {
    missed += std::get<bool>(*row.find("missed"));
    if (row.find("antonym_cosine") == nullptr) continue;
    ++cosines;
    merged += row.number("antonym_cosine") >= threshold;
  }
  const auto count = static_cast<Index>(rows.size());
  const RateInterval share = wilson_interval(missed, count);
  std::string text = fmt::format(
      "\nThe opposite moved the model less than the synonym in {} of {} places (95%: {:.0f}% to {:.0f}%).\n", missed,
      count, 100 * share.low, 100 * share.high);
  if (cosines > 0)
    text += fmt::format("A cache at cosine ≥ {:g} would answer {} of {} opposites as if they were the question.\n",
                        threshold, merged, cosines);
  return text;
}

std::string table_of(const std::vector<Record>& rows, double threshold) {
  std::vector<Record> lines;
  for (const Record& row : rows) {
    Record line;
    for (const auto& [name, value] : row.fields()) {
      const bool has_better = row.find("antonym_cosine") != nullptr || row.find("antonym_divergence") != nullptr;
      if (!has_better || !name.ends_with("_change")) line.set(name, value);
    }
    lines.push_back(std::move(line));
  }
  return to_table(lines) + summary_of(rows, threshold);
}

// What only the study's own figure needs is left out.
Record shown(const Record& row) {
  Record result;
  for (const auto& [name, value] : row.fields())
    if (name != "model" && name != "place" && name != "lemma" && name != "swapped" && name != "seconds")
      result.set(name, value);
  return result;
}

Answer answer(const OppositesRequest& request, Context& context) {
  const auto model = request.model.open(context);
  OppositesConfig config;
  config.models = {judged_model(request, *model, context)};
  config.words = two_way_words(texts_of(request));
  if (config.words.empty())
    throw DataError("no word of the texts has both a synonym and an opposite in the lexicon (wordsway lexicon WORD)");
  config.settings = {{"input", request.texts.has_any() ? request.texts.name() : "everyday sentences"}};
  const OppositesStudy study(std::move(config));
  const auto result = context.run(study, request.run);
  if (!result) return {};
  std::vector<Record> rows;
  for (const Record& row : result->rows) {
    if (is_failed(row)) continue;
    rows.push_back(shown(row));
  }
  Answer answer = rows_answer(rows);
  answer.config = study.config();
  answer.table = [rows, threshold = request.threshold](int) { return table_of(rows, threshold); };
  answer.chart = [rows, name = model->transformer->name(), threshold = request.threshold](Bands) {
    return opposites_chart(rows, name, threshold);
  };
  return answer;
}

Guide guide() {
  Guide guide;
  guide.order = 55;
  guide.summary = "Whether a model tells the opposite of a word from its synonym";
  guide.examples =
      "  wordsway opposites -m MODEL --chart opposites.svg\n"
      "  wordsway opposites -m MODEL \"is smoking permitted on the balcony\"\n"
      "  wordsway opposites -m MODEL -i questions.txt --format csv > opposites.csv";
  guide.columns =
      "A row for every word that has both in its sentence (`wordsway lexicon`), which\n"
      "becomes its commonest synonym, then its commonest opposite. Both are changes of\n"
      "one word, so wording cannot explain the difference. missed: the opposite moved\n"
      "the model less. About one in ten proposed opposites does not fit its place.";
  guide.chart = "Draw the places";
  guide.row_keys = {"word", "synonym", "antonym", "synonym_change", "antonym_change", "missed", "sentence"};
  return guide;
}

}  // namespace

void register_opposites(QuestionRegistry& registry) {
  add_question(registry, "opposites", guide(), answer);
}

}  // namespace wordsway
