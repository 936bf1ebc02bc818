#include "wordsway/study/measure_rows.h"

#include <algorithm>

#include "wordsway/sensitivity/scaling_fit.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {

void add_sensitivity(Record& row, const TokenSensitivity& found, double feature_norm) {
  row.set("token", static_cast<std::int64_t>(found.token));
  row.set("sensitivity", found.sensitivity);
  row.set("upper_bound", optional_value(found.upper_bound));
  row.set("upper_bound_probability", optional_value(found.upper_bound_probability));
  row.set("predicted", {});
  row.set("predicted_finite", {});
  row.set("feature_norm", feature_norm);
  row.set("delta_norm", found.delta.norm());
  row.set("starts", std::int64_t{found.starts});
  row.set("start_spread", found.start_spread);
  row.set("evaluations", std::int64_t{found.evaluations});
  row.set("converged", found.converged);
}

namespace {

constexpr const char* kCurveFields[] = {"map", "d", "depth", "width", "activation", "beta", "random"};

struct Curve {
  Record identity;
  std::vector<double> n, S;
};

// Width follows n unless it was given, so it tells curves apart only when it does not.
Record identity_of(const Record& row) {
  Record identity;
  for (const char* name : kCurveFields) {
    const Value* value = row.find(name);
    const bool default_width = std::string_view(name) == "width" && !row.missing(name) &&
                               row.number("width") == row.number("n") * row.number("d");
    identity.set(name, value == nullptr || default_width ? Value() : *value);
  }
  return identity;
}

}  // namespace

std::vector<Record> fit_curves(const std::vector<Record>& rows) {
  std::vector<Curve> curves;
  for (const Record& row : rows) {
    if (row.missing("sensitivity")) continue;
    const Record identity = identity_of(row);
    auto curve = std::find_if(curves.begin(), curves.end(), [&](const Curve& c) { return c.identity == identity; });
    if (curve == curves.end()) curve = curves.insert(curves.end(), {identity, {}, {}});
    curve->n.push_back(row.number("n"));
    curve->S.push_back(row.number("sensitivity"));
  }
  std::vector<Record> fits;
  for (const Curve& curve : curves) {
    const auto fit = fit_scaling(curve.n, curve.S);
    if (!fit) continue;
    Record record;
    for (const char* name : {"map", "d", "depth"}) record.set(name, *curve.identity.find(name));
    record.set("exponent", fit->exponent);
    record.set("exponent_low", fit->low);
    record.set("exponent_high", fit->high);
    for (const char* name : {"beta", "width", "activation"})
      if (!curve.identity.missing(name)) record.set(name, *curve.identity.find(name));
    fits.push_back(std::move(record));
  }
  return fits;
}

}  // namespace wordsway
