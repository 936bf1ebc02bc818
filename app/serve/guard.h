// Who may ask what: the checks that every request passes before its body is read.
//
// A page of another site in the same browser can send requests to 127.0.0.1, and a name of another site can be made to
// mean 127.0.0.1 (DNS rebinding). So the Host must be ours, an Origin must be ours, and what computes needs the token
// that only the page of this start knows, in a header that no form can send.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/http_server.h"

namespace wordsway::serve {

/// 32 hexadecimal digits of the system's randomness. Throws SystemError when there is none.
std::string new_token();

/// Whether the texts are equal, in a time that does not depend on where they differ.
bool equal_in_constant_time(std::string_view a, std::string_view b);

/// An address that can be asked for.
struct Route {
  std::string path;
  std::string method;  // "GET" (HEAD too) or "POST"
  bool needs_token = true;
};

class Guard {
 public:
  Guard(int port, std::string token, std::size_t most_body_bytes, std::vector<Route> routes);

  /// The refusal: 403 foreign Host or Origin, or no or a wrong token; 404 no such path; 405 another method; 411 a body
  /// without a length; 413 too large; 415 another type than JSON. Nothing where the request is fine.
  std::optional<Reply> refuse(const RequestHeaders& head) const;

 private:
  bool is_our_host(std::string_view host) const;
  std::optional<Reply> refuse_body(const RequestHeaders& head) const;

  int port_;
  std::string token_;
  std::size_t most_body_bytes_;
  std::vector<Route> routes_;
};

}  // namespace wordsway::serve
