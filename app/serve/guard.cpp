#include "serve/guard.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <sys/random.h>

#include "wordsway/core/error.h"

namespace wordsway::serve {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// "application/json", perhaps with parameters behind it.
bool is_json(std::string_view type) {
  std::string name = lower_case(type.substr(0, type.find(';')));
  while (!name.empty() && name.back() == ' ') name.pop_back();
  return name == "application/json";
}

std::optional<std::uint64_t> length_of(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = !digits.empty() && end == digits.data() + digits.size();
  return whole && error == std::errc() ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string new_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw SystemError("the system has no random numbers for a token");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  // All of `b` is looked at, whatever `a` is.
  for (size_t k = 0; k < b.size(); ++k) {
    const char other = a.empty() ? '\0' : a[k % a.size()];
    difference |= static_cast<unsigned char>(other) ^ static_cast<unsigned char>(b[k]);
  }
  return difference == 0;
}

Guard::Guard(int port, std::string token, std::size_t most_body_bytes, std::vector<Route> routes)
    : port_(port), token_(std::move(token)), most_body_bytes_(most_body_bytes), routes_(std::move(routes)) {}

bool Guard::is_our_host(std::string_view given) const {
  const std::string host = lower_case(given);
  for (const char* name : {"127.0.0.1", "localhost"})
    if (host == fmt::format("{}:{}", name, port_) || (port_ == 80 && host == name)) return true;
  return false;
}

std::optional<Reply> Guard::refuse(const RequestHeaders& head) const {
  const auto host = head.header("Host");
  if (!host || !is_our_host(*host))
    return refusal(403, fmt::format("the Host of a request must be 127.0.0.1:{} or localhost:{}", port_, port_));
  const auto origins = head.all("Origin");
  if (std::ranges::any_of(origins, [&](const std::string& origin) {
        return !lower_case(origin).starts_with("http://") || !is_our_host(std::string_view(origin).substr(7));
      }))
    return refusal(403, "requests of other sites' pages are refused");
  const bool is_api = head.path.starts_with("/api/");
  const auto token = head.header("X-Wordsway-Token");
  // Before the path is looked up: without the token nobody learns what there is.
  if (is_api && (!token || !equal_in_constant_time(*token, token_)))
    return refusal(403,
                   "the header X-Wordsway-Token is missing or wrong: it is what stands behind the # of the "
                   "address that the program has printed");
  const auto route = std::ranges::find(routes_, head.path, &Route::path);
  if (route == routes_.end()) return refusal(404, "there is nothing at this address");
  const bool same = head.method == route->method || (head.method == "HEAD" && route->method == "GET" && !is_api);
  if (!same) {
    Reply reply = refusal(405, fmt::format("this address takes {} alone", route->method));
    reply.headers.emplace_back("Allow", route->method);
    return reply;
  }
  return head.method == "POST" ? refuse_body(head) : std::nullopt;
}

std::optional<Reply> Guard::refuse_body(const RequestHeaders& head) const {
  const auto type = head.header("Content-Type");
  if (!type || !is_json(*type)) return refusal(415, "the body of a request must be application/json");
  if (!head.all("Content-Encoding").empty()) return refusal(415, "the body of a request must not be compressed");
  const auto lengths = head.all("Content-Length");
  if (lengths.empty() || !head.all("Transfer-Encoding").empty())
    return refusal(411, "the request must say how long its body is, in Content-Length");
  const auto length = lengths.size() == 1 ? length_of(lengths.front()) : std::nullopt;
  if (!length) return refusal(400, "Content-Length is no number");
  if (*length > most_body_bytes_)
    return refusal(413, fmt::format("the body has {} bytes; at most {} are taken", *length, most_body_bytes_));
  return std::nullopt;
}

}  // namespace wordsway::serve
