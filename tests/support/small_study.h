// A study for tests: tasks of a chosen number of rows that cost nothing, wait, or fail.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <set>
#include <stdexcept>
#include <thread>

#include "wordsway/run/study.h"

namespace wordsway::test {

class SmallStudy : public Study {
 public:
  Index tasks = 10;
  Index rows_each = 1;
  double bytes = 1000;
  std::int64_t seed = 1;
  std::string data = "made up";
  mutable std::atomic<int> digested{0};  // how often its content was asked for
  std::set<Index> failing;
  std::function<void(Index)> during;  // called inside each task

  std::string command() const override { return "small"; }
  Record config() const override {
    return {{"tasks", static_cast<std::int64_t>(tasks)}, {"seed", seed}, {"names", std::vector<std::string>{}}};
  }
  StudyContent content() const override {
    ++digested;
    return {{{"data", data}}, {}};
  }
  Index size() const override { return tasks; }
  Record key(Index task) const override {
    return {{"point", "p" + std::to_string(task / 5)}, {"trial", static_cast<std::int64_t>(task % 5)}};
  }
  double memory_bytes(Index) const override { return bytes; }
  Index row_count(Index) const override { return rows_each; }
  std::vector<Record> run(Index task) const override {
    if (during) during(task);
    if (failing.count(task) > 0) throw std::runtime_error("it was told to fail");
    std::vector<Record> result;
    for (Index row = 0; row < rows_each; ++row) {
      Record record = key(task);
      record.set("row", static_cast<std::int64_t>(row));
      record.set("value", 1.0 / static_cast<double>(3 + task));
      result.push_back(record);
    }
    return result;
  }
};

}  // namespace wordsway::test
