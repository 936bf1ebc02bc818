#include "system/launcher.h"

#include <cstdlib>

namespace wordsway::app {

// A batch script of Slurm has SLURM_NTASKS set as well, though it is one process: only what a launcher sets counts.
bool started_by_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(name) != nullptr) return true;
  return false;
}

}  // namespace wordsway::app
