// The processes that share one study: MPI's ranks, or this process alone. Built as mpi_group.cpp or no_mpi_group.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "wordsway/core/error.h"

namespace wordsway {

struct GroupMessage {
  int from = 0;
  std::string text;
};

/// All members are called from the thread that joined.
class Group {
 public:
  virtual ~Group() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// How many of the processes share this machine.
  virtual int local_size() const = 0;
  /// This process's fair part of the cores it may run on.
  virtual int fair_threads() const = 0;

  /// Texts from one process to another arrive in the order they were sent.
  virtual void send(int to, const std::string& text) = 0;
  /// What has arrived, without waiting for it.
  virtual std::optional<GroupMessage> receive() = 0;
};

/// The first process has ended the work of all; it has said why.
class GroupDismissed : public Error {
 public:
  using Error::Error;
};

/// True when a launcher (mpirun, mpiexec, srun with PMI) started this process as one of a group.
bool started_by_launcher();
/// Whether this build can join one.
bool has_mpi();
/// Joins the group the launcher made, and leaves it when the object goes. At most once a process. Throws UsageError in
/// a build without MPI.
std::unique_ptr<Group> join_group();

}  // namespace wordsway
