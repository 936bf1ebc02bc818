#include "serve/http_server.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/header_lines.h"
#include "wordsway/core/error.h"
#include "wordsway/io/json.h"

namespace wordsway::serve {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds kTick{50};      // a thread that waits for a client looks this often whether the server ends
constexpr Milliseconds kLinger{1000};  // how long a client that still sends is listened to after its answer
constexpr int kBacklog = 256;
constexpr std::size_t kRefusers = 16;  // threads that tell clients beyond the limit to come again

bool same_without_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// An answer without the library, for requests that never became one.
void send_plainly(int socket, int status, std::string_view reason, std::string_view sentence) {
  const std::string body = refusal(status, sentence).body;
  const std::string answer = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{}",
      status, reason, body.size(), body);
  [[maybe_unused]] const ssize_t sent = send(socket, answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

// Closing a socket that has unread bytes resets the connection, and the client might never see its answer.
void close_gently(int socket) {
  shutdown(socket, SHUT_WR);
  const auto until = Clock::now() + kLinger;
  std::array<char, 4096> unread;
  while (Clock::now() < until && recv(socket, unread.data(), unread.size(), 0) > 0) {
  }
  close(socket);
}

// One connection as the library reads and writes it. The library bounds each read and each write, which wait for a tick
// at most; here the request as a whole has a deadline, and its head a size.
class Connection final : public httplib::Stream, public Client {
 public:
  Connection(int socket, const HttpLimits& limits, const std::atomic<bool>& stopping)
      : socket_(socket), limits_(limits), stopping_(stopping), deadline_(Clock::now() + limits.request_time) {}

  bool is_readable() const override { return true; }
  bool is_writable() const override { return !gone(); }

  ssize_t read(char* out, size_t size) override {
    while (!stopping_) {
      too_slow_ = Clock::now() > deadline_;
      too_large_ = !head_was_read_ && head_bytes_ >= limits_.head_bytes;
      if (too_slow_ || too_large_) return -1;
      const ssize_t count = recv(socket_, out, head_was_read_ ? size : 1, 0);
      if (count < 0 && is_temporary(errno)) continue;
      if (count <= 0) return -1;
      if (!head_was_read_) {
        head_bytes_ += static_cast<size_t>(count);
        lines_.read({out, static_cast<size_t>(count)});
      }
      return count;
    }
    return -1;
  }

  ssize_t write(const char* bytes, size_t size) override {
    if (too_slow_ || too_large_) return static_cast<ssize_t>(size);  // send_late_answer has a better one
    const auto until = Clock::now() + limits_.write_time;
    for (size_t sent = 0; sent < size;) {
      const ssize_t count = send(socket_, bytes + sent, size - sent, MSG_NOSIGNAL);
      if (count > 0) {
        sent += static_cast<size_t>(count);
      } else if (!is_temporary(errno) || Clock::now() > until || stopping_) {
        return -1;
      }
    }
    return static_cast<ssize_t>(size);
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const override { ip = "127.0.0.1", port = 0; }
  void get_local_ip_and_port(std::string& ip, int& port) const override { ip = "127.0.0.1", port = 0; }
  int socket() const override { return socket_; }

  bool gone() const override {
    struct pollfd entry = {socket_, POLLRDHUP, 0};
    return stopping_ || (poll(&entry, 1, 0) > 0 && (entry.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0);
  }

  void head_was_read() { head_was_read_ = true; }
  bool head_is_fine() const { return lines_.all_fine(); }

  // The library closes a connection that is too slow without a word, and calls a large head a bad request.
  void send_late_answer() const {
    if (too_slow_ && head_bytes_ > 0)
      send_plainly(socket_, 408, "Request Timeout",
                   fmt::format("the request did not arrive within {:g} seconds",
                               static_cast<double>(limits_.request_time.count()) / 1000));
    if (too_large_)
      send_plainly(socket_, 431, "Request Header Fields Too Large",
                   fmt::format("the head of the request has more than {} bytes", limits_.head_bytes));
  }

  std::function<void()> then;  // to be called after the answer

 private:
  static bool is_temporary(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

  int socket_;
  const HttpLimits& limits_;
  const std::atomic<bool>& stopping_;
  Clock::time_point deadline_;
  size_t head_bytes_ = 0;
  HeaderLines lines_;
  bool head_was_read_ = false, too_slow_ = false, too_large_ = false;
};

// The library's pool, which knows on which connections there is no room for more.
class Pool final : public httplib::ThreadPool {
 public:
  Pool(std::size_t most, std::atomic<std::size_t>& active)
      : ThreadPool(allowed(most + kRefusers)), most_(most), active_(active) {}

  static bool is_refused() { return refused_; }

  void enqueue(std::function<void()> work) override {
    const bool refused = active_ >= most_;
    if (!refused) ++active_;
    ThreadPool::enqueue([work = std::move(work), refused] {
      refused_ = refused;
      work();
    });
  }

 private:
  // The library would abort the program where the system refuses one of its threads; so they are tried out first.
  static std::size_t allowed(std::size_t count) {
    std::vector<std::jthread> threads;
    std::mutex all_started;
    const std::lock_guard lock(all_started);
    try {
      while (threads.size() < count) threads.emplace_back([&] { const std::lock_guard wait(all_started); });
    } catch (const std::system_error&) {
      throw SystemError(fmt::format("the system refuses the {} threads that the server needs", count));
    }
    return count;
  }

  static inline thread_local bool refused_ = false;
  std::size_t most_;
  std::atomic<std::size_t>& active_;
};

RequestHeaders head_of(const httplib::Request& request) {
  RequestHeaders head{request.method, request.path, {}};
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

std::vector<std::string> RequestHeaders::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [key, value] : headers)
    if (same_without_case(key, name)) values.push_back(value);
  return values;
}

std::optional<std::string> RequestHeaders::header(std::string_view name) const {
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
    new_task_queue = [this] { return new Pool(limits_.connections, active_); };  // the library deletes it
    set_payload_max_length(limits_.body_bytes);
    set_read_timeout(kTick);
    set_write_timeout(kTick);
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
    if (Pool::is_refused()) {
      send_plainly(socket, 503, "Service Unavailable",
                   fmt::format("there are {} connections already; try again in a moment", limits_.connections));
    } else {
      try {
        done = process(socket, then);
      } catch (...) {
      }
      current_ = nullptr;
      --active_;  // the client may come again before its connection is closed
    }
    close_gently(socket);
    if (then) then();
    return done;
  }

  bool process(socket_t socket, std::function<void()>& then) {
    Connection connection(socket, limits_, stopping_);
    current_ = &connection;
    bool closed = false;
    const bool done = process_request(connection, true, closed, [&](httplib::Request&) { connection.head_was_read(); });
    connection.send_late_answer();
    then = std::move(connection.then);
    return done;
  }

  HandlerResponse look_at_head(const httplib::Request& request, httplib::Response& response) {
    if (!current_->head_is_fine()) {
      send_reply(refusal(400, "a line of the head is no header: expected 'name: value'"), response, *current_);
      return HandlerResponse::Handled;
    }
    const RequestHeaders head = head_of(request);
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

  // The library gives no reason for what it refuses by itself.
  static void explain(httplib::Response& response) {
    if (!response.body.empty() || response.content_provider_ || current_ == nullptr) return;
    send_reply(refusal(response.status, "the request is no HTTP that this server understands"), response, *current_);
  }

  static inline thread_local Connection* current_ = nullptr;  // that of this thread
  HttpHandler& handler_;
  HttpLimits limits_;
  std::atomic<bool> stopping_{false}, started_{false}, ended_{false};
  std::atomic<std::size_t> active_{0};  // connections that have a place
  int port_ = 0;
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
