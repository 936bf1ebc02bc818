// Maps and arrays: measure, generalize, views of a token, the list of maps.
#include <algorithm>
#include <functional>
#include <mutex>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "calls.h"
#include "model_handle.h"
#include "wordsway/core/device.h"
#include "wordsway/core/error.h"
#include "wordsway/data/named_data.h"
#include "wordsway/data/review_source.h"
#include "wordsway/maps/declared_parameters.h"
#include "wordsway/run/run_study.h"
#include "wordsway/run/schedule.h"
#include "wordsway/study/generalize_study.h"
#include "wordsway/study/measure_study.h"

namespace wordsway::python {
namespace {

using ParameterArgument = std::variant<std::int64_t, double, std::string>;
using ParameterArguments = std::map<std::string, std::vector<ParameterArgument>>;

// Those that the maps have, checked by their declarations.
ParameterLists parameters_of(const ParameterArguments& given, const MapNames& maps) {
  ParameterLists lists;
  for (const auto& [name, values] : given) {
    const std::vector<std::string> known = row_parameters(map_registry().names());
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError("no map has a parameter '" + name + "'");
    check_has_meaning(name, maps, name);
    for (const ParameterArgument& value : values) lists[name].push_back(declared_parameter(name).checked(value));
  }
  return lists;
}

// One value of each, where a study cannot go through several.
ParameterValues single_values(const ParameterLists& lists) {
  ParameterValues values;
  for (const auto& [name, list] : lists) {
    if (list.size() != 1) throw UsageError(name + " takes one value here; got " + std::to_string(list.size()));
    values[name] = list.front();
  }
  return values;
}

SensitivityOptions search_of(double radius, const std::string& unit, std::optional<int> starts, int steps,
                             std::optional<double> tolerance) {
  return {{radius, parse_radius_unit(unit)}, starts, steps, tolerance};
}

std::vector<double> values_of(const DoubleArray& array) {
  return {array.data(), array.data() + array.size()};
}

// What is computed, with everything that Python needs from it.
struct Measured {
  Record config;
  std::vector<Record> rows, fits;
  std::vector<std::string> remarks;
  std::optional<Vector> delta;  // of a single result
};

nb::dict as_dict(const Measured& measured) {
  nb::dict result;
  result["config"] = to_python(measured.config);
  result["rows"] = to_python(measured.rows);
  result["fits"] = to_python(measured.fits);
  result["remarks"] = nb::cast(measured.remarks);
  result["delta"] = measured.delta ? nb::cast(array_of(*measured.delta)) : nb::none();
  return result;
}

RunOptions run_options(const std::string& journal, double memory, const Progress& progress, Measured& measured) {
  RunOptions run;
  run.progress = progress;
  run.journal = journal;
  run.memory_limit = memory;
  run.remark = [&measured](const std::string& remark) { measured.remarks.push_back(remark); };
  return run;
}

void keep_rows(Measured& measured, const Study& study, StudyResult result) {
  if (const auto remark = remark_on_failures(result)) measured.remarks.push_back(*remark);
  measured.config = study.config();
  measured.rows = std::move(result.rows);
}

void require_sizes(const std::vector<Index>& sizes, const char* name) {
  if (sizes.empty()) throw UsageError(std::string(name) + " names no size");
}

struct MeasureArguments {
  std::vector<std::string> maps;
  std::vector<Index> n, d;  // empty: those of X, or the usual ones
  std::string data;
  const ModelHandle* reviews;  // the model that reads the built-in ones
  std::uint64_t seed;
};

std::shared_ptr<const DataSource> made_up_source(MeasureArguments& ask, Measured& measured) {
  const bool usual_d = ask.d.empty();
  if (ask.n.empty()) ask.n = {100};
  if (usual_d) ask.d = {256};
  const NamedData data = name_data(ask.data, ask.n, ask.d);
  if (!data.remark.empty()) measured.remarks.push_back(data.remark);
  if (data.name != kBuiltinData) return synthetic_source(data.name, ask.seed);
  ensure(ask.reviews != nullptr, "the built-in model reads the reviews");
  auto source = review_source((*ask.reviews)->transformer, (*ask.reviews)->tokenizer, ask.seed);
  if (usual_d) ask.d = {*source->own_d()};
  return source;
}

nb::dict measure_maps(std::vector<std::string> maps, std::vector<Index> n, std::vector<Index> d,
                      const std::optional<DoubleArray>& X, bool normalise, const std::string& data,
                      const ModelHandle* reviews, const ParameterArguments& parameters, const std::string& random,
                      const std::string& device, std::optional<Index> token, Index typical, double radius,
                      const std::string& radius_unit, std::optional<int> starts, int steps,
                      std::optional<double> tolerance, std::uint64_t seed, std::optional<Index> trials,
                      const std::optional<DoubleArray>& weights, const std::string& journal, double memory,
                      nb::handle progress) {
  Measured measured;
  MeasureConfig config;
  MeasureArguments ask{maps, std::move(n), std::move(d), data, reviews, seed};
  for (const std::string& map : maps) map_registry().get(map);
  config.maps = std::move(maps);
  config.parameters = parameters_of(parameters, config.maps);
  config.random = random;
  config.device = device_given(device, "f32");
  config.token = token;
  config.typical = typical;
  config.search = search_of(radius, radius_unit, starts, steps, tolerance);
  config.seed = seed;
  if (X) {
    config.data = array_source("X", shape_of(*X), values_of(*X), normalise);
    if (ask.n.empty()) ask.n = {*config.data->own_n()};
    if (ask.d.empty()) ask.d = {*config.data->own_d()};
  } else {
    config.data = made_up_source(ask, measured);
  }
  require_sizes(ask.n, "n");
  require_sizes(ask.d, "d");
  config.n = ask.n;
  config.d = ask.d;
  if (weights) config.weights = matrix_of(*weights, "W");
  const Index samples = config.data->count().value_or(1);
  config.trials = trials.value_or(weights ? 1 : samples > 1 ? samples : 10);
  const Index results = MeasureStudy(config).size();
  if (weights && results != 1) throw UsageError("W needs a single result; this asks for " + std::to_string(results));
  // Not always: whoever observes makes a map keep weights that it could let go.
  if (results == 1) config.observe = [&](const Measurement& found) { measured.delta = found.delta; };
  const MeasureStudy study(config);
  call_released(progress, [&](const Progress& tell) {
    keep_rows(measured, study, run_study(study, run_options(journal, memory, tell, measured)));
    measured.fits = fit_curves(measured.rows);
  });
  return as_dict(measured);
}

struct LabelledArguments {
  std::optional<DoubleArray> pool, labels, X_train, y_train, X;
  std::optional<double> y;
};

LabelledArray labelled(const std::string& name, const DoubleArray& array, std::vector<double> labels, bool normalise) {
  return {name, shape_of(array), values_of(array), std::move(labels), normalise};
}

std::shared_ptr<const LabelledSource> given_samples(const LabelledArguments& given, bool normalise) {
  if (!given.X_train || !given.y_train || !given.X || !given.y)
    throw UsageError("X_train, y_train, X and y belong together; give all four");
  if (*given.y != 1 && *given.y != -1) throw UsageError("y must be 1 or -1");
  if (given.X->ndim() != 2)
    throw DataError("X: the new sample must be an array n x d; got " + std::to_string(given.X->ndim()) + " dimensions");
  LabelledArray fresh = labelled("X", *given.X, {*given.y}, normalise);
  fresh.shape.insert(fresh.shape.begin(), 1);
  return fixed_source(labelled("X_train", *given.X_train, values_of(*given.y_train), normalise), std::move(fresh));
}

nb::dict generalize_maps(std::vector<std::string> maps, std::vector<Index> n, std::vector<Index> d,
                         std::vector<Index> train_size, const std::string& data, const std::string& label_rule,
                         const ModelHandle* reviews, const std::optional<DoubleArray>& pool,
                         const std::optional<DoubleArray>& labels, const std::optional<DoubleArray>& X_train,
                         const std::optional<DoubleArray>& y_train, const std::optional<DoubleArray>& X,
                         std::optional<double> y, bool normalise, const ParameterArguments& parameters,
                         const std::string& random, const std::string& device, const std::vector<std::string>& training,
                         const std::vector<std::string>& objective, std::vector<double> penalty, Index token,
                         double radius, std::optional<int> starts, int steps, std::optional<double> tolerance,
                         std::uint64_t seed, std::optional<Index> trials, const std::optional<DoubleArray>& weights,
                         const std::string& journal, double memory, nb::handle progress) {
  Measured measured;
  GeneralizeConfig config;
  const LabelledArguments given{pool, labels, X_train, y_train, X, y};
  for (const std::string& map : maps) map_registry().get(map);
  config.maps = std::move(maps);
  config.map.given = single_values(parameters_of(parameters, config.maps));
  config.map.random = random;
  config.device = device_given(device, "f32");
  config.seed = seed;
  config.radius = radius;
  config.plan.trainings.clear();
  for (const std::string& name : training) config.plan.trainings.push_back(parse_training(name));
  config.plan.objectives.clear();
  for (const std::string& name : objective) config.plan.objectives.push_back(parse_objective(name));
  config.plan.penalties = std::move(penalty);
  config.plan.token = token;
  config.plan.features.bytes = memory > 0 ? memory : 0.5 * default_memory_limit();
  config.plan.descent.starts = starts.value_or(config.plan.descent.starts);
  config.plan.descent.max_iterations = steps;
  config.plan.descent.tolerance = tolerance.value_or(config.plan.descent.tolerance);
  const bool is_explicit = X_train || y_train || X || y;
  const bool has_pool = pool || labels;
  if (is_explicit && has_pool) throw UsageError("X_train and pool contradict each other; give one");
  if ((is_explicit || has_pool) && !(data.empty() && label_rule.empty()))
    throw UsageError("data and label_rule contradict samples of your own: X_train and pool");
  if (is_explicit) {
    config.data = given_samples(given, normalise);
  } else if (has_pool) {
    if (!pool || !labels) throw UsageError("pool and labels belong together; give both");
    config.data = pool_source(labelled("pool", *pool, values_of(*labels), normalise), seed);
  } else {
    const bool by_rule = data.empty() && !label_rule.empty();  // a rule is for synthetic samples
    const NamedData named = name_data(by_rule ? kSyntheticData : data, n.empty() ? std::vector<Index>{40} : n,
                                      d.empty() ? std::vector<Index>{256} : d);
    if (!named.remark.empty()) measured.remarks.push_back(named.remark);
    if (named.name == kBuiltinData) {
      if (!label_rule.empty())
        throw UsageError("the built-in reviews bring their labels; label_rule is for sphere and spiked:A");
      ensure(reviews != nullptr, "the built-in model reads the reviews");
      config.data = labelled_review_source((*reviews)->transformer, (*reviews)->tokenizer, seed);
    } else {
      config.data = synthetic_labelled_source(named.name, label_rule.empty() ? "halfspace" : label_rule, seed);
    }
  }
  config.n = n.empty() ? std::vector<Index>{config.data->own_n().value_or(40)} : std::move(n);
  config.d = d.empty() ? std::vector<Index>{config.data->own_d().value_or(256)} : std::move(d);
  config.training_sizes =
      train_size.empty() ? std::vector<Index>{config.data->own_training_size().value_or(100)} : std::move(train_size);
  config.trials = trials.value_or(is_explicit ? 1 : 10);
  if (weights) config.weights = matrix_of(*weights, "W");
  std::mutex mutex;
  config.remark = [&](const std::string& remark) {
    const std::lock_guard lock(mutex);
    measured.remarks.push_back(remark);
  };
  config.observe = [&](const Simulation& found) {
    const std::lock_guard lock(mutex);
    measured.delta = found.result.outcomes.front().delta;
  };
  const GeneralizeStudy study(std::move(config));
  call_released(progress, [&](const Progress& tell) {
    // `memory` limits the features, which can be computed with little of it; simulations share the whole machine.
    keep_rows(measured, study, run_study(study, run_options(journal, 0, tell, measured)));
  });
  if (study.size() != 1 || study.row_count(0) != 1) measured.delta.reset();
  return as_dict(measured);
}

// One token of a sample under a map.
struct MapView {
  std::shared_ptr<const FeatureMap> map;
  std::shared_ptr<const Sample> sample;
  std::unique_ptr<TokenView> view;
  std::unique_ptr<LiftedFunction> change;
  bool concurrent;
  std::mutex mutex;  // functions of some views must be evaluated one after the other
};

// Python owns the result.
MapView* view_of(const std::function<std::unique_ptr<FeatureMap>()>& make_map, const Matrix& X, Index token) {
  if (token < 0 || token >= X.rows())
    throw UsageError("token " + std::to_string(token) + " is out of range; X has tokens 0 to " +
                     std::to_string(X.rows() - 1));
  auto result = std::make_unique<MapView>();
  call_released(nb::none(), [&](const Progress&) {
    result->map = make_map();
    result->sample = result->map->at(X);
    check_features(*result->sample);
    result->view = result->sample->token(token);
    result->change = result->view->change();
    result->concurrent = result->view->concurrent();
  });
  return result.release();
}

MapView* view_map(const std::string& name, const DoubleArray& X, Index token, const std::optional<DoubleArray>& weights,
                  const ParameterArguments& parameters, const std::string& random, std::uint64_t seed) {
  const MapEntry& entry = map_registry().get(name);
  const Matrix sample = matrix_of(X, "X");
  MapOptions options;
  options.n = sample.rows();
  options.d = sample.cols();
  options.given = single_values(parameters_of(parameters, {name}));
  options.random = random;
  entry.random_of(options);
  const auto make_map = [&] {
    if (weights) {
      const Matrix W = matrix_of(*weights, "W");
      if (entry.follow_weights) entry.follow_weights(options, W);
      if (entry.check) entry.check(options);
      return entry.with_weights(options, W);
    }
    if (entry.check) entry.check(options);
    // Those of the first trial of `measure` on the same X.
    const Stream trial = Stream(seed)
                             .derive(static_cast<std::uint64_t>(options.n))
                             .derive(static_cast<std::uint64_t>(options.d))
                             .derive(std::uint64_t{0});
    return entry.draw(options, trial.derive("weights"));
  };
  return view_of(make_map, sample, token);
}

MapView* view_model(const ModelHandle& handle, const DoubleArray& X, Index token, const std::string& layer,
                    const std::string& rows) {
  const ModelOutput output = parse_layer(layer, *handle->transformer, rows);
  return view_of([&] { return std::make_unique<ModelMap>(handle->transformer, output); }, matrix_of(X, "X"), token);
}

// f(Δ) and its gradient of one Δ [d] or of several [k, d].
nb::object evaluate(MapView& view, const LiftedFunction& function, const DoubleArray& delta, const char* what) {
  const bool single = delta.ndim() == 1;
  if (delta.ndim() != 1 && delta.ndim() != 2)
    throw UsageError("delta must be d numbers, or k rows of d; it has " + std::to_string(delta.ndim()) + " dimensions");
  const auto rows = single ? Index{1} : static_cast<Index>(delta.shape(0));
  const auto columns = static_cast<Index>(delta.shape(single ? 0 : 1));
  if (columns != function.dimension())
    throw UsageError("delta must have d = " + std::to_string(function.dimension()) + " coordinates; got " +
                     std::to_string(columns));
  const Eigen::Map<const Matrix> moves(delta.data(), rows, columns);
  check_entries(moves, "delta", kLongestMove);
  Vector values;
  Matrix gradients;
  call_released(nb::none(), [&](const Progress&) {
    const std::unique_lock lock = view.concurrent ? std::unique_lock<std::mutex>() : std::unique_lock(view.mutex);
    values = function.values(moves, &gradients);
  });
  if (!values.allFinite() || !gradients.allFinite()) throw DataError(std::string(what) + " is not finite there");
  if (single) return nb::make_tuple(values[0], array_of(Vector(gradients.row(0))));
  return nb::make_tuple(array_of(values), array_of(gradients));
}

nb::dict describe_map(const std::string& name) {
  const MapEntry& entry = map_registry().get(name);
  nb::list parameters;
  for (const Parameter& parameter : entry.parameters) {
    nb::dict field;
    field["name"] = parameter.name();
    field["help"] = parameter.help();
    field["default"] = parameter.default_text();
    field["range"] = parameter.range_text();
    parameters.append(field);
  }
  nb::dict result;
  result["name"] = name;
  result["summary"] = entry.summary;
  result["random"] = nb::cast(entry.random_ways);
  result["parameters"] = parameters;
  result["page"] = entry.page();
  return result;
}

}  // namespace

void bind_maps(nb::module_& module) {
  using namespace nb::literals;
  module.def("maps", [] {
    nb::list result;
    for (const std::string& name : map_registry().names()) result.append(describe_map(name));
    return result;
  });
  module.def("check_map", [](const std::string& name) { map_registry().get(name); });
  module.def("measure", &measure_maps, nb::kw_only(), "maps"_a, "n"_a, "d"_a, "X"_a.none(), "normalise"_a, "data"_a,
             "reviews"_a.none(), "parameters"_a, "random"_a, "device"_a, "token"_a.none(), "typical"_a, "radius"_a,
             "radius_unit"_a, "starts"_a.none(), "steps"_a, "tolerance"_a.none(), "seed"_a, "trials"_a.none(),
             "weights"_a.none(), "journal"_a, "memory"_a, "progress"_a.none());
  module.def("generalize", &generalize_maps, nb::kw_only(), "maps"_a, "n"_a, "d"_a, "train_size"_a, "data"_a,
             "label_rule"_a, "reviews"_a.none(), "pool"_a.none(), "labels"_a.none(), "X_train"_a.none(),
             "y_train"_a.none(), "X"_a.none(), "y"_a.none(), "normalise"_a, "parameters"_a, "random"_a, "device"_a,
             "training"_a, "objective"_a, "penalty"_a, "token"_a, "radius"_a, "starts"_a.none(), "steps"_a,
             "tolerance"_a.none(), "seed"_a, "trials"_a.none(), "weights"_a.none(), "journal"_a, "memory"_a,
             "progress"_a.none());
  nb::class_<MapView>(module, "MapView")
      .def("change",
           [](MapView& view, const DoubleArray& delta) { return evaluate(view, *view.change, delta, "the change"); })
      .def("inner",
           [](MapView& view, const DoubleArray& psi, const DoubleArray& delta) {
             return evaluate(view, *view.view->inner(matrix_of(psi, "psi")), delta, "the inner product");
           })
      .def("starts",
           [](MapView& view) {
             nb::list starts;
             for (const Vector& start : view.view->starts()) starts.append(array_of(start));
             return starts;
           })
      .def("features", [](const MapView& view) { return array_of(view.sample->features()); })
      .def("feature_norm", [](const MapView& view) { return view.sample->feature_norm(); })
      .def("weights", [](const MapView& view) { return array_of(view.map->weights()); });
  module.def("view", &view_map, nb::rv_policy::take_ownership, "map"_a, "X"_a, "token"_a, "weights"_a.none(),
             "parameters"_a, "random"_a, "seed"_a);
  module.def("view_model", &view_model, nb::rv_policy::take_ownership, "model"_a, "X"_a, "token"_a, "layer"_a,
             "rows"_a);
}

}  // namespace wordsway::python
