// The results of a study as they come in: kept, written to the journal, and passed to observers.
#pragma once

#include <memory>
#include <mutex>

#include "wordsway/io/journal_writer.h"
#include "wordsway/run/resume.h"
#include "wordsway/run/run_study.h"

namespace wordsway {

class Ledger {
 public:
  /// Opens the journal, if any, and takes over its content. Throws what Journal and match_rows throw.
  Ledger(const Study& study, const RunOptions& options);

  /// The tasks without results, in order.
  std::vector<Index> remaining() const;

  /// Keeps the rows of a finished task. Thread-safe. Throws FileError when the journal cannot be written; it then still
  /// holds all that was recorded before.
  void record(Index task, std::vector<Record> rows);

  /// Everything so far; the ledger is empty afterwards. Throws FileError when the journal cannot be brought to disk.
  StudyResult close();

 private:
  void open_journal();

  const Study& study_;
  const RunOptions& options_;
  std::unique_ptr<JournalWriter> journal_;
  RowNames names_;
  std::vector<std::vector<Record>> rows_;  // of each task
  Index resumed_ = 0;
  double work_done_ = 0, work_total_ = 0, done_ = 0, total_ = 0;
  std::mutex mutex_;
};

}  // namespace wordsway
