// Pairs of texts as Python has them, for audits of vectors that others make.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "calls.h"
#include "wordsway/audit/pair_audit.h"
#include "wordsway/text/pairs/builtin_pairs.h"
#include "wordsway/text/pairs/pair_file.h"

namespace wordsway::python {
namespace {

// anchor, changed, control, class
using PairTuple = std::tuple<std::string, std::string, std::optional<std::string>, std::optional<std::string>>;

std::vector<PairTuple> to_tuples(const std::vector<TextPair>& pairs) {
  std::vector<PairTuple> result;
  result.reserve(pairs.size());
  for (const TextPair& pair : pairs) result.emplace_back(pair.anchor, pair.changed, pair.control, pair.class_name);
  return result;
}

std::vector<std::string> texts_of(const std::vector<PairTuple>& given) {
  std::vector<TextPair> pairs;
  pairs.reserve(given.size());
  for (const auto& [anchor, changed, control, class_name] : given) pairs.push_back({anchor, changed, control});
  return distinct_texts(pairs);
}

}  // namespace

void bind_pairs(nb::module_& module) {
  module.def("builtin_pairs", [] { return to_tuples(builtin_pairs()); });
  module.def("read_pairs", [](nb::bytes path) { return to_tuples(read_pairs(path_of(path))); });
  module.def("distinct_texts", &texts_of);
  module.def("presets", [] {
    std::vector<std::tuple<std::string, std::string, double, std::string>> result;
    for (const ThresholdPreset& preset : threshold_presets())
      result.emplace_back(preset.name, preset.system, preset.threshold, to_string(preset.unit));
    return result;
  });
}

}  // namespace wordsway::python
