#include "system/process.h"
#include "wordsway/core/error.h"

namespace wordsway::app {

std::unique_ptr<ProcessGroup> join_launched_group() {
  throw UsageError("this wordsway was built without MPI and cannot run under mpirun; build it with WORDSWAY_MPI=ON");
}

}  // namespace wordsway::app
