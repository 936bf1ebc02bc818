#include "system/streams.h"

#include <array>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include "system/signals.h"
#include "wordsway/core/error.h"

namespace wordsway::app {
namespace {

[[noreturn]] void throw_out_error(int error) {
  throw FileError(fmt::format("standard output could not be written: {}", std::generic_category().message(error)));
}

// A terminal or pipe that another program has set not to block.
bool wait_for_room(int descriptor) {
  struct pollfd room = {descriptor, POLLOUT, 0};
  return poll(&room, 1, -1) >= 0 || errno == EINTR;
}

}  // namespace

void occupy_standard_descriptors() noexcept {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is this one. Opened for reading instead of writing: results that go nowhere are an error.
    [[maybe_unused]] const int taken = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void print_out(std::string_view text) {
  const OutputGuard guard;
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN && wait_for_room(STDOUT_FILENO)) continue;
    if (written <= 0) throw_out_error(written < 0 ? errno : ENOSPC);
    text.remove_prefix(static_cast<size_t>(written));
  }
}

void check_out() {
  const int copy = dup(STDOUT_FILENO);  // closing any descriptor of a file reports errors that came late
  if (copy >= 0 && close(copy) != 0 && errno != EINTR) throw_out_error(errno);
}

void write_error(std::initializer_list<std::string_view> parts) noexcept {
  constexpr size_t kMostParts = 8;
  std::array<struct iovec, kMostParts> pieces{};
  size_t count = 0;
  for (const std::string_view part : parts)
    if (count < kMostParts) pieces[count++] = {const_cast<char*>(part.data()), part.size()};
  // A single call, so that lines of several threads or processes do not mix.
  while (writev(STDERR_FILENO, pieces.data(), static_cast<int>(count)) < 0 && errno == EINTR) {
  }
}

}  // namespace wordsway::app
