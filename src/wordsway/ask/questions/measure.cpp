// measure: the word sensitivity of maps over a grid of sizes, or of a model itself.
#include <charconv>

#include <fmt/format.h>

#include "wordsway/ask/choices/map_choice.h"
#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/choices/sample_choice.h"
#include "wordsway/ask/choices/search_choice.h"
#include "wordsway/ask/choices/text_input.h"
#include "wordsway/ask/question.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/journal_charts.h"
#include "wordsway/io/row_text.h"
#include "wordsway/study/measure_rows.h"
#include "wordsway/study/measure_study.h"
#include "wordsway/study/model_study.h"
#include "wordsway/study/study_tables.h"

namespace wordsway {
namespace {

struct MeasureRequest {
  MapChoice map;
  bool map_is_named = false;
  TextInput texts;
  ModelInput model;
  SampleChoice samples;
  RadiusChoice radius;
  PromptInput prompt;
  OutputInput output;
  std::string token = "first";
  std::vector<Index> tokens;
  bool spread = false;
  std::optional<Index> typical;
  SearchChoice search;
  ArrayChoice weights;
  std::string weights_out, delta_out;
  RunChoice run;

  static void describe(Fields<MeasureRequest>& fields);

  bool is_of_model() const { return !map_is_named && (texts.has_any() || !model.model.empty()); }
  // A single result is requested by its inputs or outputs.
  bool wants_single() const { return !weights.empty() || !weights_out.empty() || !delta_out.empty(); }
};

// Nothing means all tokens.
std::optional<Index> parse_token(const std::string& token) {
  if (token == "all") return std::nullopt;
  if (token == "first") return 0;
  Index number = 0;
  const char* const end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, number);
  if (error != std::errc() || stop != end)
    throw UsageError(fmt::format("{{token}} must be first, all or a number from 0, but is '{}'", token));
  return number;
}

void check_moved_tokens(const MeasureRequest& request) {
  if (request.spread && request.tokens.empty()) throw UsageError("{spread} is for {tokens}: it says where they stand");
  if (request.tokens.empty()) return;
  if (request.token == "all") throw UsageError("{token} names the first of {tokens}; it cannot be all");
  if (request.typical) throw UsageError("{typical} replaces one token; it has no meaning with {tokens}");
}

void check_model(const MeasureRequest& request) {
  if (!request.weights.empty() || !request.weights_out.empty())
    throw UsageError("a model brings its own weights; {weights} and {weights_out} are for {map}");
  if (!request.tokens.empty()) throw UsageError("{tokens} is for {map}: a model as the map moves one token at a time");
  if (!request.samples.x.empty() || !request.samples.data.empty() || !request.samples.d.empty())
    throw UsageError("with a model as the map, data are texts: {x}, {data} and {d} have no meaning");
}

void MeasureRequest::describe(Fields<MeasureRequest>& fields) {
  fields.include(&MeasureRequest::map, MapChoice::Takes::kList);
  fields.include(&MeasureRequest::texts, TextInput::Parts{});
  fields.include(&MeasureRequest::model, ModelInput::Usual{.model = "no model, or builtin where there are texts"});
  fields.include(&MeasureRequest::samples);
  fields.include(&MeasureRequest::radius);
  fields.include(&MeasureRequest::prompt);
  fields.include(&MeasureRequest::output, "With -m and no --map, which output is measured");
  fields.label("token", &MeasureRequest::token, {"first", "all"},
               "Which token moves: first, all (the most sensitive one counts), or a number from 0");
  fields
      .wholes("tokens", &MeasureRequest::tokens, {1, 1e15},
              "How many tokens move together, each within the ball: --token and those that follow it; comma-separated "
              "(without it: one)")
      .value_name("M")
      .page_takes({1, 2000});
  fields.flag("spread", &MeasureRequest::spread,
              "Spread --tokens evenly from --token to the end (without it: they stand next to each other)");
  fields
      .whole("typical", &MeasureRequest::typical, {1, 1'000'000},
             "Also put K other words of the data in the token's place: their mean change, and that by the worst of all "
             "words of the data (without it: no words)")
      .value_name("K")
      .page_takes({1, 1000});
  fields.include(&MeasureRequest::search,
                 SearchChoice::Defaults{
                     .trials = "10, or as many as --x has samples; 1 with --weights, --weights-out or --delta-out",
                     .starts = "4; 8 for a model and attention with --tokens, 2 for wide deferred features"});
  fields
      .array("weights", &MeasureRequest::weights,
             "Use these weights: W (d x d) or V (k x nd) as .npy (without it: random weights)")
      .in_python("W");
  fields.path("weights_out", &MeasureRequest::weights_out, FieldKind::kOutput,
              "Write the weights that were used, .npy (without it: they are not written)");
  fields.path("delta_out", &MeasureRequest::delta_out, FieldKind::kOutput,
              "Write the move that was found (d numbers; M x d with --tokens M), .npy (without it: it is not written)");
  fields.include(&MeasureRequest::run);
  fields.note_given(
      [](MeasureRequest& request, const GivenNames& given) { request.map_is_named = given.contains("map"); });
  fields.check([](const MeasureRequest& request, const GivenNames& given) {
    parse_token(request.token);
    check_moved_tokens(request);
    if (request.is_of_model()) return check_model(request);
    for (const char* name : {"layer", "rows", "radius_unit", "prompt", "prompt_name"})
      if (given.contains(name))
        throw UsageError(
            "{layer}, {rows}, {radius_unit} and prompts are for a model as the map: {model} without {map}");
  });
}

// The measurement, and what a single result leaves besides its row.
struct Kept {
  Vector delta;
  Matrix weights;
};

NpyArray array_of(const Matrix& matrix) {
  return {{matrix.rows(), matrix.cols()}, {matrix.data(), matrix.data() + matrix.size()}};
}

// d numbers, or a row for each of the tokens that move together.
NpyArray delta_array(const MeasureRequest& request, const Vector& delta) {
  NpyArray array{{delta.size()}, {delta.data(), delta.data() + delta.size()}};
  if (!request.tokens.empty()) array.shape = {request.tokens.front(), delta.size() / request.tokens.front()};
  return array;
}

void write(const std::string& path, const NpyArray& array) {
  if (!path.empty()) write_npy(path, array.values, array.shape);
}

void require_single(const MeasureRequest& request, const Study& study) {
  if (request.wants_single() && study.size() != 1)
    throw UsageError(fmt::format(
        "{{weights}}, {{weights_out}} and {{delta_out}} need a single result; this asks for {}", study.size()));
}

std::optional<StudyResult> run(const MeasureRequest& request, const Study& study, const Kept& kept, Context& context) {
  return request.wants_single() ? context.run_for(study, request.run, [&] { return kept.delta.size() > 0; })
                                : context.run(study, request.run);
}

Answer study_answer(const Study& study, const StudyResult& result, bool single) {
  const auto output =
      std::make_shared<StudyOutput>(StudyOutput{study.config(), result.rows, fit_curves(result.rows), single});
  Answer answer = rows_answer(result.rows);
  answer.shape = single ? Answer::Shape::kRow : Answer::Shape::kDocument;
  answer.config = output->config;
  answer.fits = output->fits;
  answer.json = [output] { return format_study(*output, "json"); };
  answer.table = [output](int) { return format_study(*output, "table"); };
  return answer;
}

// Maps.

struct MapPlan {
  MeasureConfig config;
  std::string remark;  // about samples chosen by default
};

MapPlan plan_maps(const MeasureRequest& request, Context& context) {
  MeasureConfig config;
  config.maps = request.map.maps;
  config.parameters = request.map.parameters;
  config.random = request.map.random;
  config.token = parse_token(request.token);
  config.moved_tokens = request.tokens;
  config.spread = request.spread;
  config.typical = request.typical.value_or(0);
  config.search = request.search.options();
  config.search.radius = request.radius.value();
  config.seed = request.search.seed.seed;
  config.device = request.model.device;
  ChosenSamples samples = choose_samples(request.samples, request.model.model, request.texts, config.seed, context);
  config.data = std::move(samples.source);
  config.n = std::move(samples.n);
  config.d = std::move(samples.d);
  const Index count = config.data->count().value_or(1);
  config.trials = request.search.trials.value_or(request.wants_single() ? 1 : count > 1 ? count : 10);
  if (!request.weights.empty()) config.weights = read_matrix(request.weights, "W");
  return {std::move(config), std::move(samples.remark)};
}

Chart chart_of(std::vector<Record> rows, Bands bands) {
  std::erase_if(rows, is_failed);
  const auto panel = measured_chart(rows, bands);
  if (!panel)
    throw UsageError(
        "a chart shows several lengths, maps or parameters, and at most 24 of them; there is nothing to compare");
  return panel->chart;
}

Answer measure_maps(const MeasureRequest& request, Context& context) {
  MapPlan plan = plan_maps(request, context);
  MeasureConfig& config = plan.config;
  Kept kept;
  // Only if needed: an observer makes a map keep weights that it could release.
  if (request.wants_single() || (context.wants_arrays() && MeasureStudy(config).size() == 1))
    config.observe = [&](const Measurement& found) {
      kept.delta = found.delta;
      if (!request.weights_out.empty()) kept.weights = found.map->weights();
    };
  const MeasureStudy study(config);
  require_single(request, study);
  if (!plan.remark.empty()) context.warn(plan.remark);
  context.check_results(study.size());
  const auto result = run(request, study, kept, context);
  if (!result) return {};
  const bool single = study.size() == 1 && config.data->count().has_value();
  Answer answer = study_answer(study, *result, single);
  if (kept.delta.size() > 0) answer.arrays["delta"] = delta_array(request, kept.delta);
  if (kept.delta.size() > 0) write(request.delta_out, answer.arrays["delta"]);
  if (kept.weights.size() > 0) write(request.weights_out, array_of(kept.weights));
  answer.chart = [rows = result->rows](Bands bands) { return chart_of(rows, bands); };
  return answer;
}

// A model.

ModelStudyConfig model_config(const MeasureRequest& request, const Model& model, Context& context) {
  const PromptedOutput ask = prompted_output(model, request.output, request.prompt, context);
  const std::uint64_t seed = request.search.seed.seed;
  ModelStudyConfig config{model.transformer,
                          encode_corpus(model, request.texts.name(), read_texts(request.texts, *model.tokenizer, seed),
                                        context, {.prompt = ask.prompt})};
  config.layer = request.output.layer;
  config.output = ask.output;
  config.n = request.samples.n;
  config.trials = request.search.trials;
  if (!config.trials && !request.texts.input.empty()) config.trials = 10;
  config.token = parse_token(request.token);
  config.typical = request.typical.value_or(0);
  config.search = request.search.options();
  config.search.radius = request.radius.value();
  config.seed = seed;
  return config;
}

// Warns if rows have other norms than the radius suggests.
void warn_of_row_norms(const ModelStudyConfig& config, Context& context) {
  const MatrixF x = config.transformer->embed(config.texts.ids(0));
  const Vector norms = x.cast<double>().rowwise().norm();
  context.warn(fmt::format("embedding rows of the first text have norms {:.3g} to {:.3g}; sqrt(d) = {:.3g}",
                           norms.minCoeff(), norms.maxCoeff(), std::sqrt(static_cast<double>(x.cols()))));
}

Answer measure_model(const MeasureRequest& request, Context& context) {
  if (context.wants_chart())
    throw UsageError("a chart is for {map}; `wordsway words --chart` draws the words of a text");
  const auto model = request.model.open(context);
  ModelStudyConfig config = model_config(request, *model, context);
  Kept kept;
  if (!request.delta_out.empty() || (context.wants_arrays() && ModelStudy(config).size() == 1))
    config.observe = [&](const Vector& found) { kept.delta = found; };
  const ModelStudy study(config);
  if (!request.delta_out.empty() && study.size() != 1)
    throw UsageError(fmt::format("{{delta_out}} needs a single result; this asks for {}", study.size()));
  context.check_results(study.size());
  warn_of_row_norms(config, context);
  const auto result = run(request, study, kept, context);
  if (!result) return {};
  Answer answer = study_answer(study, *result, study.size() == 1);
  answer.chart = [rows = result->rows](Bands bands) { return chart_of(rows, bands); };
  if (kept.delta.size() > 0) answer.arrays["delta"] = delta_array(request, kept.delta);
  if (kept.delta.size() > 0) write(request.delta_out, answer.arrays["delta"]);
  return answer;
}

Answer answer(const MeasureRequest& request, Context& context) {
  return request.is_of_model() ? measure_model(request, context) : measure_maps(request, context);
}

Guide guide() {
  Guide guide;
  guide.order = 10;
  guide.summary = "Word sensitivity: the largest relative change of a map when one token moves";
  guide.examples =
      "  wordsway measure --map raf --n 10,20,40,80 --d 128\n"
      "      S of softmax attention against context length, with its fitted exponent\n"
      "  wordsway measure --map raf --x tokens.npy --token all --delta-out delta.npy --format json\n"
      "      your own sample: the most sensitive token and the move that shows it\n"
      "  wordsway measure --map raf,raf-relu --n 100 --d 64 --tokens 1,4,16 --spread\n"
      "      S when several words move together: how many it takes\n"
      "  wordsway measure -m MODEL \"I love her smile\" --layer last --token 4\n"
      "      a transformer itself: how far token 4 moves its last layer";
  guide.chart = "Draw S against n, or of every map and parameter";
  guide.chart_has_bands = true;
  guide.row_keys = {"map",
                    "n",
                    "d",
                    "depth",
                    "width",
                    "activation",
                    "beta",
                    "random",
                    "trial",
                    "seed",
                    "token",
                    "sensitivity",
                    "upper_bound",
                    "upper_bound_probability",
                    "predicted",
                    "feature_norm",
                    "delta_norm",
                    "starts",
                    "start_spread",
                    "evaluations",
                    "converged",
                    "memory_bytes",
                    "seconds"};
  return guide;
}

}  // namespace

void register_measure(QuestionRegistry& registry) {
  add_question(registry, "measure", guide(), answer);
}

}  // namespace wordsway
