#include "wordsway/figures/row_selection.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "wordsway/core/statistics.h"
#include "wordsway/study/row_groups.h"

namespace wordsway {
namespace {

template <typename Wanted>
Rows filter(const Rows& rows, const Wanted& wanted) {
  Rows result;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(result), wanted);
  return result;
}

bool holds_text(const Record& row, const std::string& field) {
  const Value* value = row.find(field);
  return value != nullptr && std::holds_alternative<std::string>(*value);
}

std::string label_of(const Record& row, const std::vector<std::string>& by) {
  std::string label;
  for (const std::string& field : by) {
    if (row.missing(field)) continue;
    if (!label.empty()) label += ", ";
    label += holds_text(row, field) ? row.text(field) : fmt::format("{} = {:g}", field, row.number(field));
  }
  return label;
}

}  // namespace

bool holds_number(const Record& row, const std::string& field) {
  const Value* value = row.find(field);
  if (value == nullptr) return false;
  const double* number = std::get_if<double>(value);
  return std::holds_alternative<std::int64_t>(*value) || (number != nullptr && std::isfinite(*number));
}

bool is_true(const Record& row, const std::string& field) {
  const Value* value = row.find(field);
  return value != nullptr && std::holds_alternative<bool>(*value) && std::get<bool>(*value);
}

Rows rows_where(const Rows& rows, const std::string& field, const std::string& value) {
  return filter(rows, [&](const Record& row) { return holds_text(row, field) && row.text(field) == value; });
}

Rows rows_where(const Rows& rows, const std::string& field, double value) {
  return filter(rows, [&](const Record& row) { return holds_number(row, field) && row.number(field) == value; });
}

std::vector<double> numbers_of(const Rows& rows, const std::string& field) {
  std::vector<double> result;
  for (const Record& row : rows)
    if (holds_number(row, field)) result.push_back(row.number(field));
  return result;
}

std::vector<double> distinct_numbers(const Rows& rows, const std::string& field) {
  const auto all = numbers_of(rows, field);
  const std::set<double> sorted(all.begin(), all.end());
  return {sorted.begin(), sorted.end()};
}

std::vector<std::string> distinct_texts(const Rows& rows, const std::string& field) {
  std::vector<std::string> result;
  for (const Record& row : rows)
    if (holds_text(row, field) && std::find(result.begin(), result.end(), row.text(field)) == result.end())
      result.push_back(row.text(field));
  return result;
}

Rows at_largest(const Rows& rows, const std::string& field) {
  const auto values = distinct_numbers(rows, field);
  return values.empty() ? Rows{} : rows_where(rows, field, values.back());
}

Rows at_smallest(const Rows& rows, const std::string& field) {
  const auto values = distinct_numbers(rows, field);
  return values.empty() ? Rows{} : rows_where(rows, field, values.front());
}

Series curve(const Text& label, const Rows& rows, const std::string& x, const std::string& y) {
  Series series;
  series.label = label;
  for (const double at : distinct_numbers(rows, x)) {
    const auto values = numbers_of(rows_where(rows, x, at), y);
    if (values.empty()) continue;
    const Moments found = moments(values);
    series.x.push_back(at);
    series.y.push_back(found.mean);
    series.deviation.push_back(found.count > 1 ? found.deviation : 0);
    series.count.push_back(static_cast<double>(found.count));
  }
  return series;
}

std::vector<Series> curves(const Rows& rows, const std::string& x, const std::string& y,
                           const std::vector<std::string>& by) {
  const auto groups = group_rows(rows, [&](const Record& row) {
    return holds_number(row, y) ? std::vector{Record{{"label", label_of(row, by)}}} : std::vector<Record>();
  });
  std::vector<Series> result;
  for (const RowGroup& group : groups) {
    Rows own;
    for (const Record* row : group.rows) own.push_back(*row);
    result.push_back(curve(group.identity.text("label"), own, x, y));
  }
  return result;
}

std::vector<Series> curves_against_n(const Rows& rows, const std::vector<std::string>& by) {
  return curves(rows, "n", "sensitivity", by);
}

}  // namespace wordsway
