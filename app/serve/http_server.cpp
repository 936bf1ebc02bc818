#include "serve/http_server.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <list>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wordsway/core/error.h"
#include "wordsway/io/json.h"

namespace wordsway::serve {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds kTick{50};      // after which a waiting thread looks whether the server ends
constexpr Milliseconds kLinger{1000};  // that a refused client has to read why
constexpr int kBacklog = 256;
constexpr std::size_t kMostRefused = 256;  // clients that are told so at a time

bool same_without_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

int ready(int socket, short events, Milliseconds wait) {
  struct pollfd entry = {socket, events, 0};
  const int found = poll(&entry, 1, static_cast<int>(std::max<Milliseconds::rep>(0, wait.count())));
  return found > 0 ? entry.revents : 0;
}

// An answer without the library, for requests that never became one.
std::string plain_answer(int status, std::string_view reason, std::string_view sentence) {
  const std::string body = refusal(status, sentence).body;
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{}",
      status, reason, body.size(), body);
}

void send_at_once(int socket, std::string_view text) {
  [[maybe_unused]] const ssize_t sent = send(socket, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

// Reads what is there and throws it away. True when the other side has closed.
bool drain(int socket) {
  std::array<char, 4096> thrown_away;
  while (true) {
    const ssize_t count = recv(socket, thrown_away.data(), thrown_away.size(), MSG_DONTWAIT);
    if (count == 0) return true;
    if (count < 0) return errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
  }
}

// Closes connections whose request was not read to its end. Closing one at once would reset it, and the client might
// never see the answer; so what it still sends is read for a moment, by one thread for all of them.
class LingeringSockets {
 public:
  LingeringSockets() : thread_([this](const std::stop_token& stop) { serve(stop); }) {}
  ~LingeringSockets() {
    thread_.request_stop();
    thread_.join();
    for (const Entry& entry : entries_) close(entry.socket);
  }

  // Takes the socket over, whose answer was sent.
  void add(int socket) noexcept {
    shutdown(socket, SHUT_WR);
    const std::lock_guard lock(mutex_);
    if (entries_.size() < kMostRefused) {
      entries_.push_back({socket, Clock::now() + kLinger});  // there is room
      changed_.notify_one();
    } else {
      close(socket);
    }
  }

 private:
  struct Entry {
    int socket;
    Clock::time_point until;
  };

  static std::vector<Entry> with_room() {
    std::vector<Entry> entries;
    entries.reserve(kMostRefused);
    return entries;
  }

  void serve(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      changed_.wait(lock, stop, [this] { return !entries_.empty(); });
      const auto now = Clock::now();
      std::erase_if(entries_, [&](const Entry& entry) {
        const bool ends = drain(entry.socket) || now > entry.until;
        if (ends) close(entry.socket);
        return ends;
      });
      if (entries_.empty()) continue;
      lock.unlock();
      std::this_thread::sleep_for(Milliseconds(5));
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Entry> entries_ = with_room();
  std::jthread thread_;  // last: it uses the others
};

// One connection as the library reads and writes it, with a deadline for the request as a whole.
class Connection final : public httplib::Stream, public Client {
 public:
  Connection(int socket, const HttpLimits& limits, const std::atomic<bool>& stopping)
      : socket_(socket),
        limits_(limits),
        stopping_(stopping),
        deadline_(Clock::now() + limits.request_time),
        bytes_left_(limits.head_bytes + limits.body_bytes) {}

  bool is_readable() const override { return begin_ < end_ || ready(socket_, POLLIN, Milliseconds(0)) != 0; }
  bool is_writable() const override { return !gone(); }

  ssize_t read(char* out, size_t size) override {
    if (begin_ == end_ && !fill()) return -1;
    const size_t count = std::min(size, end_ - begin_);
    std::memcpy(out, buffer_.data() + begin_, count);
    begin_ += count;
    return static_cast<ssize_t>(count);
  }

  ssize_t write(const char* bytes, size_t size) override {
    if (too_slow_ || too_large_) return static_cast<ssize_t>(size);  // another answer is sent instead
    const auto until = Clock::now() + limits_.write_time;
    size_t sent = 0;
    while (sent < size) {
      const ssize_t count = send(socket_, bytes + sent, size - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (count > 0) {
        sent += static_cast<size_t>(count);
        continue;
      }
      const bool may_wait = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
      if (!may_wait || Clock::now() > until || stopping_) return -1;
      ready(socket_, POLLOUT, kTick);
    }
    return static_cast<ssize_t>(size);
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const override { ip = "127.0.0.1", port = 0; }
  void get_local_ip_and_port(std::string& ip, int& port) const override { ip = "127.0.0.1", port = 0; }
  int socket() const override { return socket_; }

  bool gone() const override {
    return stopping_ || (ready(socket_, POLLRDHUP, Milliseconds(0)) & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
  }

  void head_was_read() { head_read_ = true; }

  std::function<void()> then;  // to be called after the answer

  // What to say where the library was kept from saying it.
  std::string late_answer() const {
    if (too_slow_ && any_)
      return plain_answer(408, "Request Timeout",
                          fmt::format("the request did not arrive within {:g} seconds",
                                      static_cast<double>(limits_.request_time.count()) / 1000));
    if (too_large_)
      return plain_answer(431, "Request Header Fields Too Large",
                          fmt::format("the head of the request has more than {} bytes", limits_.head_bytes));
    return {};
  }

 private:
  bool fill() {
    while (!stopping_) {
      const auto left = std::chrono::duration_cast<Milliseconds>(deadline_ - Clock::now());
      if (left.count() <= 0) {
        too_slow_ = true;
        return false;
      }
      if (ready(socket_, POLLIN, std::min(left, kTick)) == 0) continue;
      const size_t most = std::min(buffer_.size(), head_read_ ? bytes_left_ : head_left());
      if (most == 0) {
        too_large_ = true;
        return false;
      }
      const ssize_t count = recv(socket_, buffer_.data(), most, MSG_DONTWAIT);
      if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) continue;
      if (count <= 0) return false;
      any_ = true;
      begin_ = 0;
      end_ = static_cast<size_t>(count);
      bytes_left_ -= end_;
      return true;
    }
    return false;
  }

  size_t head_left() const { return bytes_left_ > limits_.body_bytes ? bytes_left_ - limits_.body_bytes : 0; }

  int socket_;
  const HttpLimits& limits_;
  const std::atomic<bool>& stopping_;
  Clock::time_point deadline_;
  size_t bytes_left_;
  std::array<char, 4096> buffer_;
  size_t begin_ = 0, end_ = 0;
  bool any_ = false, head_read_ = false, too_slow_ = false, too_large_ = false;
};

// A thread for each connection. Those that are too many are handed over on the thread that accepts them, which the
// server notices and refuses them.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  explicit ConnectionThreads(size_t most) : most_(most) {}

  static bool is_refused() { return refused_; }

  /// The connection of the calling thread no longer counts: its answer is sent, and the client may come again before
  /// the thread has come to its end.
  static void release() {
    if (counted_ != nullptr) --*std::exchange(counted_, nullptr);
  }

  void enqueue(std::function<void()> work) override {
    std::unique_lock lock(mutex_);
    join_ended();
    const bool too_many = active_ >= most_ || running_.size() >= kMostEnding * most_;
    if (!too_many && start(work)) return;
    lock.unlock();
    refused_ = true;
    work();
    refused_ = false;
  }

  void shutdown() override {
    std::unique_lock lock(mutex_);
    while (!running_.empty()) {
      ended_.wait(lock, [this] { return std::ranges::any_of(running_, [](const Running& one) { return one.done; }); });
      join_ended();
    }
  }

 private:
  struct Running {
    std::thread thread;
    bool done = false;
  };

  // False when the system has no thread to give.
  bool start(const std::function<void()>& work) {
    running_.emplace_back();
    Running& one = running_.back();
    try {
      ++active_;
      one.thread = std::thread([this, &one, work] {
        counted_ = &active_;
        work();
        release();
        const std::lock_guard lock(mutex_);
        one.done = true;
        ended_.notify_all();
      });
    } catch (const std::system_error&) {
      --active_;
      running_.pop_back();
      return false;
    }
    return true;
  }

  void join_ended() {
    std::erase_if(running_, [](Running& one) {
      if (one.done) one.thread.join();  // it has let go of the lock, or is about to: nothing waits for long
      return one.done;
    });
  }

  static constexpr size_t kMostEnding = 4;  // times as many threads, those included that are about to end

  static inline thread_local bool refused_ = false;
  static inline thread_local std::atomic<size_t>* counted_ = nullptr;
  size_t most_;
  std::atomic<size_t> active_{0};
  std::mutex mutex_;
  std::condition_variable ended_;
  std::list<Running> running_;
};

RequestHead head_of(const httplib::Request& request) {
  RequestHead head{request.method, request.path, {}};
  for (const auto& [name, value] : request.headers) head.headers.emplace_back(name, value);
  return head;
}

// Bytes of a body that the library sends in chunks.
class ChunkWriter final : public BodyWriter {
 public:
  ChunkWriter(httplib::DataSink& sink, const Client& client) : sink_(sink), client_(client) {}
  bool write(std::string_view bytes) override {
    return !client_.gone() && sink_.write(bytes.data(), bytes.size()) && !client_.gone();
  }

 private:
  httplib::DataSink& sink_;
  const Client& client_;
};

void send_reply(Reply reply, httplib::Response& response, Connection& client) {
  client.then = std::move(reply.then);
  response.status = reply.status;
  for (const auto& [name, value] : reply.headers) response.set_header(name, value);
  if (reply.stream) {
    response.set_chunked_content_provider(reply.type,
                                          [stream = std::move(reply.stream), &client](size_t, httplib::DataSink& sink) {
                                            ChunkWriter writer(sink, client);
                                            stream(writer, client);
                                            sink.done();
                                            return true;
                                          });
  } else if (reply.body.empty()) {
    if (reply.status != 304) response.set_header("Content-Type", reply.type);
  } else {
    // With a provider, because the library would compress a body that is compressed already.
    const auto body = std::make_shared<const std::string>(std::move(reply.body));
    response.set_content_provider(body->size(), reply.type,
                                  [body](size_t offset, size_t length, httplib::DataSink& sink) {
                                    return sink.write(body->data() + offset, std::min(length, body->size() - offset));
                                  });
  }
}

constexpr const char* kAnything = ".*";

}  // namespace

std::vector<std::string> RequestHead::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [key, value] : headers)
    if (same_without_case(key, name)) values.push_back(value);
  return values;
}

std::optional<std::string> RequestHead::header(std::string_view name) const {
  std::vector<std::string> values = all(name);
  return values.size() == 1 ? std::optional(std::move(values.front())) : std::nullopt;
}

Reply refusal(int status, std::string_view sentence) {
  Reply reply;
  reply.status = status;
  reply.body = to_json(Record{{"error", std::string(sentence)}});
  return reply;
}

class HttpServer::Implementation final : public httplib::Server {
 public:
  Implementation(HttpHandler& handler, int port, HttpLimits limits) : handler_(handler), limits_(limits) {
    new_task_queue = [this] { return new ConnectionThreads(limits_.connections); };  // the library deletes it
    set_payload_max_length(limits_.body_bytes);
    set_tcp_nodelay(true);
    // Without the library's SO_REUSEPORT, with which two servers would share a port.
    set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return look_at_head(request, response);
    });
    Post(kAnything, [this](const httplib::Request& request, httplib::Response& response,
                           const httplib::ContentReader& read) { answer_with_body(request, response, read); });
    set_error_handler([](const httplib::Request&, httplib::Response& response) { explain(response); });
    set_exception_handler([](const httplib::Request&, httplib::Response& response, std::exception_ptr) {
      send_reply(refusal(500, "an unknown error kept the server from answering"), response, *current_);
    });
    bind(port);
  }

  int port() const { return port_; }

  void run() {
    started_ = true;
    if (stopping_) return;
    const bool fine = listen_after_bind();
    ended_ = true;
    if (!fine && !stopping_) throw SystemError("the server cannot accept connections any more");
  }

  void end() {
    stopping_ = true;
    if (!started_) return;  // and run() will not begin
    // The library stops only what is running, and says so a moment after it was called.
    while (!is_running() && !ended_) std::this_thread::sleep_for(Milliseconds(1));
    stop();
  }

 private:
  void bind(int port) {
    port_ = port == 0 ? bind_to_any_port("127.0.0.1") : (bind_to_port("127.0.0.1", port) ? port : -1);
    // The library leaves room for five that are not accepted yet; a browser opens more at once.
    if (port_ > 0) ::listen(svr_sock_, kBacklog);
    if (port_ <= 0)
      throw SystemError(fmt::format("port {} of 127.0.0.1 cannot be used: {}; --port 0 takes a free one", port,
                                    std::generic_category().message(errno)));
  }

  // An error, such as a lack of memory, ends this connection and not the program.
  bool process_and_close_socket(socket_t socket) override {
    bool done = false;
    std::function<void()> then;
    try {
      done = process(socket, then);
    } catch (...) {
    }
    current_ = nullptr;
    ConnectionThreads::release();
    lingering_.add(socket);
    if (then) then();
    return done;
  }

  bool process(socket_t socket, std::function<void()>& then) {
    if (ConnectionThreads::is_refused()) {
      send_at_once(socket, plain_answer(503, "Service Unavailable",
                                        fmt::format("there are {} connections already; try again in a moment",
                                                    limits_.connections)));
      return false;
    }
    Connection connection(socket, limits_, stopping_);
    current_ = &connection;
    bool closed = false;
    const bool done = process_request(connection, true, closed, [&](httplib::Request&) { connection.head_was_read(); });
    if (const std::string answer = connection.late_answer(); !answer.empty()) send_at_once(socket, answer);
    then = std::move(connection.then);
    return done;
  }

  HandlerResponse look_at_head(const httplib::Request& request, httplib::Response& response) {
    const RequestHead head = head_of(request);
    if (std::optional<Reply> refused = handler_.refuse(head)) {
      send_reply(std::move(*refused), response, *current_);
      return HandlerResponse::Handled;
    }
    if (request.method == "POST") return HandlerResponse::Unhandled;
    send_reply(handler_.answer(head, {}, *current_), response, *current_);
    return HandlerResponse::Handled;
  }

  void answer_with_body(const httplib::Request& request, httplib::Response& response,
                        const httplib::ContentReader& read) {
    std::string body;
    const bool whole = read([&](const char* bytes, size_t count) {
      if (body.size() + count > limits_.body_bytes) return false;
      body.append(bytes, count);
      return true;
    });
    if (!whole)  // too slow, which is said later, or gone
      return send_reply(refusal(400, "the body of the request ended too early"), response, *current_);
    send_reply(handler_.answer(head_of(request), std::move(body), *current_), response, *current_);
  }

  // What the library refuses by itself, it refuses without a word.
  static void explain(httplib::Response& response) {
    if (!response.body.empty() || response.content_provider_ || current_ == nullptr) return;
    send_reply(refusal(response.status, "the request is no HTTP that this server understands"), response, *current_);
  }

  static inline thread_local Connection* current_ = nullptr;  // that of this thread
  HttpHandler& handler_;
  HttpLimits limits_;
  std::atomic<bool> stopping_{false}, started_{false}, ended_{false};
  int port_ = 0;
  LingeringSockets lingering_;
};

HttpServer::HttpServer(HttpHandler& handler, int port, HttpLimits limits)
    : implementation_(std::make_unique<Implementation>(handler, port, limits)) {}
HttpServer::~HttpServer() = default;

int HttpServer::port() const {
  return implementation_->port();
}
void HttpServer::run() {
  implementation_->run();
}
void HttpServer::stop() {
  implementation_->end();
}

}  // namespace wordsway::serve
