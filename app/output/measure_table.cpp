#include "output/measure_table.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "output/failures.h"
#include "wordsway/study/study.h"

namespace wordsway::app {
namespace {

constexpr const char* kPointFields[] = {"map", "n", "d", "depth", "width", "activation", "beta"};

struct Point {
  Record identity;
  std::vector<const Record*> rows;  // of the trials that gave a result
  std::int64_t failed = 0;
};

std::vector<Point> group_by_point(const std::vector<Record>& rows) {
  std::vector<Point> points;
  for (const Record& row : rows) {
    Record identity;
    for (const char* field : kPointFields)
      if (!row.missing(field)) identity.set(field, *row.find(field));
    auto point = std::find_if(points.begin(), points.end(), [&](const Point& p) { return p.identity == identity; });
    if (point == points.end()) point = points.insert(points.end(), {identity, {}, 0});
    if (is_failed(row)) {
      ++point->failed;
    } else {
      point->rows.push_back(&row);
    }
  }
  return points;
}

struct Moments {
  double mean;
  std::optional<double> deviation;  // of two values or more
};

std::optional<Moments> moments(const std::vector<const Record*>& rows, const char* field) {
  std::vector<double> values;
  for (const Record* row : rows)
    if (!row->missing(field)) values.push_back(row->number(field));
  if (values.empty()) return std::nullopt;
  const double count = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  if (values.size() == 1) return Moments{mean, std::nullopt};
  return Moments{mean, std::sqrt(squares / (count - 1))};
}

Record summarise(const Point& point, bool shows_failed) {
  Record line = point.identity;
  const auto mean_of = [&](const char* field) {
    const auto found = moments(point.rows, field);
    return found ? Value(found->mean) : Value();
  };
  line.set("trials", static_cast<std::int64_t>(point.rows.size()));
  if (shows_failed) line.set("failed", point.failed);
  const auto sensitivity = moments(point.rows, "sensitivity");
  line.set("sensitivity", sensitivity ? Value(sensitivity->mean) : Value());
  if (point.rows.size() > 1) line.set("deviation", sensitivity ? optional_value(sensitivity->deviation) : Value());
  line.set("upper bound", mean_of("upper_bound"));
  if (mean_of("predicted").index() != 0) line.set("predicted", mean_of("predicted"));
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
  std::string curve = fit.text("map");
  for (const char* field : {"d", "depth", "width", "beta"})
    if (!fit.missing(field)) curve += fmt::format(", {} = {:g}", field, fit.number(field));
  return fmt::format("{}: S scales as n^{:.3f} (95%: {:.3f} to {:.3f})\n", curve, fit.number("exponent"),
                     fit.number("exponent_low"), fit.number("exponent_high"));
}

std::string people_table(const StudyOutput& output) {
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
  if (format == "table") return people_table(output);
  return format_rows(output.rows, format);
}

}  // namespace wordsway::app
