// Runs a study: over threads, over the processes of a group, with a journal it resumes from.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/core/progress.h"
#include "wordsway/run/group.h"
#include "wordsway/run/study.h"

namespace wordsway {

struct RunOptions {
  Progress progress;
  std::filesystem::path journal;  // empty: none is kept
  double memory_limit = 0;        // bytes that tasks on this machine may hold together; 0: most of what there is
  /// Asked between tasks, from any thread: true ends the study once the tasks that are running are done. May be empty.
  std::function<bool()> stop;
  /// Receives what a user should know, such as how much was resumed. May be empty.
  std::function<void(const std::string&)> remark;
  /// Called with a task and its rows once it is done, those of the journal first; one call at a time. May be empty.
  std::function<void(Index task, const std::vector<Record>& rows)> rows;
  ProcessGroup* group = nullptr;  // the processes that share the work; nullptr: only this one
};

struct StudyResult {
  std::vector<Record> rows;  // in the order of the tasks, a failed one has a row with `failure`
  Index tasks = 0;           // of the study
  Index finished = 0;        // now, those resumed and those failed included
  Index resumed = 0;         // were in the journal
  Index failed = 0;

  bool interrupted() const { return finished < tasks; }
};

/// A sentence about failed tasks, or nothing if none failed. Throws DataError with the first one's reason if all
/// failed.
std::optional<std::string> remark_on_failures(const StudyResult& result);

/// Runs every task that the journal does not hold yet. In a group, every process calls this with the same study; the
/// first one distributes the tasks, writes the journal and returns the result, and the others return an empty one.
///
/// A task that throws becomes a row with its error, and the study goes on. Rows do not depend on threads or processes.
/// Throws UsageError if the journal belongs to another configuration or a task needs more memory than there is,
/// FileError if the journal cannot be written (finished rows stay in it), DataError if it is broken, GroupDismissed in
/// the other processes if the first one gave up.
StudyResult run_study(const Study& study, const RunOptions& options = {});

}  // namespace wordsway
