#include "wordsway/study/measure_rows.h"

#include <algorithm>

#include "wordsway/core/error.h"
#include "wordsway/maps/declared_parameters.h"
#include "wordsway/sensitivity/scaling_fit.h"
#include "wordsway/study/measure_study.h"
#include "wordsway/study/row_groups.h"

namespace wordsway {

namespace {

// The longest of the tokens' moves.
double longest_move(const TokenSensitivity& found) {
  const Index d = found.delta.size() / found.moved;
  double longest = 0;
  for (Index t = 0; t < found.moved; ++t) longest = std::max(longest, found.delta.segment(t * d, d).norm());
  return longest;
}

}  // namespace

void add_sensitivity(Record& row, const TokenSensitivity& found, double feature_norm) {
  row.set("token", static_cast<std::int64_t>(found.token));
  row.set("sensitivity", found.sensitivity);
  row.set("upper_bound", optional_value(found.upper_bound));
  row.set("upper_bound_probability", optional_value(found.upper_bound_probability));
  row.set("predicted", {});
  row.set("predicted_finite", {});
  row.set("feature_norm", feature_norm);
  row.set("delta_norm", longest_move(found));
  row.set("starts", std::int64_t{found.starts});
  row.set("start_spread", found.start_spread);
  row.set("evaluations", std::int64_t{found.evaluations});
  row.set("converged", found.converged);
}

void add_word_changes(Record& row, std::span<const WordChanges> tokens) {
  if (tokens.empty()) throw UsageError("there is no token that words were put in the place of");
  WordChanges all;
  double left_out = 0, counted = 0;
  for (const WordChanges& token : tokens) {
    left_out += token.left_out.value_or(0);
    counted += token.left_out ? 1 : 0;
    all.typical += token.typical / static_cast<double>(tokens.size());
    all.worst = std::max(all.worst, token.worst);
    all.words += token.words;
  }
  row.set("typical", all.typical);
  row.set("worst_word_change", all.worst);
  row.set("words_tried", static_cast<std::int64_t>(all.words));
  row.set("left_out", counted > 0 ? Value(left_out / counted) : Value());
}

namespace {

bool has_default_of_size(const Record& row, const std::string& name) {
  const MapRegistry& maps = map_registry();
  const Parameter* own = maps.contains(row.text("map")) ? maps.get(row.text("map")).parameter(name) : nullptr;
  const Parameter& parameter = own != nullptr ? *own : declared_parameter(name);  // rows of a map that is gone
  if (!parameter.default_follows_size()) return false;
  const auto n = static_cast<Index>(row.number("n")), d = static_cast<Index>(row.number("d"));
  return row.number(name) == static_cast<double>(std::get<std::int64_t>(parameter.default_value(n, d)));
}

bool is_parameter(const std::string& field) {
  return field != "map" && field != "d" && field != "random" && field != "moved_tokens";
}

// The fields that identify a curve; a field without a value is missing.
std::vector<std::string> curve_fields() {
  std::vector<std::string> fields = {"map", "d"};
  const auto parameters = listed_parameters(map_registry().names());
  fields.insert(fields.end(), parameters.begin(), parameters.end());
  fields.emplace_back("random");
  fields.emplace_back("moved_tokens");
  return fields;
}

// The curves that a row lies on: that of its values, and that of a parameter which follows n. A row lies on both if a
// given value happens to be the default for this n; the wrong one of the two then has too few n for a fit.
std::vector<Record> identities_of(const Record& row, const std::vector<std::string>& fields,
                                  const std::vector<std::string>& following) {
  Record by_value, by_size;
  for (const std::string& name : fields) {
    const Value value = row.missing(name) ? Value() : *row.find(name);
    const bool follows = std::find(following.begin(), following.end(), name) != following.end();
    by_value.set(name, follows ? Value() : value);
    by_size.set(name, !row.missing(name) && is_parameter(name) && has_default_of_size(row, name) ? Value() : value);
  }
  return by_value == by_size ? std::vector{by_value} : std::vector{by_value, by_size};
}

std::vector<RowGroup> collect_curves(const std::vector<Record>& rows) {
  const std::vector<std::string> fields = curve_fields();
  std::vector<std::string> following;
  std::copy_if(fields.begin(), fields.end(), std::back_inserter(following),
               [&](const std::string& name) { return is_parameter(name) && follows_size(rows, name); });
  return group_rows(rows, [&](const Record& row) {
    return row.missing("sensitivity") ? std::vector<Record>() : identities_of(row, fields, following);
  });
}

}  // namespace

bool follows_size(const std::vector<Record>& rows, const std::string& parameter) {
  bool found = false;
  for (const Record& row : rows) {
    if (row.missing(parameter)) continue;
    if (!has_default_of_size(row, parameter)) return false;
    found = true;
  }
  return found;
}

std::vector<Record> fit_curves(const std::vector<Record>& rows) {
  std::vector<Record> fits;
  for (const RowGroup& curve : collect_curves(rows)) {
    std::vector<double> n, S;
    for (const Record* row : curve.rows) {
      n.push_back(row->number("n"));
      S.push_back(row->number("sensitivity"));
    }
    const auto fit = fit_scaling(n, S);
    if (!fit) continue;
    Record record;
    for (const char* name : {"map", "d", "depth"}) record.set(name, *curve.identity.find(name));
    record.set("exponent", fit->exponent);
    record.set("exponent_low", fit->low);
    record.set("exponent_high", fit->high);
    for (const auto& [name, value] : curve.identity.fields())
      if (name != "random" && !curve.identity.missing(name)) record.set(name, value);
    fits.push_back(std::move(record));
  }
  return fits;
}

}  // namespace wordsway
