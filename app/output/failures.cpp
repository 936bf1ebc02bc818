#include "output/failures.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/study/study.h"

namespace wordsway::app {
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

}  // namespace wordsway::app
