#include "wordsway/run/run_study.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/run/group_work.h"
#include "wordsway/run/ledger.h"

namespace wordsway {
namespace {

StudyResult run_as_first(const Study& study, const RunOptions& options) {
  const int processes = options.group == nullptr ? 1 : options.group->size();
  const int sharing = options.group == nullptr ? 1 : options.group->local_size();
  const double limit = options.memory_limit > 0 ? options.memory_limit : default_memory_limit();
  check_memory(study, limit / sharing);
  if (processes > 1) check_identity_of_others(identity_of(study), *options.group);
  Ledger ledger(study, options);
  TaskQueue queue(make_schedule(study, ledger.remaining(), limit / sharing, available_threads(), processes),
                  options.stop);
  if (processes > 1) {
    lead_group(study, queue, ledger, *options.group);
  } else {
    run_phases(
        study, queue.lanes(), [&](size_t phase) { return queue.next(phase); },
        [&](Index task, std::vector<Record> rows) { ledger.record(task, std::move(rows)); });
  }
  return ledger.close();
}

}  // namespace

std::optional<std::string> remark_on_failures(const StudyResult& result) {
  if (result.failed == 0) return std::nullopt;
  const auto first = std::find_if(result.rows.begin(), result.rows.end(), is_failed);
  ensure(first != result.rows.end(), "a failed task has a row with its failure");
  const std::string& reason = first->text("failure");
  if (result.failed < result.tasks)
    return fmt::format("{} of {} trials failed, the first with: {}", result.failed, result.tasks, reason);
  throw DataError(result.tasks == 1 ? reason : fmt::format("all {} trials failed: {}", result.tasks, reason));
}

StudyResult run_study(const Study& study, const RunOptions& options) {
  if (options.group == nullptr || options.group->size() == 1) return run_as_first(study, options);
  if (options.group->rank() > 0) {
    check_identity_with_first(identity_of(study), *options.group);
    follow_group(study, *options.group);
    return {};
  }
  try {
    return run_as_first(study, options);
  } catch (...) {
    dismiss_group(*options.group);
    throw;
  }
}

}  // namespace wordsway
