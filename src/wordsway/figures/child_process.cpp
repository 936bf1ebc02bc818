#include "wordsway/figures/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wordsway/core/error.h"

extern char** environ;

namespace wordsway {
namespace {

[[noreturn]] void throw_refused(int error) {
  throw FileError("the system refused a channel to another program: " + std::generic_category().message(error));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  // Where standard streams are closed a new descriptor takes their number, and would be overwritten in the child.
  void leave_standard_numbers() {
    if (number_ > STDERR_FILENO) return;
    const int higher = fcntl(number_, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (higher < 0) throw_refused(errno);
    close();
    number_ = higher;
  }

 private:
  int number_;
};

// A pair of sockets instead of a pipe: one can write to a program that has gone without being killed by SIGPIPE, and
// without touching what the process does with signals.
struct Channel {
  Descriptor ours, theirs;
};

Channel make_channel() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw_refused(errno);
  Channel channel{Descriptor(ends[0]), Descriptor(ends[1])};
  channel.ours.leave_standard_numbers();
  channel.theirs.leave_standard_numbers();
  return channel;
}

// A child that has been started; never left behind as a zombie.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  ~Child() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int wait() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t pid_;
};

int start(std::vector<std::string> command, const std::array<int, 3>& streams, pid_t& pid) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int stream = 0; stream < 3; ++stream)
    posix_spawn_file_actions_adddup2(&actions, streams[static_cast<size_t>(stream)], stream);
  const int error = posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

bool is_temporary(int error) {
  return error == EINTR || error == EAGAIN || error == EWOULDBLOCK;
}

// Sends what there is room for; closes after the last byte, or when nobody reads any more.
void feed(Descriptor& stream, std::string_view& rest) {
  const ssize_t sent = send(stream.number(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0 && is_temporary(errno)) return;
  rest.remove_prefix(sent < 0 ? rest.size() : static_cast<size_t>(sent));
  if (rest.empty()) stream.close();
}

void drain(Descriptor& stream, std::string& text) {
  std::array<char, 1 << 16> buffer{};
  const ssize_t got = recv(stream.number(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (got > 0) text.append(buffer.data(), static_cast<size_t>(got));
  if (got == 0 || (got < 0 && !is_temporary(errno))) stream.close();
}

void converse(Descriptor& in, std::string_view input, Descriptor& out, Descriptor& err, ChildResult& result) {
  if (input.empty()) in.close();
  while (out.is_open() || err.is_open()) {
    // Closed ones have a negative number, which poll leaves alone.
    std::array<pollfd, 3> streams = {{{in.number(), POLLOUT, 0}, {out.number(), POLLIN, 0}, {err.number(), POLLIN, 0}}};
    if (poll(streams.data(), streams.size(), -1) < 0) {
      if (is_temporary(errno)) continue;
      throw_refused(errno);
    }
    if (streams[0].revents != 0) feed(in, input);
    if (streams[1].revents != 0) drain(out, result.out);
    if (streams[2].revents != 0) drain(err, result.err);
  }
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& command, std::string_view input) {
  Channel in = make_channel(), out = make_channel(), err = make_channel();
  ChildResult result;
  pid_t pid = -1;
  result.start_error = start(command, {in.theirs.number(), out.theirs.number(), err.theirs.number()}, pid);
  if (result.start_error != 0) return result;
  Child child(pid);
  for (Channel* channel : {&in, &out, &err}) channel->theirs.close();
  converse(in.ours, input, out.ours, err.ours, result);
  in.ours.close();
  result.exit_code = child.wait();
  return result;
}

}  // namespace wordsway
