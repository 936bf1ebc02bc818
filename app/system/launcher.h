// Whether a launcher such as mpirun started this program as one of several processes, and joining them. Built with
// mpi_group.cpp or no_mpi_group.cpp.
#pragma once

#include <memory>

#include "wordsway/run/group.h"

namespace wordsway::app {

/// True when a launcher (mpirun, mpiexec, srun with PMI) started this process as one of a group.
bool started_by_launcher();
/// Joins the group the launcher made, and leaves it when the object goes. At most once a process. Throws UsageError in
/// a build without MPI.
std::unique_ptr<ProcessGroup> join_group();

}  // namespace wordsway::app
