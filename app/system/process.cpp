#include "system/process.h"

#include <fcntl.h>
#include <unistd.h>

#include "system/launcher.h"
#include "wordsway/core/parallel.h"
#include "wordsway/run/group_work.h"

namespace wordsway::app {
namespace {

std::unique_ptr<ProcessGroup> group;

void fall_silent() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
    throw FileError("cannot write /dev/null");
  close(nowhere);
}

}  // namespace

void join_process_group() {
  if (!started_by_launcher()) return;
  group = join_group();
  set_thread_count(group->fair_threads());
  if (!is_first_process()) fall_silent();
}

void leave_process_group() {
  group.reset();
}

ProcessGroup* process_group() {
  return group.get();
}

bool is_first_process() {
  return group == nullptr || group->rank() == 0;
}

void tell_group(const std::exception& error) noexcept {
  if (group == nullptr || group->size() == 1) return;
  try {
    if (is_first_process()) {
      dismiss_group(*group);
    } else {
      report_failure(*group, error);
    }
  } catch (const std::exception&) {
    // This process says what went wrong; the launcher ends the others.
  }
}

}  // namespace wordsway::app
