#include "wordsway/study/schedule.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/json.h"
#include "wordsway/study/machine.h"

namespace wordsway {
namespace {

constexpr double kShareOfMemory = 0.85;  // the rest is for the system and for what tasks do not count
constexpr double kBytesOfRow = 2048;

void check_task(const Study& study, Index task, double bytes, double memory_limit) {
  if (bytes <= memory_limit) return;
  throw UsageError(fmt::format("one trial needs {} of memory and {} may be used (--memory): {}", format_bytes(bytes),
                               format_bytes(memory_limit), to_json(study.key(task))));
}

void check_rows(double tasks, double memory_limit) {
  if (tasks * kBytesOfRow <= memory_limit) return;
  throw UsageError(fmt::format("the rows of {:.0f} trials need {} of memory and {} may be used (--memory)", tasks,
                               format_bytes(tasks * kBytesOfRow), format_bytes(memory_limit)));
}

}  // namespace

double default_memory_limit() {
  return kShareOfMemory * physical_memory();
}

std::string format_bytes(double bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, units[unit]);
}

std::vector<Phase> make_schedule(const Study& study, const std::vector<Index>& tasks, double memory_limit, int threads,
                                 int processes) {
  check_rows(static_cast<double>(study.size()), memory_limit);
  struct Sized {
    Index task;
    double work;
  };
  std::map<int, std::vector<Sized>, std::greater<>> by_lanes;
  for (const Index task : tasks) {
    const double bytes = study.memory_bytes(task);
    check_task(study, task, bytes, memory_limit);
    const double fit = bytes > 0 ? memory_limit / bytes : threads;
    by_lanes[static_cast<int>(std::clamp<double>(fit, 1, threads))].push_back({task, study.work(task)});
  }
  std::vector<Phase> phases;
  for (auto& [lanes, sized] : by_lanes) {
    std::stable_sort(sized.begin(), sized.end(), [](const Sized& a, const Sized& b) { return a.work > b.work; });
    const Index each = (static_cast<Index>(sized.size()) + processes - 1) / processes;
    Phase& phase = phases.emplace_back(Phase{static_cast<int>(std::min<Index>(lanes, each)), {}});
    for (const Sized& task : sized) phase.tasks.push_back(task.task);
  }
  return phases;
}

void check_memory(const Study& study, double memory_limit) {
  check_rows(static_cast<double>(study.size()), memory_limit);
  for (Index task = 0; task < study.size(); ++task) check_task(study, task, study.memory_bytes(task), memory_limit);
}

}  // namespace wordsway
