#include "wordsway/run/schedule.h"

#include <algorithm>
#include <atomic>
#include <map>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/memory.h"
#include "wordsway/core/parallel.h"
#include "wordsway/io/json.h"
#include "wordsway/run/machine.h"

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

std::vector<Phase> make_schedule(const Study& study, const std::vector<Index>& tasks, double memory_limit, int threads,
                                 int processes) {
  check_rows(static_cast<double>(study.size()), memory_limit);
  threads = std::min(threads, study.most_at_once());
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

TaskQueue::TaskQueue(std::vector<Phase> phases, std::function<bool()> stop)
    : phases_(std::move(phases)), handed_out_(phases_.size()), stop_(std::move(stop)) {}

std::optional<Index> TaskQueue::next(size_t phase) {
  const std::lock_guard lock(mutex_);
  if (stop_ && stop_()) closed_ = true;
  if (closed_ || handed_out_[phase] == phases_[phase].tasks.size()) return std::nullopt;
  return phases_[phase].tasks[handed_out_[phase]++];
}

void TaskQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

std::vector<int> TaskQueue::lanes() const {
  std::vector<int> result;
  for (const Phase& phase : phases_) result.push_back(phase.lanes);
  return result;
}

void run_phases(const Study& study, const std::vector<int>& lanes, const NextTask& next, const FinishedTask& finished) {
  std::atomic<bool> failed{false};
  for (size_t phase = 0; phase < lanes.size(); ++phase)
    parallel_for(std::min(lanes[phase], available_threads()), [&](Index) {
      try {
        while (!failed) {
          const auto task = next(phase);
          if (!task) return;
          finished(*task, run_task(study, *task));
        }
      } catch (...) {
        failed = true;
        throw;
      }
    });
}

}  // namespace wordsway
