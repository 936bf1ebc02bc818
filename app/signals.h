// What happens when the user presses Ctrl-C: work in flight is finished first, unless they press it again.
#pragma once

#include <stdexcept>

namespace wordsway::app {

/// While one exists, the first SIGINT or SIGTERM sets interrupted() and the second ends the process at once with 130.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

bool interrupted();

/// Ends the program with 130.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file that grows past its limit then fails to be written, like a full disk, instead of ending the process.
void ignore_file_size_signal();

}  // namespace wordsway::app
