// Runs programs, the one under test above all, and looks at what they leave behind.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

namespace wordsway::test {

struct ProgramResult {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out, err;
  double peak_rss_bytes = 0;
};

/// A program that runs in the background, its outputs going to files that finish() reads.
class RunningProgram {
 public:
  /// `prepare` runs in the child before the program is started, e.g. to set a limit.
  RunningProgram(std::vector<std::string> arguments, const std::map<std::string, std::string>& environment = {},
                 const std::function<void()>& prepare = {});
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  pid_t pid() const { return pid_; }
  void signal(int number) const;
  /// Waits for its end.
  ProgramResult finish();

 private:
  pid_t pid_ = -1;
  int out_ = -1, err_ = -1;
};

/// Runs wordsway with these arguments to its end.
ProgramResult run_wordsway(std::vector<std::string> arguments);
/// The arguments with the program in front.
std::vector<std::string> wordsway_command(std::vector<std::string> arguments);

}  // namespace wordsway::test
