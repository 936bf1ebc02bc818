// A study: a list of tasks, each a pure function of the study's configuration and its own number. Whoever runs it, in
// whatever order and however often, a task gives the same rows. run_study.h runs it, estimate.h says what it will cost.
#pragma once

#include <string>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/core/record.h"

namespace wordsway {

/// Every member is thread-safe.
class Study {
 public:
  virtual ~Study() = default;

  /// The verb, e.g. "measure".
  virtual std::string command() const = 0;
  /// Everything that decides the rows; not threads, formats or file names.
  virtual Record config() const = 0;
  virtual Index size() const = 0;
  /// What tells the rows of a task from those of every other task: its point and trial.
  virtual Record key(Index task) const = 0;
  /// Bytes the task holds at once.
  virtual double memory_bytes(Index task) const = 0;
  /// The rows of a task, each beginning with the fields of key(task).
  virtual std::vector<Record> run(Index task) const = 0;

  /// How many rows run(task) gives: a journal counts them to tell a finished task from one cut short.
  virtual Index rows(Index /*task*/) const { return 1; }
  /// About how many operations the task takes, or bytes it reads, in all. Only ratios within a kind matter much; the
  /// size itself decides whether a task is short enough to be tried by an estimate. By default a search is assumed,
  /// which reads what the task holds about a hundred times.
  virtual double work(Index task) const { return 100 * memory_bytes(task); }
  /// Tasks of one kind take time in proportion to their work.
  virtual std::string kind(Index /*task*/) const { return {}; }
};

/// The row of a task that failed: its key, and `error` with the reason. Studies may have a number named `error`; in the
/// row of a failed task it is a text.
Record failed_row(const Study& study, Index task, const std::string& reason);
bool is_failed(const Record& row);

/// The rows of a task as a journal gives them back: what is not finite is missing. A task that throws gives one failed
/// row. Throws InternalError when the study breaks its promises about the number or the beginning of its rows.
std::vector<Record> run_task(const Study& study, Index task);

}  // namespace wordsway
