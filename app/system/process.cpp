#include "system/process.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "wordsway/core/parallel.h"
#include "wordsway/run/group_work.h"

namespace wordsway::app {
namespace {

std::unique_ptr<ProcessGroup> group;

// The devices that NVIDIA's driver lists.
int gpus_of_machine() {
  std::error_code none;
  const std::filesystem::directory_iterator gpus("/proc/driver/nvidia/gpus", none);
  return none ? 0 : static_cast<int>(std::distance(begin(gpus), end(gpus)));
}

void fall_silent() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
    throw FileError("cannot write /dev/null");
  close(nowhere);
}

}  // namespace

// Batch scripts of Slurm set SLURM_NTASKS too, although they are one process: only a launcher's variables count.
bool started_by_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(name) != nullptr) return true;
  return false;
}

void join_process_group() {
  if (!started_by_launcher()) return;
  group = join_launched_group();
  // This must come before the first call to the device.
  if (const auto gpu = gpu_of_rank(std::getenv("CUDA_VISIBLE_DEVICES"), gpus_of_machine(), group->local_rank()))
    setenv("CUDA_VISIBLE_DEVICES", gpu->c_str(), 1);
  set_thread_count(group->fair_threads());
  if (!is_first_process()) fall_silent();
}

void leave_process_group() {
  group.reset();
}

std::optional<std::string> gpu_of_rank(const char* visible, int gpus, int local_rank) {
  std::vector<std::string> names;
  if (visible != nullptr) {
    std::istringstream list(visible);
    for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  } else {
    for (int gpu = 0; gpu < gpus; ++gpu) names.push_back(std::to_string(gpu));
  }
  if (names.empty()) return std::nullopt;
  return names[static_cast<size_t>(local_rank) % names.size()];
}

ProcessGroup* process_group() {
  return group.get();
}

bool is_first_process() {
  return group == nullptr || group->rank() == 0;
}

void notify_group(const std::exception& error) noexcept {
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
