// The processes that share one study, as the runner sees them. The program makes one of MPI's ranks
// (app/system/launcher.h); the library itself knows no MPI.
#pragma once

#include <optional>
#include <string>

#include "wordsway/core/error.h"

namespace wordsway {

struct GroupMessage {
  int from = 0;
  std::string text;
};

/// All members must be called from the thread that joined.
class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// How many of the processes run on this machine.
  virtual int local_size() const = 0;
  virtual int local_rank() const = 0;  // among these
  /// This process's fair part of the cores it may run on.
  virtual int fair_threads() const = 0;

  /// Texts from one process to another arrive in the order they were sent.
  virtual void send(int to, const std::string& text) = 0;
  /// Returns a message that has arrived; does not wait for one.
  virtual std::optional<GroupMessage> receive() = 0;
};

/// The first process has ended everybody's work and has said why.
class GroupDismissed : public Error {
 public:
  using Error::Error;
};

}  // namespace wordsway
