// Where a process that follows keeps the tasks it was given and the results it has not sent yet. Between its working
// threads and the one that talks to the first process.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/study/study.h"

namespace wordsway {

/// Thread-safe.
class FollowerDesk {
 public:
  // For the working threads.
  /// Waits for a task of the phase; nothing when the phase has ended.
  std::optional<Index> next(size_t phase);
  void finished(Index task, const std::vector<Record>& rows);

  // For the thread that talks.
  void put(Index task);
  void end(size_t phase);
  void end_all();
  /// The messages to be sent now: results, then a request for as many tasks as threads wait for.
  std::vector<std::string> outgoing();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Index> tasks_;
  std::vector<std::string> results_;
  size_t phase_ = 0, wanted_ = 0;
  size_t ended_ = 0;  // phases before this one have ended
};

}  // namespace wordsway
