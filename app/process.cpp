#include "process.h"

#include <cstdio>

#include "wordsway/core/parallel.h"
#include "wordsway/study/hand_out.h"

namespace wordsway::app {
namespace {

std::unique_ptr<Group> group;

void fall_silent() {
  for (std::FILE* stream : {stdout, stderr})
    if (std::freopen("/dev/null", "w", stream) == nullptr) throw FileError("cannot write /dev/null");
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

Group* process_group() {
  return group.get();
}

bool is_first_process() {
  return group == nullptr || group->rank() == 0;
}

void tell_group(const std::exception& error) {
  if (group == nullptr || group->size() == 1) return;
  if (is_first_process()) {
    dismiss_group(*group);
  } else {
    report_failure(*group, error);
  }
}

}  // namespace wordsway::app
