// Chooses the tasks that run at the same time, so that they fit into memory together, and runs them.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "wordsway/run/study.h"

namespace wordsway {

// Which tasks run at the same time so that they fit into memory together.

/// Tasks of which any `lanes` fit into memory together, the longest first, so that no thread ends up alone with a long
/// one.
struct Phase {
  int lanes = 1;
  std::vector<Index> tasks;
};

/// The default limit, in bytes, for all running tasks together: most of the machine's memory.
double default_memory_limit();

/// Divides the tasks into phases, to be run one after the other by each of `processes` processes on up to `threads`
/// threads; memory and lanes are per process. Throws UsageError with both sizes if one task needs more than
/// `memory_limit` bytes, or if the rows of all tasks do.
std::vector<Phase> make_schedule(const Study& study, const std::vector<Index>& tasks, double memory_limit, int threads,
                                 int processes = 1);

/// Just the check.
void check_memory(const Study& study, double memory_limit);

// The tasks still to be handed out, and the loop that works them off.

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
