#include "wordsway/study/task_queue.h"

#include <algorithm>
#include <atomic>

#include "wordsway/core/parallel.h"

namespace wordsway {

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
