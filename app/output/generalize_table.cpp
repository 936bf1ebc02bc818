#include "output/generalize_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/study/study.h"

namespace wordsway::app {
namespace {

constexpr const char* kGroupFields[] = {"map", "n", "d", "train_size", "training", "objective", "penalty"};
constexpr const char* kMeanFields[] = {"gamma", "error", "alignment", "condition", "seconds"};

struct Group {
  Record identity;
  std::vector<const Record*> rows;
};

// A failed simulation is counted, not averaged.
bool succeeded(const Record& row) {
  const Value* error = row.find("error");
  return error != nullptr && std::holds_alternative<double>(*error);
}

std::vector<Group> group_rows(const std::vector<Record>& rows) {
  std::vector<Group> groups;
  for (const Record& row : rows) {
    if (!succeeded(row)) continue;
    Record identity;
    for (const char* field : kGroupFields)
      if (!row.missing(field)) identity.set(field, *row.find(field));
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.identity == identity; });
    if (group == groups.end()) group = groups.insert(groups.end(), {identity, {}});
    group->rows.push_back(&row);
  }
  return groups;
}

double mean(const std::vector<const Record*>& rows, const char* field) {
  double sum = 0;
  for (const Record* row : rows) sum += row->missing(field) ? NAN : row->number(field);
  return sum / static_cast<double>(rows.size());
}

Record summarise(const Group& group) {
  Record line;
  for (const char* field : kGroupFields)
    line.set(field, group.identity.missing(field) ? Value() : *group.identity.find(field));
  line.set("trials", static_cast<std::int64_t>(group.rows.size()));
  for (const char* field : kMeanFields) {
    line.set(field, mean(group.rows, field));
    if (std::string_view(field) != "error") continue;
    double least = HUGE_VAL;
    for (const Record* row : group.rows)
      least = std::min(least, std::sqrt(row->number("error")) + row->number("gamma"));
    line.set("min sqrt(error)+gamma", least);
  }
  const auto converged = std::count_if(group.rows.begin(), group.rows.end(), [](const Record* row) {
    const Value* value = row->find("converged");
    return value != nullptr && *value == Value(true);
  });
  line.set("converged", fmt::format("{}/{}", converged, group.rows.size()));
  return line;
}

}  // namespace

std::string format_generalization(const StudyOutput& output, const std::string& format) {
  if (format == "json") return to_json_document(output);
  if (format != "table") return format_rows(output.rows, format);
  std::vector<Record> lines;
  for (const Group& group : group_rows(output.rows)) lines.push_back(summarise(group));
  std::string result = to_table(lines);
  for (const Record& row : output.rows)
    if (is_failed(row)) result += fmt::format("failed, trial {}: {}\n", row.number("trial"), row.text("failure"));
  return result;
}

}  // namespace wordsway::app
