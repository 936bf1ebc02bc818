// A study: a list of tasks, each a pure function of the study's configuration and its own number. Whoever runs it, in
// whatever order and however often, a task gives the same rows.
#pragma once

#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/core/progress.h"
#include "wordsway/core/record.h"

namespace wordsway {

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
  /// The rows of a task, each beginning with the fields of key(task). Thread-safe.
  virtual std::vector<Record> run(Index task) const = 0;
};

struct StudyResult {
  std::vector<Record> rows;  // in the order of the tasks
};

/// Runs every task, in parallel, and returns their rows.
StudyResult run_study(const Study& study, const Progress& progress = {});

}  // namespace wordsway
