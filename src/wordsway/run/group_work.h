// One study on the processes of a group: the first hands tasks out as the others become free, and collects their rows.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/run/group.h"
#include "wordsway/run/ledger.h"
#include "wordsway/run/schedule.h"
#include "wordsway/run/study.h"

namespace wordsway {

/// In the first process: asks all others, before any work, whether their study is the same by content. Throws DataError
/// naming the difference, or the error with which another process failed earlier.
void check_identity_of_others(const JournalIdentity& identity, ProcessGroup& group);
/// In every other process: answers that question. Throws DataError if the study differs, GroupDismissed if the first
/// process gives up.
void check_identity_with_first(const JournalIdentity& identity, ProcessGroup& group);

/// In the first process: works and serves the others until all tasks are done. Rethrows what ended the study early,
/// here or in another process.
void lead_group(const Study& study, TaskQueue& queue, Ledger& ledger, ProcessGroup& group);

/// In every other process: works for the first one. Throws GroupDismissed if the first process gives up.
void follow_group(const Study& study, ProcessGroup& group);

/// In the first process: releases the others, wherever they are; they throw GroupDismissed.
void dismiss_group(ProcessGroup& group);

/// In a process that cannot take part: tells the first one why, which then throws the same error.
void report_failure(ProcessGroup& group, const std::exception& error);

// The tasks given to a follower and the results it has not sent yet, shared by its working threads and the thread that
// talks to the first process.

/// Thread-safe.
class WorkerQueue {
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
