#include "serve/endpoints.h"

#include <algorithm>

#include <fmt/format.h>

#include "serve/page_context.h"
#include "wordsway/audit/answers.h"
#include "wordsway/audit/candidates.h"
#include "wordsway/audit/similarity.h"
#include "wordsway/io/json.h"
#include "wordsway/io/row_text.h"
#include "wordsway/maps/map_registry.h"

namespace wordsway::serve {
namespace {

std::string rows_as_json(const std::vector<Record>& rows) {
  return one_line_json(format_rows(rows, "json"));
}

Record entry_of(const std::string& name, const Model* model) {
  Record entry{{"name", name}, {"loaded", model != nullptr}};
  if (model == nullptr) return entry;
  const ModelConfig& config = model->transformer->config();
  entry.merge({{"architecture", config.architecture},
               {"layers", std::int64_t{config.layers}},
               {"heads", std::int64_t{config.attention.heads}},
               {"d", std::int64_t{config.hidden_size}},
               {"vocabulary", std::int64_t{config.vocabulary}},
               {"decoder", model->transformer->is_decoder()},
               {"max_length", std::int64_t{std::min(kMostTokens, model->most_tokens())}},
               {"pooled", model->transformer->sentence_chain().pooling()},
               {"masked_head", predicts_masked_words(*model)},
               {"parameters", std::int64_t{model->transformer->parameters()}}});
  return entry;
}

std::string maps_json() {
  std::string json;
  for (const std::string& name : map_registry().names()) {
    const MapEntry& entry = map_registry().get(name);
    std::vector<Record> parameters;
    for (const Parameter& parameter : entry.parameters)
      parameters.push_back({{"name", parameter.name()},
                            {"help", parameter.help()},
                            {"default", parameter.default_text()},
                            {"range", parameter.range_text()}});
    json += fmt::format("{}{{\"name\": {}, \"summary\": {}, \"parameters\": {}}}", json.empty() ? "" : ", ",
                        value_to_json(name), value_to_json(entry.summary), rows_as_json(parameters));
  }
  return "[" + json + "]";
}

std::string presets_json() {
  std::vector<Record> rows;
  for (const ThresholdPreset& preset : threshold_presets())
    rows.push_back({{"name", preset.name},
                    {"system", preset.system},
                    {"threshold", preset.threshold},
                    {"unit", to_string(preset.unit)}});
  return rows_as_json(rows);
}

std::string examples_json() {
  const auto [a, b] = builtin_prompts();
  return to_json(Record{
      {"texts", std::vector<std::string>{"turn off the dark mode please", "the film was not as good as everyone said",
                                         "please enable dark mode before the meeting on Monday"}},
      {"pair", std::vector<std::string>{"please enable dark mode", "please disable dark mode"}},
      {"prompts", std::vector<std::string>{a, b}}});
}

Prepared load(const ServedModels& models, RequestArguments& arguments) {
  const std::string name = arguments.text("model").value_or(kBuiltin);
  models.check(name);
  arguments.finish();
  return {"loading " + name,
          [&models, name](Job& job) { return to_json(entry_of(name, open_model(models, name, job).get())); }};
}

}  // namespace

std::string one_line_json(std::string json) {
  while (!json.empty() && json.back() == '\n') json.pop_back();
  std::ranges::replace(json, '\n', ' ');  // inside of a text it is written \n
  return json;
}

std::string models_json(const ServedModels& models, const std::string& version, std::size_t most_body_bytes) {
  std::vector<Record> entries;
  for (const std::string& name : models.names()) {
    const bool is_small = name == kBuiltin || name == kBuiltinDecoder;  // and there in a moment
    entries.push_back(entry_of(name, (is_small ? models.get(name) : models.loaded(name)).get()));
  }
  const Record limits{{"text_bytes", static_cast<std::int64_t>(RequestArguments::kMostTextBytes)},
                      {"tokens", std::int64_t{kMostTokens}},
                      {"body_bytes", static_cast<std::int64_t>(most_body_bytes)}};
  return fmt::format(
      "{{\"version\": {}, \"models\": {}, \"maps\": {}, \"presets\": {}, \"units\": {}, \"limits\": {}, "
      "\"examples\": {}}}",
      value_to_json(version), rows_as_json(entries), maps_json(), presets_json(),
      value_to_json(similarity_unit_names()), to_json(limits), examples_json());
}

std::vector<Endpoint> endpoints(const ServedModels& models) {
  std::vector<Endpoint> all = question_endpoints(models);
  all.push_back({"load", [&models](RequestArguments& arguments) { return load(models, arguments); }});
  return all;
}

}  // namespace wordsway::serve
