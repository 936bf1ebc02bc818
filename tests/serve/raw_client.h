// Requests byte by byte, as no well-meaning client would send them.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace wordsway::test {

class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  }
  ~RawClient() { close(); }
  RawClient(RawClient&& other) noexcept : socket_(std::exchange(other.socket_, -1)), connected_(other.connected_) {}
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool connected() const { return connected_; }

  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return;  // the server has its answer already
      bytes.remove_prefix(static_cast<size_t>(count));
    }
  }

  // Until the end, or until `enough` is in it.
  std::string receive(std::string_view enough = {}) {
    char buffer[4096];
    while (enough.empty() || received_.find(enough) == std::string::npos) {
      struct pollfd entry = {socket_, POLLIN, 0};
      if (poll(&entry, 1, 60'000) <= 0) break;
      const ssize_t count = recv(socket_, buffer, sizeof(buffer), 0);
      if (count <= 0) break;
      received_.append(buffer, static_cast<size_t>(count));
    }
    return received_;
  }

  bool has_answer() const {
    struct pollfd entry = {socket_, POLLIN, 0};
    return poll(&entry, 1, 0) > 0;
  }

  void close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }

 private:
  int socket_;
  bool connected_ = false;
  std::string received_;
};

struct Answer {
  int status = 0;
  std::string head, body;

  // The value of a header.
  std::string header(const std::string& name) const {
    const size_t begin = head.find("\r\n" + name + ": ");
    if (begin == std::string::npos) return "";
    const size_t from = begin + name.size() + 4;
    return head.substr(from, head.find("\r\n", from) - from);
  }
  std::string error() const { return nlohmann::json::parse(body).at("error"); }
};

inline std::string without_chunks(std::string_view chunked) {
  std::string body;
  while (true) {
    const size_t end = chunked.find("\r\n");
    if (end == std::string_view::npos) return body;
    const size_t size = std::stoul(std::string(chunked.substr(0, end)), nullptr, 16);
    if (size == 0) return body;
    body += chunked.substr(end + 2, size);
    chunked.remove_prefix(std::min(chunked.size(), end + 2 + size + 2));
  }
}

inline Answer parse_answer(const std::string& text) {
  Answer answer;
  if (!text.starts_with("HTTP/1.1 ")) return answer;
  answer.status = std::stoi(text.substr(9, 3));
  const size_t end = text.find("\r\n\r\n");
  answer.head = text.substr(0, end + 2);
  answer.body = end == std::string::npos ? "" : text.substr(end + 4);
  if (answer.header("Transfer-Encoding") == "chunked") answer.body = without_chunks(answer.body);
  return answer;
}

}  // namespace wordsway::test
