// A study: a list of tasks, each a pure function of the study's configuration and its own number. A task gives the same
// rows in any order and however often it runs. run_study.h runs a study, estimate.h predicts its cost.
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
  std::string row_field = {};  // the field of rows that repeats it, if there is one
};

/// The content that rows depend on besides the settings.
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
  /// is called only if there is a journal or several processes share the study.
  virtual StudyContent content() const = 0;
  virtual Index size() const = 0;
  /// Identifies a task among all others: its point and trial.
  virtual Record key(Index task) const = 0;
  /// Bytes the task holds at once.
  virtual double memory_bytes(Index task) const = 0;
  /// The rows of a task, each beginning with the fields of key(task).
  virtual std::vector<Record> run(Index task) const = 0;

  /// How many rows run(task) returns: a journal uses it to tell a finished task from one cut short.
  virtual Index row_count(Index /*task*/) const { return 1; }
  /// Roughly how many operations the task takes, or bytes it reads. Only ratios within a kind matter much; the value
  /// itself decides whether a task is short enough for a pilot. The default assumes a search that reads what the task
  /// holds about a hundred times.
  virtual double work(Index task) const { return 100 * memory_bytes(task); }
  /// How many tasks may run at the same time, if more than memory limits that.
  virtual int most_at_once() const { return std::numeric_limits<int>::max(); }
  /// Tasks of one kind take time in proportion to their work.
  virtual std::string kind(Index /*task*/) const { return {}; }
};

/// The identity that a journal of this study is checked against.
JournalIdentity identity_of(const Study& study);

/// The row of a task that failed: its key, and `failure` with the reason.
Record failed_row(const Study& study, Index task, const std::string& reason);
bool is_failed(const Record& row);

/// The rows of a task as a journal would return them: values that are not finite are missing. A task that throws gives
/// one failed row, unless the system refused memory, threads or a file, or the caller asked to stop (core/stop.h): then
/// it might succeed another time, and the error is rethrown. Throws InternalError if the study breaks its promises
/// about the number or the beginning of its rows.
std::vector<Record> run_task(const Study& study, Index task);

}  // namespace wordsway
