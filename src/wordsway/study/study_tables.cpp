#include "wordsway/study/study_tables.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "wordsway/core/statistics.h"
#include "wordsway/maps/declared_parameters.h"
#include "wordsway/run/study.h"
#include "wordsway/study/row_groups.h"

namespace wordsway {

namespace {

std::string name_of(const Record& row) {
  std::string name = row.missing("map") ? "" : row.text("map") + ", ";
  for (const char* field : {"n", "d", "trial"})
    if (!row.missing(field)) name += fmt::format("{} {:g}, ", field, row.number(field));
  return name.substr(0, name.size() - std::min<size_t>(2, name.size()));
}

}  // namespace

std::vector<std::string> describe_failures(const std::vector<Record>& rows) {
  struct Failure {
    std::string reason, first;
    int count;
  };
  std::vector<Failure> failures;
  for (const Record& row : rows) {
    if (!is_failed(row)) continue;
    const std::string& reason = row.text("failure");
    const auto known = std::find_if(failures.begin(), failures.end(),
                                    [&](const Failure& failure) { return failure.reason == reason; });
    if (known == failures.end()) {
      failures.push_back({reason, name_of(row), 1});
    } else {
      ++known->count;
    }
  }
  std::vector<std::string> lines;
  lines.reserve(failures.size());
  for (const Failure& failure : failures)
    lines.push_back(failure.count == 1
                        ? fmt::format("failed, {}: {}", failure.first, failure.reason)
                        : fmt::format("failed, {} and {} more: {}", failure.first, failure.count - 1, failure.reason));
  return lines;
}

namespace {

// The fields that some row has, so that columns keep their order if maps with different parameters meet.
std::vector<std::string> point_fields(const std::vector<Record>& rows) {
  std::vector<std::string> fields = {"map", "n", "d"};
  for (const std::string& name : row_parameters(map_registry().names()))
    if (std::any_of(rows.begin(), rows.end(), [&](const Record& row) { return !row.missing(name); }))
      fields.push_back(name);
  if (std::any_of(rows.begin(), rows.end(), [](const Record& row) { return !row.missing("moved_tokens"); }))
    fields.emplace_back("moved_tokens");
  return fields;
}

// The rows of one point's successful trials.
struct Point {
  Record identity;
  std::vector<const Record*> rows;
  std::int64_t failed = 0;
};

std::vector<Point> group_by_point(const std::vector<Record>& rows) {
  const std::vector<std::string> fields = point_fields(rows);
  std::vector<Point> points;
  for (RowGroup& group : group_rows(rows, [&](const Record& row) { return std::vector{fields_of(row, fields)}; })) {
    const auto failed = std::erase_if(group.rows, [](const Record* row) { return is_failed(*row); });
    points.push_back({std::move(group.identity), std::move(group.rows), static_cast<std::int64_t>(failed)});
  }
  return points;
}

std::optional<Moments> moments_of(const std::vector<const Record*>& rows, const char* field) {
  std::vector<double> values;
  for (const Record* row : rows)
    if (!row->missing(field)) values.push_back(row->number(field));
  return values.empty() ? std::nullopt : std::optional(moments(values));
}

Record summarise(const Point& point, bool shows_failed) {
  Record line = point.identity;
  const auto mean_of = [&](const char* field) {
    const auto found = moments_of(point.rows, field);
    return found ? Value(found->mean) : Value();
  };
  line.set("trials", static_cast<std::int64_t>(point.rows.size()));
  if (shows_failed) line.set("failed", point.failed);
  const auto sensitivity = moments_of(point.rows, "sensitivity");
  line.set("sensitivity", sensitivity ? Value(sensitivity->mean) : Value());
  if (point.rows.size() > 1)
    line.set("deviation", sensitivity && sensitivity->count > 1 ? Value(sensitivity->deviation) : Value());
  line.set("upper bound", mean_of("upper_bound"));
  if (mean_of("predicted").index() != 0) line.set("predicted", mean_of("predicted"));
  for (const auto& [title, field] : {std::pair("typical", "typical"), std::pair("worst word", "worst_word_change"),
                                     std::pair("left out", "left_out")})
    if (mean_of(field).index() != 0) line.set(title, mean_of(field));
  const auto converged = std::count_if(point.rows.begin(), point.rows.end(), [](const Record* row) {
    const Value* value = row->find("converged");
    return value != nullptr && *value == Value(true);
  });
  line.set("converged", fmt::format("{}/{}", converged, point.rows.size()));
  if (point.rows.size() == 1) line.set("token", *point.rows.front()->find("token"));
  line.set("seconds", mean_of("seconds"));
  return line;
}

std::string describe_fit(const Record& fit) {
  std::string curve = fmt::format("{}, d = {:g}", fit.text("map"), fit.number("d"));
  for (const std::string& name : row_parameters(map_registry().names()))
    if (!fit.missing(name)) curve += fmt::format(", {} = {}", name, table_cell(*fit.find(name)));
  if (!fit.missing("moved_tokens")) curve += fmt::format(", moved tokens = {:g}", fit.number("moved_tokens"));
  return fmt::format("{}: S scales as n^{:.3f} (95%: {:.3f} to {:.3f})\n", curve, fit.number("exponent"),
                     fit.number("exponent_low"), fit.number("exponent_high"));
}

std::string format_table_for_people(const StudyOutput& output) {
  const bool shows_failed = std::any_of(output.rows.begin(), output.rows.end(), is_failed);
  std::vector<Record> lines;
  for (const Point& point : group_by_point(output.rows)) lines.push_back(summarise(point, shows_failed));
  std::string result = to_table(lines);
  for (const std::string& line : describe_failures(output.rows)) result += line + "\n";
  if (!output.fits.empty()) result += "\n";
  for (const Record& fit : output.fits) result += describe_fit(fit);
  return result;
}

}  // namespace

std::string format_study(const StudyOutput& output, const std::string& format) {
  if (format == "json") return to_json_document(output);
  if (format == "table") return format_table_for_people(output);
  return format_rows(output.rows, format);
}

namespace {

constexpr const char* kMeanFields[] = {"gamma", "error", "alignment", "condition", "seconds"};

// The point of a simulation, and the rows of it that are averaged together.
Record learning_point(const Record& row) {
  return fields_of(row, {"map", "n", "d", "train_size"});
}
Record learning_group(const Record& row) {
  return fields_of(row, {"map", "n", "d", "train_size", "training", "objective", "penalty"});
}

// A failed simulation has one row with only its point: it is counted, not averaged. A point at which all failed is a
// group without rows.
std::vector<RowGroup> learning_groups(const std::vector<Record>& rows) {
  std::vector<RowGroup> groups = group_rows(rows, [](const Record& row) {
    return is_failed(row) ? std::vector<Record>() : std::vector{learning_group(row)};
  });
  for (const Record& row : rows) {
    const auto has_group = [&](const RowGroup& group) { return learning_point(group.identity) == learning_point(row); };
    if (is_failed(row) && std::none_of(groups.begin(), groups.end(), has_group))
      groups.push_back({learning_group(row), {}});
  }
  return groups;
}

std::int64_t count_failed(const std::vector<Record>& rows, const RowGroup& group) {
  return std::count_if(rows.begin(), rows.end(), [&](const Record& row) {
    return is_failed(row) && learning_point(row) == learning_point(group.identity);
  });
}

double mean(const std::vector<const Record*>& rows, const char* field) {
  double sum = rows.empty() ? NAN : 0;
  for (const Record* row : rows) sum += row->missing(field) ? NAN : row->number(field);
  return sum / static_cast<double>(rows.size());
}

Record summarise(const RowGroup& group, std::optional<std::int64_t> failed) {
  Record line = group.identity;
  line.set("trials", static_cast<std::int64_t>(group.rows.size()));
  if (failed) line.set("failed", *failed);
  for (const char* field : kMeanFields) {
    line.set(field, mean(group.rows, field));
    if (std::string_view(field) != "error") continue;
    double least = HUGE_VAL;  // shown as missing if there is none
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
  for (const RowGroup& group : learning_groups(output.rows))
    lines.push_back(summarise(group, any_failed ? std::optional(count_failed(output.rows, group)) : std::nullopt));
  std::string result = to_table(lines);
  for (const std::string& line : describe_failures(output.rows)) result += line + "\n";
  return result;
}

}  // namespace wordsway
