// The tasks still to be handed out, and the loop that works them off.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "wordsway/study/schedule.h"

namespace wordsway {

/// Thread-safe.
class TaskQueue {
 public:
  TaskQueue(std::vector<Phase> phases, std::function<bool()> stop);

  /// The next task of a phase; nothing when it has no more, or the study is to end.
  std::optional<Index> next(size_t phase);
  /// Hands out no more.
  void close();

  std::vector<int> lanes() const;

 private:
  std::vector<Phase> phases_;
  std::vector<size_t> handed_out_;
  std::function<bool()> stop_;
  bool closed_ = false;
  std::mutex mutex_;
};

using NextTask = std::function<std::optional<Index>(size_t phase)>;
using FinishedTask = std::function<void(Index task, std::vector<Record> rows)>;

/// Works off phase after phase, lanes[phase] tasks at a time; a task's own loops share what threads are left over.
/// When `finished` throws, no more tasks are begun and it is rethrown once those that run are done.
void run_phases(const Study& study, const std::vector<int>& lanes, const NextTask& next, const FinishedTask& finished);

}  // namespace wordsway
