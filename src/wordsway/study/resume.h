// What a journal already holds of a study.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "wordsway/io/journal.h"
#include "wordsway/study/study.h"

namespace wordsway {

struct Resumed {
  std::vector<std::vector<Record>> rows;  // of each task; none when it is still to be done
  Index finished = 0;                     // tasks
  std::optional<std::int64_t> cut;        // where the last task's rows begin, when some of them are missing
};

/// Gives each row to its task by its key. Throws DataError naming file and line when a row belongs to no task, or a
/// task has too many rows or too few that are not the last in the file: somebody else has written there.
Resumed match_rows(const Study& study, const JournalContent& content, const std::filesystem::path& path);

}  // namespace wordsway
