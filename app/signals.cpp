#include "signals.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>

#include <unistd.h>

namespace wordsway::app {
namespace {

constexpr int kInterruptedCode = 130;
std::atomic<int> signals_seen{0};
static_assert(std::atomic<int>::is_always_lock_free, "a handler may touch only what is lock-free");
struct sigaction previous_int, previous_term;

// Only what is safe inside a handler.
void on_signal(int) {
  const int saved_errno = errno;
  if (signals_seen.fetch_add(1) > 0) _exit(kInterruptedCode);
  constexpr std::string_view kMessage = "\nwordsway: finishing the trials that are running; again to stop at once\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  errno = saved_errno;
}

}  // namespace

InterruptGuard::InterruptGuard() {
  signals_seen = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_int);
  sigaction(SIGTERM, &action, &previous_term);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &previous_int, nullptr);
  sigaction(SIGTERM, &previous_term, nullptr);
}

bool interrupted() {
  return signals_seen != 0;
}

void ignore_file_size_signal() {
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace wordsway::app
