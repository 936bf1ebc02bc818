#include "wordsway/study/summary.h"

#include <algorithm>

#include "wordsway/core/statistics.h"
#include "wordsway/run/study.h"
#include "wordsway/study/row_groups.h"

namespace wordsway {
namespace {

bool is_number(const Value& value) {
  return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
}

// Numbers that count or name a trial say nothing by their mean.
bool is_label(const std::string& name) {
  return name == "trial" || name == "seed" || name == "token";
}

Record identity_of(const Record& row) {
  Record identity;
  bool before_trial = row.find("trial") != nullptr;
  for (const auto& [name, value] : row.fields()) {
    before_trial = before_trial && name != "trial";
    const bool text = std::holds_alternative<std::string>(value) && name != "failure";
    if (before_trial || text || name == "penalty" || name == "layer") identity.set(name, value);
  }
  return identity;
}

using Numbers = std::vector<std::pair<std::string, std::vector<double>>>;

// The numbers measured in rows that did not fail, by name, in order of first appearance.
Numbers measured(const RowGroup& point) {
  Numbers numbers;
  for (const Record* row : point.rows) {
    if (is_failed(*row)) continue;
    for (const auto& [name, value] : row->fields()) {
      if (point.identity.find(name) != nullptr || !is_number(value) || is_label(name)) continue;
      auto found = std::ranges::find(numbers, name, &Numbers::value_type::first);
      if (found == numbers.end()) found = numbers.insert(numbers.end(), {name, {}});
      found->second.push_back(row->number(name));
    }
  }
  return numbers;
}

Record to_record(const RowGroup& point) {
  const auto failed =
      std::count_if(point.rows.begin(), point.rows.end(), [](const Record* row) { return is_failed(*row); });
  Record record = point.identity;
  record.set("trials", static_cast<std::int64_t>(point.rows.size()) - failed);
  record.set("failed", std::int64_t{failed});
  for (const auto& [name, values] : measured(point)) {
    const Moments found = moments(values);
    record.set(name, found.mean);
    record.set(name + "_deviation", found.count < 2 ? Value() : Value(found.deviation));
  }
  return record;
}

}  // namespace

std::vector<Record> summarise_points(const std::vector<Record>& rows) {
  std::vector<Record> result;
  for (const RowGroup& point : group_rows(rows, [](const Record& row) { return std::vector{identity_of(row)}; }))
    result.push_back(to_record(point));
  return result;
}

}  // namespace wordsway
