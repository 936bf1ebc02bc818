#include "wordsway/study/summary.h"

#include <algorithm>
#include <unordered_map>

#include "wordsway/core/statistics.h"
#include "wordsway/io/json.h"
#include "wordsway/run/study.h"

namespace wordsway {
namespace {

bool is_number(const Value& value) {
  return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
}

// Numbers that count or name a trial say nothing by their mean.
bool is_label(const std::string& name) {
  return name == "trial" || name == "seed" || name == "token";
}

struct Point {
  Record identity;
  std::int64_t trials = 0, failed = 0;
  std::vector<std::pair<std::string, std::vector<double>>> numbers;

  std::vector<double>& numbers_of(const std::string& name) {
    const auto found = std::find_if(numbers.begin(), numbers.end(), [&](const auto& n) { return n.first == name; });
    return found != numbers.end() ? found->second : numbers.emplace_back(name, std::vector<double>()).second;
  }
};

Record identity_of(const Record& row) {
  Record identity;
  bool before_trial = row.find("trial") != nullptr;
  for (const auto& [name, value] : row.fields()) {
    before_trial = before_trial && name != "trial";
    const bool text = std::holds_alternative<std::string>(value) && name != "failure";
    if (before_trial || text || name == "penalty") identity.set(name, value);
  }
  return identity;
}

Record to_record(const Point& point) {
  Record record = point.identity;
  record.set("trials", point.trials);
  record.set("failed", point.failed);
  for (const auto& [name, values] : point.numbers) {
    const Moments found = moments(values);
    record.set(name, found.mean);
    record.set(name + "_deviation", found.count < 2 ? Value() : Value(found.deviation));
  }
  return record;
}

}  // namespace

std::vector<Record> summarise_points(const std::vector<Record>& rows) {
  std::vector<Point> points;
  std::unordered_map<std::string, size_t> place;
  for (const Record& row : rows) {
    const Record identity = identity_of(row);
    const auto [found, is_new] = place.emplace(to_json(identity), points.size());
    if (is_new) points.push_back({identity, 0, 0, {}});
    Point& point = points[found->second];
    if (is_failed(row)) {
      ++point.failed;
      continue;
    }
    ++point.trials;
    for (const auto& [name, value] : row.fields())
      if (identity.find(name) == nullptr && is_number(value) && !is_label(name))
        point.numbers_of(name).push_back(row.number(name));
  }
  std::vector<Record> result;
  result.reserve(points.size());
  for (const Point& point : points) result.push_back(to_record(point));
  return result;
}

}  // namespace wordsway
