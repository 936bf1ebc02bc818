// The paper's curves: the word sensitivity of maps over a grid of sizes.
#include <fmt/format.h>

#include "serve/endpoints.h"
#include "wordsway/core/error.h"
#include "wordsway/data/made_up_data.h"
#include "wordsway/data/named_data.h"
#include "wordsway/data/review_source.h"
#include "wordsway/io/json.h"
#include "wordsway/maps/declared_parameters.h"
#include "wordsway/run/run_study.h"
#include "wordsway/run/schedule.h"
#include "wordsway/study/measure_study.h"
#include "wordsway/study/study_tables.h"

namespace wordsway::serve {
namespace {

constexpr Index kMostN = 2000, kMostD = 1024, kMostResults = 2000;
constexpr std::size_t kMostSizes = 64;

// The parameters of the maps that were given, checked by their declarations.
ParameterLists read_parameters(RequestArguments& ask, const MapNames& maps) {
  ParameterLists lists;
  for (const std::string& name : row_parameters(map_registry().names())) {
    if (!ask.has(name)) continue;
    check_has_meaning(name, maps, name);
    const Parameter& parameter = declared_parameter(name);
    std::vector<ParameterValue> given;
    if (parameter.type() == Parameter::Type::kName) {
      given = parameter_list(ask.texts(name, kMostSizes));
    } else if (parameter.type() == Parameter::Type::kWhole) {
      given = parameter_list(ask.wholes(name, 0, Index{1} << 40, kMostSizes));
    } else {
      given = parameter_list(ask.numbers(name, kMostSizes));
    }
    for (const ParameterValue& value : given) lists[name].push_back(parameter.checked(value));
  }
  return lists;
}

std::optional<Index> read_token(RequestArguments& ask) {
  if (!ask.is_text("token")) return ask.whole("token", 0, kMostN).value_or(0);
  return ask.one_of("token", {"first", "all"}) == "all" ? std::nullopt : std::optional<Index>(0);
}

MeasureConfig read_config(RequestArguments& ask) {
  MeasureConfig config;
  if (ask.has("map")) config.maps = ask.texts("map", 8);
  for (const std::string& map : config.maps) map_registry().get(map);
  config.parameters = read_parameters(ask, config.maps);
  if (ask.has("n")) config.n = ask.wholes("n", 1, kMostN, kMostSizes);
  if (ask.has("d")) config.d = ask.wholes("d", 1, kMostD, kMostSizes);
  config.random = ask.text_or("random", "");
  config.seed = ask.seed();
  config.trials = ask.whole("trials", 1, 100).value_or(config.trials);
  config.token = read_token(ask);
  config.moved_tokens = ask.wholes("tokens", 1, kMostN, kMostSizes);
  config.spread = ask.flag("spread");
  config.typical = ask.whole("typical", 1, 1000).value_or(0);
  config.search.radius = read_radius(ask);
  if (const auto starts = ask.whole("starts", 1, 100)) config.search.starts = static_cast<int>(*starts);
  if (const auto steps = ask.whole("steps", 1, 10'000)) config.search.max_iterations = static_cast<int>(*steps);
  config.search.tolerance = ask.number("tolerance");
  return config;
}

std::string measured(MeasureConfig config, const NamedData& data, const ServedModels& models, Job& job) {
  if (!data.remark.empty()) tell_remark(job, data.remark);
  if (data.name == kBuiltinData) {
    const auto reader = open_model(models, kBuiltin, job);
    config.data = review_source(reader->transformer, reader->tokenizer, config.seed);
  } else {
    config.data = synthetic_source(data.name, config.seed);
  }
  const MeasureStudy study(std::move(config));
  if (study.size() > kMostResults)
    throw UsageError(fmt::format("this asks for {} results; the page takes at most {}", study.size(), kMostResults));
  RunOptions run;
  run.progress = job.progress();
  run.memory_limit = 0.5 * default_memory_limit();
  run.remark = [&](const std::string& remark) { tell_remark(job, remark); };
  run.rows = [&](Index, const std::vector<Record>& rows) {
    for (const Record& row : rows) job.tell("row", to_json(row));
  };
  const StudyResult found = run_study(study, run);
  if (const auto remark = remark_on_failures(found)) tell_remark(job, *remark);
  return one_line_json(format_study({study.config(), found.rows, fit_curves(found.rows)}, "json"));
}

Prepared measure(const ServedModels& models, RequestArguments& ask) {
  const MeasureConfig config = read_config(ask);
  const NamedData data = name_data(ask.text_or("data", ""), config.n, config.d);
  ask.finish();
  if (data.name != kBuiltinData) parse_law(data.name);  // throws on another name
  return {"word sensitivity", [&models, config, data](Job& job) { return measured(config, data, models, job); }};
}

}  // namespace

std::vector<Endpoint> measure_endpoints(const ServedModels& models) {
  return {{"measure", [&models](RequestArguments& ask) { return measure(models, ask); }}};
}

}  // namespace wordsway::serve
