// info: what does a model hold?
#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/question.h"
#include "wordsway/io/json.h"
#include "wordsway/io/row_text.h"

namespace wordsway {
namespace {

struct InfoRequest {
  std::optional<std::string> folder;
  ModelInput model;

  static void describe(Fields<InfoRequest>& fields) {
    fields.text("folder", &InfoRequest::folder, "The model folder, or FILE.gguf (without it: that of -m)")
        .argument("DIR")
        .only_for({FrontEnd::kShell});
    fields.include(&InfoRequest::model, ModelInput::Usual{.has_device = false});
  }
};

// In JSON, prompts are an object of names and texts, which a row cannot hold.
std::string as_json(const Model& model, const Record& record) {
  Record prompts, others;
  for (const auto& [name, text] : model.sentence.prompts) prompts.set(name, text);
  for (const auto& [name, value] : record.fields())
    if (name != "prompts") others.set(name, value);
  std::string object = to_json(others);
  object.pop_back();
  return object + ", \"prompts\": " + to_json(prompts) + "}\n";
}

std::string as_table(const Record& record) {
  std::vector<Record> lines;
  for (const auto& [name, value] : record.fields()) lines.push_back({{"what", name}, {"value", value}});
  return to_table(lines);
}

Answer answer(const InfoRequest& request, Context& context) {
  const auto model = request.folder ? context.model({*request.folder, {}}) : request.model.open(context);
  const Record record = describe_model(*model);
  Answer answer = rows_answer({record});
  answer.shape = Answer::Shape::kDocument;
  answer.json = [model, record] { return as_json(*model, record); };
  answer.table = [record](int) { return as_table(record); };
  return answer;
}

Guide guide() {
  Guide guide;
  guide.order = 150;
  guide.summary = "What a model folder or GGUF file holds";
  guide.examples =
      "  wordsway info MODEL\n"
      "  wordsway info FILE.gguf --format json";
  guide.row_keys = {"model",       "architecture", "layers",     "d",       "causal",     "heads",     "vocabulary",
                    "most_tokens", "pooling",      "normalised", "prompts", "max_length", "similarity"};
  return guide;
}

}  // namespace

void register_info(QuestionRegistry& registry) {
  add_question(registry, "info", guide(), answer);
}

}  // namespace wordsway
