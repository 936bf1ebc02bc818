// order: does the order of a text's words matter to a model?
#include <sstream>

#include <fmt/ranges.h>

#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/choices/search_choice.h"
#include "wordsway/ask/question.h"
#include "wordsway/audit/pairs.h"
#include "wordsway/random/random_order.h"

namespace wordsway {
namespace {

struct OrderRequest {
  TextInput texts;
  ModelInput model;
  SeedChoice seed;
  Index draws = 20;
  RunChoice run;

  static void describe(Fields<OrderRequest>& fields) {
    fields.include(&OrderRequest::texts, TextInput::Parts{.selection = false});
    fields.include(&OrderRequest::model);
    fields.include(&OrderRequest::seed);
    fields.whole("draws", &OrderRequest::draws, {1, 1000}, "How many random orders of the words to try");
    fields.include(&OrderRequest::run);
  }
};

// One task for each text.
struct OrderStudy final : Study {
  OrderRequest request;
  std::shared_ptr<const Model> model;
  std::vector<LabelledText> texts;

  std::string command() const override { return "order"; }
  Record config() const override { return settings_of(request); }
  StudyContent content() const override { return content_of(*model, texts); }
  Index size() const override { return static_cast<Index>(texts.size()); }
  Record key(Index task) const override { return {{"text", std::int64_t{task}}}; }
  double memory_bytes(Index) const override { return 1e5 * static_cast<double>(request.draws); }

  std::vector<Record> run(Index task) const override {
    std::istringstream text(texts[static_cast<size_t>(task)].text);
    const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    const auto count = static_cast<Index>(words.size());
    if (count < 2) throw DataError("a text of fewer than two words has no other order");
    std::vector<std::string> tried = {text.str()};
    for (Index draw = 0; draw < request.draws; ++draw) {
      std::vector<std::string> shuffled;
      const Stream stream = Stream(request.seed.seed).derive(task).derive(draw);
      for (const Index k : random_order(stream, count, count)) shuffled.push_back(words[static_cast<size_t>(k)]);
      tried.push_back(fmt::format("{}", fmt::join(shuffled, " ")));
    }
    const Matrix units = unit_vectors(*model, tried);
    const Vector cosines = units.bottomRows(request.draws) * units.row(0).transpose();
    return {{{"text", task}, {"words", count}, {"cosine", cosines.mean()}, {"least", cosines.minCoeff()}}};
  }
};

Answer answer(const OrderRequest& request, Context& context) {
  OrderStudy study;
  study.request = request;
  study.model = request.model.open(context);
  study.texts = read_texts(request.texts);
  const auto result = context.run(study, request.run);
  return result ? rows_answer(result->rows) : Answer();
}

}  // namespace

void register_order(QuestionRegistry& registry) {
  add_question(registry, "order",
               {.summary = "Whether the order of a text's words matters to a model",
                .examples = "  wordsway order \"the dog bit the man\" \"nothing else matters\"",
                .columns = "cosine compares a text with random orders of its words, on average; least is the worst",
                .row_keys = {"text", "words", "cosine", "least"}},
               answer);
}

}  // namespace wordsway
