// HTTP on the loopback interface: the one place that knows cpp-httplib.
//
// The library parses requests, writes answers and keeps the threads. It bounds each read and write; a request as a
// whole has a deadline here, and its head a size. Every connection carries one request, so nothing that follows a
// refused one is ever answered.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wordsway::serve {

struct HttpLimits {
  std::size_t connections = 64;  // at a time; whoever comes beyond is told 503
  std::size_t body_bytes = std::size_t{2} << 20;
  std::size_t head_bytes = std::size_t{32} << 10;  // request line and headers
  std::chrono::milliseconds request_time{10'000};  // until the last byte of a request is there, else 408
  std::chrono::milliseconds write_time{10'000};    // that a client may leave an answer unread
  std::chrono::milliseconds between_signs{200};    // of life on a stream
};

/// What is known before the body is read.
struct RequestHeaders {
  std::string method, path;  // the path decoded, without what follows a `?`
  std::vector<std::pair<std::string, std::string>> headers;

  /// All values under a name, whatever its capitals.
  std::vector<std::string> all(std::string_view name) const;
  /// The value of a header that is there once; nothing when it is missing or there twice.
  std::optional<std::string> header(std::string_view name) const;
};

/// Whoever asked, while an answer is made.
class Client {
 public:
  virtual ~Client() = default;
  /// Whether the other side has closed the connection, or this one is being shut down. Never waits.
  virtual bool gone() const = 0;
};

/// The body of an answer that is made bit by bit.
class BodyWriter {
 public:
  virtual ~BodyWriter() = default;
  /// False when the client is gone.
  virtual bool write(std::string_view bytes) = 0;
};

struct Reply {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  /// Instead of `body`: writes it, bit by bit. Called once, on the thread of the connection.
  std::function<void(BodyWriter&, const Client&)> stream = {};
  /// Called once the answer was sent.
  std::function<void()> then = {};
};

/// {"error": "sentence"} with this status.
Reply refusal(int status, std::string_view sentence);

/// Answers the requests of a server. Called from many threads at once.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  /// Looks at the head, before the body is read. An answer refuses the request.
  virtual std::optional<Reply> refuse(const RequestHeaders& head) = 0;
  /// May throw: that becomes 500.
  virtual Reply answer(const RequestHeaders& head, std::string body, const Client& client) = 0;
};

class HttpServer {
 public:
  /// Binds to 127.0.0.1; port 0 is a free one. Throws SystemError when the port is taken. The handler must outlive it.
  HttpServer(HttpHandler& handler, int port, HttpLimits limits = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;
  /// Serves until stop() is called; returns when no connection is left.
  void run();
  /// May be called from any thread, also from Reply::then. Answers that are being written end here.
  void stop();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace wordsway::serve
