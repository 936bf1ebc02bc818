// A study: a list of tasks, each a pure function of the study's configuration and its own number. Whoever runs it, in
// whatever order and however often, a task gives the same rows. run_study.h runs it, estimate.h says what it will cost.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/core/record.h"
#include "wordsway/io/journal.h"

namespace wordsway {

/// A setting that only names what StudyContent identifies: a path, the name of a model's folder.
struct StudyLabel {
  std::string setting;         // a field of config()
  std::string row_field = {};  // the field of rows that repeats it, where there is one
};

/// What the rows of a study depend on besides its settings.
struct StudyContent {
  Record fields;  // digests of all that was read (core/digest.h), plural names; numbers of methods
  std::vector<StudyLabel> labels;
};

/// Every member is thread-safe.
class Study {
 public:
  virtual ~Study() = default;

  /// The verb, e.g. "measure".
  virtual std::string command() const = 0;
  /// The settings that decide the rows; not threads or formats.
  virtual Record config() const = 0;
  /// Everything else that decides the rows, by content: models, texts, arrays, methods. It may read whole files, so it
  /// is asked for only where a journal is kept or several processes share the study.
  virtual StudyContent content() const = 0;
  virtual Index size() const = 0;
  /// What tells the rows of a task from those of every other task: its point and trial.
  virtual Record key(Index task) const = 0;
  /// Bytes the task holds at once.
  virtual double memory_bytes(Index task) const = 0;
  /// The rows of a task, each beginning with the fields of key(task).
  virtual std::vector<Record> run(Index task) const = 0;

  /// How many rows run(task) gives: a journal counts them to tell a finished task from one cut short.
  virtual Index row_count(Index /*task*/) const { return 1; }
  /// About how many operations the task takes, or bytes it reads, in all. Only ratios within a kind matter much; the
  /// size itself decides whether a task is short enough to be tried by an estimate. By default a search is assumed,
  /// which reads what the task holds about a hundred times.
  virtual double work(Index task) const { return 100 * memory_bytes(task); }
  /// How many tasks may run at the same time, where that is limited by more than memory.
  virtual int most_at_once() const { return std::numeric_limits<int>::max(); }
  /// Tasks of one kind take time in proportion to their work.
  virtual std::string kind(Index /*task*/) const { return {}; }
};

/// What a journal of this study is checked against.
JournalIdentity identity_of(const Study& study);

/// The row of a task that failed: its key, and `failure` with the reason.
Record failed_row(const Study& study, Index task, const std::string& reason);
bool is_failed(const Record& row);

/// The rows of a task as a journal gives them back: what is not finite is missing. A task that throws gives one failed
/// row, unless the system refused memory, threads or a file, or the caller asked to stop (core/stop.h): then it might
/// succeed another time, and the error goes on.
/// Throws InternalError when the study breaks its promises about the number or the beginning of its rows.
std::vector<Record> run_task(const Study& study, Index task);

}  // namespace wordsway
