#include "wordsway/study/measure_study.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/study/measure_rows.h"

namespace wordsway {
namespace {

constexpr const char* kDescribed[] = {"depth", "width", "activation", "beta", "random"};

std::uint64_t word(Index value) {
  return static_cast<std::uint64_t>(value);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void add_prediction(Record& row, const MapEntry& entry, const MapOptions& options, const Matrix& X, Index token,
                    double radius) {
  if (!entry.predict) return;
  const Prediction prediction = entry.predict(options, {X.squaredNorm(), X.row(token).norm(), radius});
  row.set("predicted", prediction.limit);
  row.set("predicted_finite", optional_value(prediction.finite));
}

}  // namespace

MeasureStudy::MeasureStudy(MeasureConfig config) : config_(std::move(config)) {
  check();
  std::vector<Record> seen;
  for (const std::string& map : config_.maps)
    for (const MapOptions& options : all_options()) {
      Record identity = map_registry().get(map).describe(options);
      identity.set("point", fmt::format("{} {} {}", map, options.n, options.d));
      // Options that a map does not have would repeat its points.
      if (std::find(seen.begin(), seen.end(), identity) != seen.end()) continue;
      seen.push_back(std::move(identity));
      points_.push_back({map, options});
    }
}

// Every combination of the listed sizes, n running fastest.
std::vector<MapOptions> MeasureStudy::all_options() const {
  std::vector<MapOptions> grid(1);
  grid.front().random = config_.weights ? "dense" : config_.random;  // what is given exists
  if (config_.weights && config_.width.empty()) grid.front().width = config_.weights->rows();
  const auto spread = [&grid](const auto& values, auto assign) {
    if (values.empty()) return;
    std::vector<MapOptions> wider;
    for (const MapOptions& options : grid)
      for (const auto& value : values) assign(wider.emplace_back(options), value);
    grid = std::move(wider);
  };
  spread(config_.activation, [](MapOptions& options, const std::string& value) { options.activation = value; });
  spread(config_.depth, [](MapOptions& options, Index value) { options.depth = value; });
  spread(config_.width, [](MapOptions& options, Index value) { options.width = value; });
  spread(config_.beta, [](MapOptions& options, double value) { options.beta = value; });
  spread(config_.d, [](MapOptions& options, Index value) { options.d = value; });
  spread(config_.n, [](MapOptions& options, Index value) { options.n = value; });
  return grid;
}

void MeasureStudy::check() const {
  if (config_.data == nullptr) throw UsageError("a study needs a source of data; got none");
  const auto positive = [](const std::vector<Index>& sizes, const char* name) {
    for (const Index size : sizes)
      if (size < 1) throw UsageError(fmt::format("{} must be at least 1; got {}", name, size));
  };
  positive(config_.n, "n");
  positive(config_.d, "d");
  positive(config_.depth, "depth");
  positive(config_.width, "width");
  if (config_.weights && !config_.random.empty() && config_.random != "dense")
    throw UsageError("weights that are given are held dense; '" + config_.random + "' is for weights that are drawn");
  if (config_.trials < 1) throw UsageError(fmt::format("trials must be at least 1; got {}", config_.trials));
  if (!(config_.radius >= 0) || !std::isfinite(config_.radius))
    throw UsageError(fmt::format("the radius must be a number not below 0; got {}", config_.radius));
  for (const Index n : config_.n)
    if (config_.token && (*config_.token < 0 || *config_.token >= n))
      throw UsageError(
          fmt::format("token {} is out of range; with n = {} there are tokens 0 to {}", *config_.token, n, n - 1));
}

Record MeasureStudy::config() const {
  const auto integers = [](const std::vector<Index>& values) {
    return std::vector<std::int64_t>(values.begin(), values.end());
  };
  Record config{{"map", config_.maps},
                {"n", integers(config_.n)},
                {"d", integers(config_.d)},
                {"beta", config_.beta},
                {"depth", integers(config_.depth)},
                {"width", config_.width.empty() ? Value() : Value(integers(config_.width))},
                {"activation", config_.activation},
                {"random", config_.random.empty() ? Value() : Value(config_.random)},
                {"data", config_.data->name()},
                {"token", config_.token ? Value(static_cast<std::int64_t>(*config_.token)) : Value("all")},
                {"radius", config_.radius},
                {"trials", static_cast<std::int64_t>(config_.trials)},
                {"seed", static_cast<std::int64_t>(config_.seed)},
                {"starts", config_.search.starts ? Value(std::int64_t{*config_.search.starts}) : Value()},
                {"steps", std::int64_t{config_.search.max_iterations}},
                {"tolerance", optional_value(config_.search.tolerance)},
                {"weights", config_.weights ? Value("given") : Value("drawn")}};
  return config;
}

StudyContent MeasureStudy::content() const {
  Record content = config_.data->content();
  if (config_.weights) content.set("given weights", digest_of(*config_.weights));
  content.merge(methods_of(config_.maps));
  content.set("method of the search", std::int64_t{kSearchMethod});
  return {content, {{"data"}}};
}

Index MeasureStudy::size() const {
  return static_cast<Index>(points_.size()) * config_.trials;
}

Record MeasureStudy::key(Index task) const {
  const Point& at = point(task);
  Record key{
      {"map", at.map}, {"n", static_cast<std::int64_t>(at.options.n)}, {"d", static_cast<std::int64_t>(at.options.d)}};
  const Record described = map_registry().get(at.map).describe(at.options);
  for (const char* name : kDescribed) key.set(name, described.missing(name) ? Value() : *described.find(name));
  key.set("trial", static_cast<std::int64_t>(trial(task)));
  key.set("seed", static_cast<std::int64_t>(config_.seed));
  return key;
}

double MeasureStudy::memory_bytes(Index task) const {
  return map_registry().get(point(task).map).memory_bytes(point(task).options);
}

// An ascent reads what the map holds once an evaluation, and ends after some 20 of them.
double MeasureStudy::work(Index task) const {
  const double evaluations = config_.search.starts.value_or(4) * std::min(25.0, 2.0 * config_.search.max_iterations);
  return memory_bytes(task) * evaluations * (config_.token ? 1 : static_cast<double>(point(task).options.n));
}

std::string MeasureStudy::kind(Index task) const {
  const Record described = map_registry().get(point(task).map).describe(point(task).options);
  std::string kind = point(task).map;
  for (const char* name : {"activation", "random"})
    if (!described.missing(name)) kind += " " + described.text(name);
  return kind;
}

Measurement MeasureStudy::measure(Index task, bool keep_weights) const {
  Point at = point(task);
  at.options.keep_weights = keep_weights;
  const auto [n, d] = std::pair(at.options.n, at.options.d);
  const MapEntry& entry = map_registry().get(at.map);
  const Stream stream = Stream(config_.seed).derive(word(n)).derive(word(d)).derive(word(trial(task)));
  const Matrix X = config_.data->sample(n, d, word(trial(task)));

  const auto begin = std::chrono::steady_clock::now();
  Measurement result;
  result.map = config_.weights ? entry.with_weights(at.options, *config_.weights)
                               : entry.draw(at.options, stream.derive("weights"));
  const auto sample = result.map->at(X);
  SensitivityOptions search = config_.search;
  search.radius = config_.radius * std::sqrt(static_cast<double>(d));
  SampleSensitivity found;
  if (config_.token) {
    found.most = measure_token(*sample, *config_.token, search, stream.derive("starts"));
  } else {
    found = measure_all_tokens(*sample, n, search, stream.derive("starts"));
  }

  result.row = key(task);
  add_sensitivity(result.row, found.most, sample->feature_norm());
  if (!config_.weights) add_prediction(result.row, entry, at.options, X, found.most.token, search.radius);
  const double bytes = result.map->memory_bytes().value_or(memory_bytes(task));
  result.row.set("memory_bytes", static_cast<std::int64_t>(bytes));
  result.row.set("seconds", seconds_since(begin));
  if (!config_.token) result.row.set("token_sensitivities", found.sensitivities);
  result.delta = found.most.delta;
  return result;
}

}  // namespace wordsway
