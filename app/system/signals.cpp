#include "system/signals.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>

#include <unistd.h>

#include "wordsway/core/error.h"
#include "wordsway/io/atomic_file.h"

namespace wordsway::app {
namespace {

constexpr int kInterruptedCode = 130;
enum Guarded { kNothing, kStudy, kOutput };

std::atomic<int> guarded{kNothing};
std::atomic<int> signals_seen{0};  // since the guard began
std::atomic<const char*> guarded_work{""};
std::atomic<bool> on_terminal{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free &&
                  std::atomic<const char*>::is_always_lock_free,
              "a handler may touch only what is lock-free");

// Everything from here to on_signal is async-signal-safe.
void put(std::string_view message) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, message.data(), message.size());
}

void tell(std::string_view message) {
  if (!on_terminal) message.remove_prefix(1);  // the newline that ends a line with ^C or a progress bar in it
  put(message);
}

[[noreturn]] void leave() {
  unlink_temporary_files();
  tell("\nwordsway: interrupted\n");
  _exit(kInterruptedCode);
}

void on_signal(int) {
  const int saved_errno = errno;
  const int guard = guarded;
  if (guard == kNothing || signals_seen.fetch_add(1) > 0) leave();
  if (guard == kStudy) {
    tell("\nwordsway: ");
    put(guarded_work.load());
    put("; press Ctrl-C again to stop at once\n");
  }
  errno = saved_errno;
}

}  // namespace

void leave_on_signals() {
  on_terminal = isatty(STDERR_FILENO) != 0;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, nullptr);
  }
}

InterruptGuard::InterruptGuard(const char* doing) {
  ensure(guarded == kNothing, "studies do not run inside each other");
  signals_seen = 0;
  guarded_work = doing;
  guarded = kStudy;
}

InterruptGuard::~InterruptGuard() {
  guarded = kNothing;
}

bool interrupted() {
  return signals_seen != 0;
}

OutputGuard::OutputGuard() : within_study_(guarded == kStudy) {
  if (within_study_) return;
  ensure(guarded == kNothing, "results are printed one after the other");
  signals_seen = 0;
  guarded = kOutput;
}

OutputGuard::~OutputGuard() {
  if (within_study_) return;
  guarded = kNothing;
  if (signals_seen != 0) leave();
}

void ignore_file_size_signal() {
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace wordsway::app
