// Maps: the list of them, and a token of a sample under one.
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
#include "wordsway/core/error.h"
#include "wordsway/maps/declared_parameters.h"

namespace wordsway::python {
namespace {

using ParameterArgument = std::variant<std::int64_t, double, std::string>;
using ParameterArguments = std::map<std::string, std::vector<ParameterArgument>>;

// The parameters that the maps have, checked by their declarations.
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

// One token of a sample under a map.
struct MapView {
  std::shared_ptr<const FeatureMap> map;
  std::shared_ptr<const MappedSample> sample;
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
    // The streams of the first trial of `measure` on the same X.
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
