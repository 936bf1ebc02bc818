#include "wordsway/study/generalize_study.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/cuda/cuda_maps.h"
#include "wordsway/maps/declared_parameters.h"
#include "wordsway/study/grid_checks.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {
namespace {

std::int64_t integer(Index value) {
  return static_cast<std::int64_t>(value);
}

std::vector<std::int64_t> integers(const std::vector<Index>& values) {
  return std::vector<std::int64_t>(values.begin(), values.end());
}

template <typename T>
std::vector<std::string> names(const std::vector<T>& values) {
  std::vector<std::string> result;
  result.reserve(values.size());
  for (const T& value : values) result.push_back(to_string(value));
  return result;
}

}  // namespace

GeneralizeStudy::GeneralizeStudy(GeneralizeConfig config) : config_(std::move(config)) {
  check();
  for (const std::string& map : config_.maps)
    for (const Index d : config_.d)
      for (const Index n : config_.n)
        for (const Index training_size : config_.training_sizes) points_.push_back({map, n, d, training_size});
  for (const Point& at : points_) map_registry().get(at.map).describe(options_of(at));
}

MapOptions GeneralizeStudy::options_of(const Point& at) const {
  MapOptions options = config_.map;
  options.n = at.n;
  options.d = at.d;
  return options;
}

void GeneralizeStudy::check() const {
  if (config_.data == nullptr) throw UsageError("a study needs a source of data; got none");
  check_sizes(config_.n, "n");
  check_sizes(config_.d, "d");
  check_sizes(config_.training_sizes, "the training size");
  check_sizes({config_.trials}, "the number of trials");
  for (const auto& [name, value] : config_.map.given) check_has_meaning(name, config_.maps, name);
  check_radius(config_.radius);
  for (const double penalty : config_.plan.penalties)
    if (!(penalty >= 0)) throw UsageError(fmt::format("a penalty must not be below 0; got {}", penalty));
  check_token(config_.plan.token, config_.n);
  check_map_device(config_.device);
}

Record GeneralizeStudy::config() const {
  const GeneralizationPlan& plan = config_.plan;
  Record config{{"map", config_.maps},
                {"n", integers(config_.n)},
                {"d", integers(config_.d)},
                {"train_size", integers(config_.training_sizes)}};
  for (const std::string& name : listed_parameters(config_.maps)) {
    const auto given = config_.map.given.find(name);
    std::optional<ParameterValue> value = common_default(name, config_.maps);
    if (given != config_.map.given.end()) value = given->second;
    config.set(name, value ? row_value(declared_parameter(name), *value) : Value());
  }
  config.merge({{"random", config_.map.random.empty() ? Value() : Value(config_.map.random)},
                {"data", config_.data->name()},
                {"token", integer(plan.token)},
                {"radius", config_.radius},
                {"training", names(plan.trainings)},
                {"objective", names(plan.objectives)},
                {"penalty", plan.penalties},
                {"trials", integer(config_.trials)},
                {"seed", static_cast<std::int64_t>(config_.seed)},
                {"starts", std::int64_t{plan.descent.starts}},
                {"steps", std::int64_t{plan.descent.max_iterations}},
                {"tolerance", plan.descent.tolerance},
                {"weights", config_.weights ? Value("given") : Value("drawn")}});
  config.merge(fields_of(config_.device));
  return config;
}

StudyContent GeneralizeStudy::content() const {
  Record content = config_.data->content();
  if (config_.weights) content.set("given weights", digest_of(*config_.weights));
  content.merge(methods_of(config_.maps));
  content.set("method of learning", std::int64_t{kGeneralizationMethod});
  return {content, {{"data"}}};
}

Index GeneralizeStudy::size() const {
  return static_cast<Index>(points_.size()) * config_.trials;
}

Record GeneralizeStudy::key(Index task) const {
  const Point& at = point(task);
  Record key{{"map", at.map}, {"n", integer(at.n)}, {"d", integer(at.d)}, {"train_size", integer(at.training_size)}};
  key.merge(fields_of(config_.device));
  key.merge({{"trial", integer(trial(task))},
             {"seed", static_cast<std::int64_t>(config_.seed)},
             {"token", integer(config_.plan.token)}});
  return key;
}

