// The part of a study that a journal already holds.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "wordsway/io/journal.h"
#include "wordsway/run/study.h"

namespace wordsway {

/// The names in rows for what a journal identifies by content. A copied model folder is the same model under another
/// name; its rows keep the name with which the journal began.
class RowNames {
 public:
  /// Keeps every name as it is.
  RowNames() = default;
  RowNames(const std::vector<StudyLabel>& labels, const Record& config, const Record& in_journal);

  Record as_in_journal(Record row) const;

  /// A sentence for each name that is another one in the journal.
  std::vector<std::string> changes() const;

 private:
  struct Change {
    std::string field;
    Value here, in_journal;
  };
  std::vector<Change> changes_;
};

struct Resumed {
  std::vector<std::vector<Record>> rows;  // of each task; none when it is still to be done
  Index finished = 0;                     // tasks
  std::optional<std::int64_t> cut;        // where the last task's rows begin, when some of them are missing
};

/// Assigns each row to its task by its key. Throws DataError naming file and line if a row belongs to no task, or a
/// task has too many rows, or too few that are not the last in the file: another program has written there.
Resumed match_rows(const Study& study, const JournalContent& content, const std::filesystem::path& path,
                   const RowNames& names = {});

}  // namespace wordsway
