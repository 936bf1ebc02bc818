#include "support/run_program.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/places.h"

namespace wordsway::test {
namespace {

int nameless_file() {
  std::string name = "/tmp/wordsway-output-XXXXXX";
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) throw std::runtime_error("cannot make a temporary file");
  unlink(name.c_str());
  return descriptor;
}

std::string content(int descriptor) {
  std::string text;
  char buffer[1 << 16];
  lseek(descriptor, 0, SEEK_SET);
  for (ssize_t got = 0; (got = read(descriptor, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(got));
  return text;
}

[[noreturn]] void become(const std::vector<std::string>& arguments,
                         const std::map<std::string, std::string>& environment, int out, int err) {
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  _exit(127);
}

}  // namespace

RunningProgram::RunningProgram(std::vector<std::string> arguments,
                               const std::map<std::string, std::string>& environment,
                               const std::function<void()>& prepare)
    : out_(nameless_file()), err_(nameless_file()) {
  // The peak of a child begins with what its parent holds at the fork.
  malloc_trim(0);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  if (pid_ == 0) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);  // nohup make test
    if (prepare) prepare();
    become(arguments, environment, out_, err_);
  }
}

RunningProgram::~RunningProgram() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(out_);
  close(err_);
}

void RunningProgram::signal(int number) const {
  kill(pid_, number);
}

ProgramResult RunningProgram::finish() {
  int status = 0;
  struct rusage usage {};
  wait4(pid_, &status, 0, &usage);
  pid_ = -1;
  ProgramResult result;
  result.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  result.out = content(out_);
  result.err = content(err_);
  result.peak_rss_bytes = 1024.0 * static_cast<double>(usage.ru_maxrss);
  return result;
}

std::vector<std::string> wordsway_command(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program_path().string());
  return arguments;
}

ProgramResult run_wordsway(std::vector<std::string> arguments) {
  return RunningProgram(wordsway_command(std::move(arguments))).finish();
}

}  // namespace wordsway::test