Index GeneralizeStudy::row_count(Index /*task*/) const {
  return static_cast<Index>(list_outcomes(config_.plan).size());
}

// Operations for the features, the kernel and the factor.
double GeneralizeStudy::work(Index task) const {
  const Point& at = point(task);
  const double N = static_cast<double>(at.training_size), n = static_cast<double>(at.n), d = static_cast<double>(at.d);
  return N * n * d * (2 * d + 4 * n + N) + N * N * N / 3 + 1e4 * n * d;
}

// The samples, their features as far as --memory lets them (on a device they lie there), the kernel with its factor,
// and the map.
double GeneralizeStudy::memory_bytes(Index task) const {
  const Point& at = point(task);
  const MapEntry& entry = map_registry().get(at.map);
  const double N = static_cast<double>(at.training_size), D = static_cast<double>(at.n) * static_cast<double>(at.d);
  const double features = 8 * N * (entry.feature_count ? entry.feature_count(options_of(at)) : D);
  const double map = entry.learner_memory_bytes ? entry.learner_memory_bytes(options_of(at), at.training_size)
                                                : entry.memory_bytes(options_of(at));
  const double kept = config_.device.is_cpu() ? std::min(features, config_.plan.features.bytes) : 0;
  return 8 * N * D + kept + 16 * N * N + map;
}

Record GeneralizeStudy::row_of(Index task, const Outcome& outcome, const Generalization& result, double drawing) const {
  Record row = key(task);
  row.set("training", to_string(outcome.training));
  row.set("objective", to_string(outcome.objective));
  row.set("penalty", optional_value(outcome.penalty));
  row.set("gamma", outcome.gamma);
  row.set("error", outcome.error);
  row.set("alignment", outcome.alignment);
  row.set("output_before", outcome.output_before);
  row.set("output_after", outcome.output_after);
  row.set("perturbed_before", outcome.perturbed_before);
  row.set("perturbed_after", outcome.perturbed_after);
  row.set("condition", result.condition);
  row.set("delta_norm", outcome.delta.norm());
  row.set("evaluations", std::int64_t{outcome.evaluations});
  row.set("converged", outcome.converged);
  row.set("seconds", drawing + result.shared_seconds + outcome.seconds);
  return row;
}

std::unique_ptr<LearnerView> GeneralizeStudy::view_of(const Point& at, const Stream& weights,
                                                      const LearnerSamples& samples) const {
  const MapEntry& entry = map_registry().get(at.map);
  const MapOptions options = options_of(at);
  const bool on_cpu = config_.device.is_cpu();
  if (config_.weights) {
    auto map = entry.with_weights(options, *config_.weights);
    return on_cpu ? whole_learner_view(std::move(map), samples) : whole_learner_on_cuda(std::move(map), samples);
  }
  return on_cpu ? draw_learner_view(entry, options, weights, samples)
                : draw_learner_on_cuda(entry, options, weights, samples);
}

std::vector<Record> GeneralizeStudy::run(Index task) const {
  const Point& at = point(task);
  const Stream stream = Stream(config_.seed).derive(at.n).derive(at.d).derive(trial(task));
  Stopwatch watch;
  const LabelledSamples drawn = config_.data->draw(at.n, at.d, at.training_size, trial(task));
  Simulation simulation;
  simulation.data_seconds = watch.lap();

  const LearnerSamples samples{drawn.training, drawn.X, config_.plan.token};
  const auto view = view_of(at, stream.derive("weights"), samples);
  simulation.draw_seconds = watch.lap();
  GeneralizationPlan plan = config_.plan;
  plan.descent.radius = config_.radius * std::sqrt(static_cast<double>(at.d));
  simulation.result = generalize(*view, drawn.labels, drawn.label, plan, stream.derive("starts"));
  if (config_.remark && !simulation.result.warning.empty())
    config_.remark(
        fmt::format("{}, n = {}, d = {}, trial {}: {}", at.map, at.n, at.d, trial(task), simulation.result.warning));
  for (const Outcome& outcome : simulation.result.outcomes)
    simulation.rows.push_back(row_of(task, outcome, simulation.result, simulation.draw_seconds));
  if (config_.observe) config_.observe(simulation);
  return simulation.rows;
}

}  // namespace wordsway
