// What one asks of a model and a text: tokenize, words.
#include <algorithm>

#include <fmt/format.h>

#include "serve/endpoints.h"
#include "wordsway/core/error.h"
#include "wordsway/io/json.h"
#include "wordsway/io/row_text.h"
#include "wordsway/run/run_study.h"
#include "wordsway/study/word_studies.h"
#include "wordsway/text/tokenizer/encoding_json.h"

namespace wordsway::serve {
namespace {

constexpr const char* kBuiltin = "builtin";

// A model, a text, and which output counts.
struct TextRequest {
  std::string model, text, layer, rows;
  PromptChoice prompt;
};

TextRequest read_text_request(const ServedModels& models, RequestArguments& ask) {
  TextRequest request;
  request.model = ask.text_or("model", kBuiltin);
  models.check(request.model);
  request.text = ask.required_text("text");
  request.layer = ask.text_or_number("layer").value_or("last");
  request.rows = ask.one_of("rows", {"all", "last"});
  request.prompt = {ask.text("prompt_name"), ask.text("prompt")};
  return request;
}

std::vector<LabelledText> labelled(const std::string& text) {
  return {{text, std::nullopt, "0"}};
}

// The tokens of a text, with a remark where it was cut. Throws UsageError when there are more than a page can wait for.
Encoding encode(const Model& model, const std::string& text, const std::string& prompt, Job& job) {
  std::vector<Encoding> encodings = encode_texts(model, labelled(text), {.prompt = prompt});
  Encoding encoding = std::move(encodings.front());
  if (encoding.size() > kMostTokens)
    throw UsageError(
        fmt::format("the text has {} tokens; the page takes at most {}", encoding.size(), kMostTokens));
  if (encoding.cut)
    tell_remark(job, fmt::format("the text was cut to the {} tokens the model takes", model.most_tokens()));
  return encoding;
}

StudiedTexts studied(const ServedModels& models, const TextRequest& request, Job& job) {
  StudiedTexts result;
  result.model = open_model(models, request.model, job);
  const Model& model = *result.model;
  const PromptedOutput ask = prompted_output(model, request.layer, request.rows, request.prompt);
  if (!predicts_masked_words(model)) {
    result.head = open_model(models, kBuiltin, job);
    tell_remark(job, model.transformer->name() +
                         " predicts no masked words: the built-in model says which words fit a place");
  }
  result.name = request.text;
  result.texts = labelled(request.text);
  result.encodings = {encode(model, request.text, ask.prompt, job)};
  result.layer = request.layer;
  result.change = {ask.output, ask.prompt};
  result.progress = job.progress();
  return result;
}

// A text by itself has no number.
Record without_text(const Record& row) {
  Record result;
  for (const auto& [name, value] : row.fields())
    if (name != "text") result.set(name, value);
  return result;
}

// The rows of the only text. Throws DataError where it failed.
std::vector<Record> run_single(const TextStudy& study, Job& job) {
  if (study.size() == 0) {
    tell_remark(job, "the text has no word");
    return {};
  }
  RunOptions run;
  run.remark = [&](const std::string& remark) { tell_remark(job, remark); };
  const StudyResult found = run_study(study, run);
  remark_on_failures(found);
  std::vector<Record> rows;
  for (const Record& row : found.rows) rows.push_back(without_text(row));
  return rows;
}

Prepared tokenize(const ServedModels& models, RequestArguments& ask) {
  const std::string model = ask.text_or("model", kBuiltin), text = ask.required_text("text");
  models.check(model);
  ask.finish();
  return {"tokens", [&models, model, text](Job& job) {
            std::string json;
            append_json(json, open_model(models, model, job)->tokenizer->encode(text));
            return json;
          }};
}

Prepared words(const ServedModels& models, RequestArguments& ask) {
  const TextRequest request = read_text_request(models, ask);
  WordOptions options;
  options.seed = ask.seed();
  const bool decides = !ask.has("ball");
  const std::string ball = ask.one_of("ball", {"none", "fast", "full"});
  ask.finish();
  choose_ball(options, {ball == "full", ball == "fast", decides && request.model == kBuiltin});
  return {"words of the text", [&models, request, options](Job& job) {
            StudiedTexts texts = studied(models, request, job);
            texts.partial = [&](const Record& row) { job.tell("row", to_json(row)); };
            const WordsStudy study(std::move(texts), options);
            const std::vector<Record> rows = run_single(study, job);
            for (const Record& row : rows) job.tell("row", to_json(row));
            return one_line_json(format_rows(rows, "json"));
          }};
}

}  // namespace

std::vector<Endpoint> text_endpoints(const ServedModels& models) {
  return {{"tokenize", [&models](RequestArguments& ask) { return tokenize(models, ask); }, true},
          {"words", [&models](RequestArguments& ask) { return words(models, ask); }}};
}

}  // namespace wordsway::serve
