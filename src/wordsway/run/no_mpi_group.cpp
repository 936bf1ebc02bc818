#include "wordsway/core/error.h"
#include "wordsway/run/group.h"

namespace wordsway {

bool has_mpi() {
  return false;
}

std::unique_ptr<Group> join_group() {
  throw UsageError("this wordsway was built without MPI and cannot run under mpirun; build it with WORDSWAY_MPI=ON");
}

}  // namespace wordsway
