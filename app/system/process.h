// The processes this program runs as: one, or the ranks that mpirun started.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "wordsway/run/group.h"

namespace wordsway::app {

/// True when a launcher (mpirun, mpiexec, srun with PMI) started this process as one of a group.
bool started_by_launcher();
/// Joins the group the launcher made, and leaves it when the object goes. At most once a process. Throws UsageError in
/// a build without MPI. This is in mpi_group.cpp or no_mpi_group.cpp.
std::unique_ptr<ProcessGroup> join_launched_group();

/// Joins the group when a launcher started this process, and does nothing otherwise. All but the first process fall
/// silent; threads are a fair part of the cores unless --threads says otherwise. Throws UsageError without MPI.
void join_process_group();
/// Must be called before the end of main.
void leave_process_group();

/// CUDA_VISIBLE_DEVICES for the process of this rank among those of one machine, so that each has a GPU of its own, or
/// shares them in turn if there are fewer: one of `visible`, the variable's previous value, or one of the machine's
/// `gpus` if it was not set. Nothing if there is none.
std::optional<std::string> gpu_of_rank(const char* visible, int gpus, int local_rank);

/// nullptr if this process runs alone.
ProcessGroup* process_group();
bool is_first_process();

/// Tells the other processes what went wrong, so that none waits for one that has failed.
void notify_group(const std::exception& error) noexcept;

}  // namespace wordsway::app
