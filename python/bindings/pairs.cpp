// Pairs: audits of models and of vectors made elsewhere.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "calls.h"
#include "model_handle.h"
#include "wordsway/audit/pair_audit.h"
#include "wordsway/audit/pairs_text.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/pairs/ci_reports.h"
#include "wordsway/figures/pairs/pairs_page.h"
#include "wordsway/text/pairs/builtin_pairs.h"
#include "wordsway/text/pairs/pair_file.h"

namespace wordsway::python {
namespace {

using OptionalText = std::optional<std::string>;
using Pairs = std::vector<TextPair>;

struct AuditArguments {
  std::string name;
  std::optional<double> threshold;
  OptionalText unit, preset;
  std::optional<double> max_false_merges, min_kept;
  OptionalText baseline;
};

PairAuditOptions options_of(const AuditArguments& given) {
  PairAuditOptions options;
  options.name = given.name;
  options.threshold = choose_threshold(given.threshold, given.unit, given.preset);
  options.rules.max_false_merges = given.max_false_merges;
  options.rules.min_kept = given.min_kept;
  if (given.baseline) options.rules.baseline = read_pair_baseline(*given.baseline);
  return options;
}

std::vector<Record> rows_of(const PairAudit& audit) {
  std::vector<Record> rows;
  rows.reserve(audit.pairs.size());
  for (const AuditedPair& pair : audit.pairs) rows.push_back(row_of(pair, audit.steps));
  return rows;
}

std::vector<Record> classes_of(const PairAudit& audit) {
  std::vector<Record> rows;
  for (const ClassSummary& summary : audit.classes) rows.push_back(row_of(summary));
  return rows;
}

// Median similarity after every step, class by class.
nb::dict curves_of(const PairAudit& audit) {
  nb::dict result;
  for (const ClassSummary& summary : audit.classes) {
    nb::dict curve;
    curve["changed"] = nb::cast(summary.changed_by_step);
    curve["control"] = nb::cast(summary.control_by_step);
    curve["lost"] = nb::cast(summary.lost_by_step);
    result[summary.class_name.c_str()] = curve;
  }
  return result;
}

}  // namespace

void bind_pairs(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<TextPair>(module, "TextPair")
      .def(
          "__init__",
          [](TextPair* pair, const std::string& anchor, const std::string& changed, const OptionalText& control,
             const OptionalText& class_name) {
            new (pair) TextPair{anchor, changed, control, class_name.value_or(kUnnamedClass), std::nullopt};
          },
          "anchor"_a, "changed"_a, "control"_a.none(), "class_name"_a.none())
      .def_ro("anchor", &TextPair::anchor)
      .def_ro("changed", &TextPair::changed)
      .def_ro("control", &TextPair::control)
      .def_ro("class_name", &TextPair::class_name);
  module.def("builtin_pairs", &builtin_pairs);
  module.def("read_pairs", [](const std::string& path) { return read_pairs(path); });
  module.def("distinct_texts", [](const Pairs& pairs) { return distinct_texts(pairs); });
  module.def("unit_names", &similarity_unit_names);
  module.def("presets", [] {
    std::vector<std::tuple<std::string, std::string, double, std::string>> result;
    for (const ThresholdPreset& preset : threshold_presets())
      result.emplace_back(preset.name, preset.system, preset.threshold, to_string(preset.unit));
    return result;
  });
  nb::class_<AuditArguments>(module, "AuditArguments")
      .def(nb::init<std::string, std::optional<double>, OptionalText, OptionalText, std::optional<double>,
                    std::optional<double>, OptionalText>(),
           "name"_a, "threshold"_a.none(), "unit"_a.none(), "preset"_a.none(), "max_false_merges"_a.none(),
           "min_kept"_a.none(), "baseline"_a.none());
  // Before others are asked to embed thousands of texts.
  module.def("check_audit", [](const AuditArguments& given) { options_of(given); });
  nb::class_<PairAudit>(module, "PairAudit")
      .def_prop_ro("rows", [](const PairAudit& audit) { return to_python(rows_of(audit)); })
      .def_prop_ro("classes", [](const PairAudit& audit) { return to_python(classes_of(audit)); })
      .def_prop_ro("curves", &curves_of)
      .def_prop_ro("steps", [](const PairAudit& audit) { return audit.steps; })
      .def_prop_ro("passed", [](const PairAudit& audit) { return audit.verdict.passed(); })
      .def_prop_ro("failures", [](const PairAudit& audit) { return audit.verdict.failures(); })
      .def_prop_ro("threshold", [](const PairAudit& audit) { return audit.threshold.describe(); })
      .def("text", [](const PairAudit& audit, bool of_two) { return format_pairs(audit, "table", of_two); })
      .def("json", [](const PairAudit& audit) { return to_json(audit); })
      .def("html", &pairs_html)
      .def("junit", &junit_xml);
  module.def(
      "audit_model",
      [](const ModelHandle& handle, const Pairs& pairs, const AuditArguments& given, const OptionalText& prompt_name,
         const OptionalText& prompt, nb::handle progress) {
        PairAuditOptions options = options_of(given);
        options.prompt = choose_prompt(*handle, {prompt_name, prompt}, true);
        return released(progress, [&](const Progress& tell) { return audit_pairs(*handle, pairs, options, tell); });
      },
      "model"_a, "pairs"_a, "arguments"_a, "prompt_name"_a.none(), "prompt"_a.none(), "progress"_a.none());
  module.def(
      "audit_vectors",
      [](const DoubleArray& vectors, const Pairs& pairs, const AuditArguments& given) {
        const PairAuditOptions options = options_of(given);
        const Matrix rows = matrix_of(vectors, "the array of vectors");
        return released(nb::none(), [&](const Progress&) { return audit_pairs(rows, pairs, options); });
      },
      "vectors"_a, "pairs"_a, "arguments"_a);
}

}  // namespace wordsway::python
