// Handling of Ctrl-C and of the signals with which batch systems end jobs: the program exits with 130 and leaves no
// half-written file. SIGINT, SIGTERM and SIGHUP are treated alike.
#pragma once

namespace wordsway::app {

/// After this call those signals end the process at once with 130 and remove its temporary files; while one of the
/// guards below exists, only the second signal does. A signal that the process was started to ignore (nohup) stays
/// ignored.
void leave_on_signals();

/// For work that ends by itself when interrupted() is true, such as a study, which finishes its running trials: the
/// first signal only sets the flag and says what happens now. `doing` must live as long as the program.
class InterruptGuard {
 public:
  explicit InterruptGuard(const char* doing = "finishing the trials that are running");
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// Whether a signal arrived during the latest InterruptGuard; remains true after it.
bool interrupted();

/// For output that must be complete: a signal takes effect when the guard is destroyed, or as under InterruptGuard
/// within a study.
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
