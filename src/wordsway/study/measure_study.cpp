#include "wordsway/study/measure_study.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/cuda/cuda_engine.h"
#include "wordsway/cuda/cuda_maps.h"
#include "wordsway/maps/declared_parameters.h"
#include "wordsway/study/grid_checks.h"
#include "wordsway/study/measure_rows.h"

namespace wordsway {
namespace {

// To the theory, tokens that move together are one token of M·d coordinates. It can rotate them freely within their
// balls only if they have equal norms.
std::optional<TokenGeometry> geometry_of(const Matrix& X, std::span<const Index> moved, const Radius& radius) {
  const auto first = X.row(moved.front());
  TokenGeometry geometry{X.squaredNorm(), first.norm(), radius.of(first), static_cast<Index>(moved.size())};
  if (moved.size() == 1) return geometry;
  double squared = 0;
  for (const Index token : moved) {
    const double norm = X.row(token).norm();
    if (std::abs(norm - geometry.token_norm) > 1e-9 * geometry.token_norm) return std::nullopt;
    squared += norm * norm;
  }
  geometry.token_norm = std::sqrt(squared);
  geometry.radius *= std::sqrt(static_cast<double>(moved.size()));
  return geometry;
}

void add_prediction(Record& row, const MapEntry& entry, const MapOptions& options,
                    const std::optional<TokenGeometry>& geometry) {
  if (!entry.predict || !geometry) return;
  const Prediction prediction = entry.predict(options, *geometry);
  row.set("predicted", prediction.limit);
  row.set("predicted_finite", optional_value(prediction.finite));
}

}  // namespace

MeasureStudy::MeasureStudy(MeasureConfig config) : config_(std::move(config)) {
  check();
  if (config_.typical > 0) words_ = config_.data->replacement_count(config_.typical);
  std::vector<Record> seen;
  for (const std::string& map : config_.maps) {
    const MapEntry& entry = map_registry().get(map);
    for (const MapOptions& listed : all_options()) {
      const MapOptions options = as_measured(entry, listed);
      Record identity = entry.describe(options);
      identity.set("point", fmt::format("{} {} {} {}", map, options.n, options.d, options.moved_tokens));
      // Options that a map does not have would repeat its points.
      if (std::find(seen.begin(), seen.end(), identity) != seen.end()) continue;
      seen.push_back(std::move(identity));
      points_.push_back({map, options});
    }
  }
}

// Every combination of the listed parameters and sizes; n varies fastest.
std::vector<MapOptions> MeasureStudy::all_options() const {
  const std::vector<Index> moved = config_.moved_tokens.empty() ? std::vector<Index>{1} : config_.moved_tokens;
  std::vector<MapOptions> grid;
  for (const MapOptions& options : all_combinations({}, config_.parameters))
    for (const Index together : moved)
      for (const Index d : config_.d)
        for (const Index n : config_.n) {
          grid.push_back(options);
          grid.back().n = n;
          grid.back().d = d;
          grid.back().moved_tokens = together;
        }
  return grid;
}

// Weights that are given exist, and may decide some of the parameters.
MapOptions MeasureStudy::as_measured(const MapEntry& entry, MapOptions options) const {
  options.random = config_.weights ? "dense" : config_.random;
  options.moves = words_;
  if (config_.weights && entry.follow_weights) entry.follow_weights(options, *config_.weights);
  return options;
}

void MeasureStudy::check() const {
  if (config_.data == nullptr) throw UsageError("a study needs a source of data; got none");
  check_sizes(config_.n, "n");
  check_sizes(config_.d, "d");
  for (const auto& [name, values] : config_.parameters) check_has_meaning(name, config_.maps, name);
  if (config_.weights && !config_.random.empty() && config_.random != "dense")
    throw UsageError("weights that are given are held dense; '" + config_.random + "' is for weights that are drawn");
  check_sizes({config_.trials}, "trials");
  if (config_.typical < 0)
    throw UsageError(fmt::format("the number of replacements must be at least 0; got {}", config_.typical));
  check_radius(config_.search.radius.value);
  if (config_.token) check_token(*config_.token, config_.n);
  check_moved_tokens();
  check_map_device(config_.device);
}

void check_map_device(const Device& device) {
  if (device.is_cpu()) return;
  if (device.precision != Precision::kF32)
    throw UsageError("maps are computed in double precision on a device too; " + to_string(device.precision) +
                     " is for models");
  cuda_device_name();
}

void MeasureStudy::check_moved_tokens() const {
  if (config_.moved_tokens.empty()) {
    if (config_.spread) throw UsageError("only several tokens that move together can be spread");
    return;
  }
  if (!config_.token) throw UsageError("tokens that move together begin at one token; all of them cannot be the first");
  if (config_.typical > 0)
    throw UsageError("words replace one token; where several move together they have no meaning");
  for (const Index n : config_.n)
    for (const Index count : config_.moved_tokens) tokens_from(*config_.token, count, n, config_.spread);
}

Record MeasureStudy::config() const {
  const auto integers = [](const std::vector<Index>& values) {
    return std::vector<std::int64_t>(values.begin(), values.end());
  };
  Record config{{"map", config_.maps}, {"n", integers(config_.n)}, {"d", integers(config_.d)}};
  for (const std::string& name : listed_parameters(config_.maps)) {
    const auto list = config_.parameters.find(name);
    const auto by_default = common_default(name, config_.maps);
    if (list != config_.parameters.end()) {
      config.set(name, row_list(declared_parameter(name), list->second));
    } else {
      config.set(name, by_default ? row_list(declared_parameter(name), {*by_default}) : Value());
    }
  }
  config.merge({{"random", config_.random.empty() ? Value() : Value(config_.random)},
                {"data", config_.data->name()},
                {"token", config_.token ? Value(static_cast<std::int64_t>(*config_.token)) : Value("all")},
                {"radius", config_.search.radius.value},
                {"trials", static_cast<std::int64_t>(config_.trials)},
                {"seed", static_cast<std::int64_t>(config_.seed)},
                {"starts", config_.search.starts ? Value(std::int64_t{*config_.search.starts}) : Value()},
                {"steps", std::int64_t{config_.search.max_iterations}},
                {"tolerance", optional_value(config_.search.tolerance)},
                {"weights", config_.weights ? Value("given") : Value("drawn")}});
  // Written only if it differs from the default, which journals have always meant.
  const RadiusUnit unit = config_.search.radius.unit;
  if (unit != RadiusUnit::kSqrtD) config.set("radius_unit", to_string(unit));
  if (config_.typical > 0) config.set("typical", static_cast<std::int64_t>(config_.typical));
  if (!config_.moved_tokens.empty()) config.set("moved_tokens", integers(config_.moved_tokens));
  if (config_.spread) config.set("spread", true);
  if (config_.first_direction) config.set("first_direction", true);
  config.merge(fields_of(config_.device));
  return config;
}

StudyContent MeasureStudy::content() const {
  Record content = config_.data->content();
  if (config_.weights) content.set("given weights", digest_of(*config_.weights));
  content.merge(methods_of(config_.maps));
  content.set("method of the search", std::int64_t{kSearchMethod});
  if (config_.typical > 0) {
    content.set("method of the replacement words", std::int64_t{kReplacementWordsMethod});
    content.set("method of the word changes", std::int64_t{kWordChangesMethod});
  }
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
  for (const std::string& name : row_parameters(config_.maps))
    key.set(name, described.missing(name) ? Value() : *described.find(name));
  key.set("random", *described.find("random"));
  if (!config_.moved_tokens.empty()) key.set("moved_tokens", static_cast<std::int64_t>(at.options.moved_tokens));
  key.merge(fields_of(config_.device));
  key.set("trial", static_cast<std::int64_t>(trial(task)));
  key.set("seed", static_cast<std::int64_t>(config_.seed));
  return key;
}

// The words are held as rows in addition to what the map holds.
double MeasureStudy::memory_bytes(Index task) const {
  return map_bytes(task) + 8.0 * static_cast<double>(words_) * static_cast<double>(point(task).options.d);
}

double MeasureStudy::map_bytes(Index task) const {
  return map_registry().get(point(task).map).memory_bytes(point(task).options);
}

// An ascent reads what the map holds once per evaluation and ends after about 20 of them.
double MeasureStudy::work(Index task) const {
  const double evaluations = config_.search.starts.value_or(4) * std::min(25.0, 2.0 * config_.search.max_iterations);
  return map_bytes(task) * (evaluations + static_cast<double>(words_)) *
         static_cast<double>(config_.token ? point(task).options.moved_tokens : point(task).options.n);
}

// Tasks of a kind take a time in proportion to their work; named choices change the factor.
std::string MeasureStudy::kind(Index task) const {
  const Point& at = point(task);
  const MapEntry& entry = map_registry().get(at.map);
  std::string kind = at.map;
  for (const Parameter& parameter : entry.parameters)
    if (parameter.type() == Parameter::Type::kName) kind += " " + parameter.text(at.options);
  kind += " " + entry.random_of(at.options);
  return at.options.moved_tokens > 1 ? kind + " together" : kind;  // by another form, and from more starts
}

WordChanges MeasureStudy::change_words(Index task, const MappedSample& sample, Index token,
                                       const TokenView& view) const {
  const auto trial_number = static_cast<std::uint64_t>(trial(task));
  const TokenPlace place{sample.X().rows(), sample.X().cols(), trial_number, token};
  const Stream stream =
      Stream(config_.seed).derive("replacement words").derive(trial_number).derive(static_cast<std::uint64_t>(token));
  const ReplacementWords words = config_.data->replacement_words(place, config_.typical, stream);
  return word_changes(sample, view, token, words.rows, words.drawn);
}

std::vector<Index> MeasureStudy::moved_at(Index task) const {
  const MapOptions& options = point(task).options;
  return tokens_from(*config_.token, options.moved_tokens, options.n, config_.spread);
}

std::vector<Record> MeasureStudy::run(Index task) const {
  Point at = point(task);
  at.options.keep_weights = config_.token.has_value() || config_.observe != nullptr;
  const auto [n, d] = std::pair(at.options.n, at.options.d);
  const MapEntry& entry = map_registry().get(at.map);
  const Stream stream = Stream(config_.seed).derive(n).derive(d).derive(trial(task));
  const Matrix X = config_.data->sample(n, d, trial(task));

  const Stopwatch watch;
  Measurement result;
  result.map = config_.weights ? entry.with_weights(at.options, *config_.weights)
                               : entry.draw(at.options, stream.derive("weights"));
  if (!config_.device.is_cpu()) result.map = map_on_cuda(std::move(result.map));
  const auto sample = result.map->at(X);
  const Stream starts = stream.derive("starts");
  std::vector<WordChanges> changes(static_cast<size_t>(config_.typical == 0 ? 0 : config_.token ? 1 : n));
  TokenQuestion question;
  if (config_.typical > 0)
    question = [&](Index token, const TokenView& view) {
      WordChanges& found = changes[static_cast<size_t>(config_.token ? 0 : token)];
      found = change_words(task, *sample, token, view);
      found.left_out = left_out_change(*result.map, *sample, view, token);
    };
  SampleSensitivity found;
  if (at.options.moved_tokens > 1) {
    // One search, whose ascents meet where a device evaluates their moves together.
    for_each_search(*sample, 1,
                    [&](Index) { found.most = measure_together(*sample, moved_at(task), config_.search, starts); });
  } else {
    found = config_.token ? measure_tokens(*sample, std::array{*config_.token}, config_.search, starts, {}, question)
                          : measure_tokens(*sample, config_.search, starts, {}, question);
  }

  result.row = key(task);
  add_sensitivity(result.row, found.most, sample->feature_norm());
  if (config_.typical > 0) add_word_changes(result.row, changes);
  if (config_.first_direction) result.row.set("first_direction", share_of_first_direction(X));
  if (!config_.weights) {
    const std::vector<Index> moved =
        at.options.moved_tokens > 1 ? moved_at(task) : std::vector<Index>{found.most.token};
    add_prediction(result.row, entry, at.options, geometry_of(X, moved, config_.search.radius));
  }
  const double bytes = result.map->memory_bytes().value_or(memory_bytes(task));
  result.row.set("memory_bytes", static_cast<std::int64_t>(bytes));
  result.row.set("seconds", watch.seconds());
  if (!config_.token) result.row.set("token_sensitivities", found.sensitivities);
  result.delta = found.most.delta;
  if (config_.observe) config_.observe(result);
  return {result.row};
}

}  // namespace wordsway
