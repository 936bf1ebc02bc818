#include "system/process.h"

#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

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

// A batch script of Slurm has SLURM_NTASKS set as well, though it is one process: only what a launcher sets counts.
bool started_by_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(name) != nullptr) return true;
  return false;
}

void join_process_group() {
  if (!started_by_launcher()) return;
  group = join_launched_group();
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
