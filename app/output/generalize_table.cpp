#include "output/generalize_table.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "output/failures.h"
#include "wordsway/study/study.h"

namespace wordsway::app {
namespace {

constexpr const char* kPointFields[] = {"map", "n", "d", "train_size"};
constexpr const char* kGroupFields[] = {"map", "n", "d", "train_size", "training", "objective", "penalty"};
constexpr const char* kMeanFields[] = {"gamma", "error", "alignment", "condition", "seconds"};

struct Group {
  Record identity;
  std::vector<const Record*> rows;
};

Record fields_of(const Record& row, std::span<const char* const> fields) {
  Record result;
  for (const char* field : fields)
    if (!row.missing(field)) result.set(field, *row.find(field));
  return result;
}

// A simulation that failed has one row, of its point alone: it is counted, not averaged. A point at which all failed
// is a group without rows.
std::vector<Group> group_rows(const std::vector<Record>& rows) {
  std::vector<Group> groups;
  const auto find_or_add = [&](const Record& identity) {
    const auto found =
        std::find_if(groups.begin(), groups.end(), [&](const Group& group) { return group.identity == identity; });
    return found != groups.end() ? found : groups.insert(groups.end(), {identity, {}});
  };
  for (const Record& row : rows)
    if (!is_failed(row)) find_or_add(fields_of(row, kGroupFields))->rows.push_back(&row);
  for (const Record& row : rows) {
    const Record point = fields_of(row, kPointFields);
    const auto is_there = [&](const Group& group) { return fields_of(group.identity, kPointFields) == point; };
    if (is_failed(row) && std::none_of(groups.begin(), groups.end(), is_there)) find_or_add(point);
  }
  return groups;
}

std::int64_t count_failed(const std::vector<Record>& rows, const Group& group) {
  const Record point = fields_of(group.identity, kPointFields);
  return std::count_if(rows.begin(), rows.end(),
                       [&](const Record& row) { return is_failed(row) && fields_of(row, kPointFields) == point; });
}

double mean(const std::vector<const Record*>& rows, const char* field) {
  double sum = rows.empty() ? NAN : 0;
  for (const Record* row : rows) sum += row->missing(field) ? NAN : row->number(field);
  return sum / static_cast<double>(rows.size());
}

Record summarise(const Group& group, std::optional<std::int64_t> failed) {
  Record line;
  for (const char* field : kGroupFields)
    line.set(field, group.identity.missing(field) ? Value() : *group.identity.find(field));
  line.set("trials", static_cast<std::int64_t>(group.rows.size()));
  if (failed) line.set("failed", *failed);
  for (const char* field : kMeanFields) {
    line.set(field, mean(group.rows, field));
    if (std::string_view(field) != "error") continue;
    double least = HUGE_VAL;  // shown as missing where there is none
    for (const Record* row : group.rows)
      if (!row->missing("error") && !row->missing("gamma"))
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
  const bool any_failed = std::any_of(output.rows.begin(), output.rows.end(), is_failed);
  std::vector<Record> lines;
  for (const Group& group : group_rows(output.rows))
    lines.push_back(summarise(group, any_failed ? std::optional(count_failed(output.rows, group)) : std::nullopt));
  std::string result = to_table(lines);
  for (const std::string& line : describe_failures(output.rows)) result += line + "\n";
  return result;
}

}  // namespace wordsway::app
