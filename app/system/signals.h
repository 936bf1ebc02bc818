// What happens when the user presses Ctrl-C, or a batch system ends the job: the program leaves with 130 and nothing
// half-written stays behind. SIGINT, SIGTERM and SIGHUP are treated alike.
#pragma once

namespace wordsway::app {

/// From here on those signals end the process at once with 130, its temporary files removed; while one of the guards
/// below exists, only the second signal does. A signal that the process was started to ignore (nohup) stays ignored.
void leave_on_signals();

/// For work that ends by itself when interrupted() is true, as a study does, which finishes the trials that are
/// running: the first signal only sets that, and says what happens now. `doing` must live as long as the program.
class InterruptGuard {
 public:
  explicit InterruptGuard(const char* doing = "finishing the trials that are running");
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// Whether a signal came during the latest InterruptGuard; remains true after it.
bool interrupted();

/// For output that is to be whole: a signal that comes meanwhile takes effect when the guard is destroyed, or within a
/// study as there.
class OutputGuard {
 public:
  OutputGuard();
  ~OutputGuard();
  OutputGuard(const OutputGuard&) = delete;
  OutputGuard& operator=(const OutputGuard&) = delete;

 private:
  bool within_study_;
};

/// A file that grows past its limit then fails to be written, like a full disk, instead of ending the process.
void ignore_file_size_signal();

}  // namespace wordsway::app
