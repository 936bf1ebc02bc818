// One study on the processes of a group: the first hands tasks out as the others become free, and collects their rows.
#pragma once

#include <exception>

#include "wordsway/study/group.h"
#include "wordsway/study/ledger.h"
#include "wordsway/study/task_queue.h"

namespace wordsway {

/// In the first process: asks all others whether their study is the same by content, before any work. Throws DataError
/// naming what is not, or what another process failed with before it came here.
void check_identity_of_others(const JournalIdentity& identity, Group& group);
/// In every other process: answers that. Throws DataError when the study is another one, GroupDismissed when the first
/// process gives up.
void check_identity_with_first(const JournalIdentity& identity, Group& group);

/// In the first process: works itself and serves the others until all tasks are done. Rethrows what ended the study
/// early, here or in another process.
void lead_group(const Study& study, TaskQueue& queue, Ledger& ledger, Group& group);

/// In every other process. Throws GroupDismissed when the first process gives up.
void follow_group(const Study& study, Group& group);

/// In the first process: lets the others go, wherever they are; they throw GroupDismissed.
void dismiss_group(Group& group);

/// In another process that cannot take part: tells the first one why, which then throws the same.
void report_failure(Group& group, const std::exception& error);

}  // namespace wordsway
