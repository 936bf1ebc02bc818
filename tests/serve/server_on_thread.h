// The page's server as tests ask it.
#pragma once

#include <map>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "serve/page_server.h"
#include "serve/raw_client.h"
#include "support/places.h"

namespace wordsway::test {

// A server on a thread of its own, with the built-in models.
class ServerOnThread {
 public:
  explicit ServerOnThread(serve::HttpLimits limits = {})
      : server_(serve::named_places({source_folder() / "tests/golden/generation/llama"},
                                    {{"builtin", source_folder() / "models/builtin"},
                                     {"builtin-decoder", source_folder() / "models/builtin-decoder"}}),
                {0, "1.2.3", limits}),
        thread_([this] { server_.run(); }) {}
  ~ServerOnThread() {
    server_.stop();
    thread_.join();
  }

  int port() const { return server_.port(); }
  const std::string& token() const { return server_.token(); }
  RawClient connect() const { return RawClient(port()); }

  using Headers = std::map<std::string, std::string>;

  // What a well-meaning page sends, with these headers changed; one that is empty is left out.
  std::string request(const std::string& method, const std::string& path, const std::string& body = "",
                      const Headers& changed = {}) const {
    Headers headers = {{"Host", fmt::format("127.0.0.1:{}", port())}};
    if (path.starts_with("/api/")) headers["X-Wordsway-Token"] = token();
    if (method == "POST") {
      headers["Content-Type"] = "application/json";
      headers["Content-Length"] = std::to_string(body.size());
    }
    for (const auto& [name, value] : changed) headers[name] = value;
    std::string text = method + " " + path + " HTTP/1.1\r\n";
    for (const auto& [name, value] : headers)
      if (!value.empty()) text += name + ": " + value + "\r\n";
    return text + "\r\n" + body;
  }

  Answer ask(const std::string& method, const std::string& path, const std::string& body = "",
             const Headers& changed = {}) const {
    return ask_raw(request(method, path, body, changed));
  }
  Answer ask_raw(const std::string& bytes) const {
    RawClient client(port());
    client.send(bytes);
    return parse_answer(client.receive());
  }
  // The result of an endpoint.
  nlohmann::json post(const std::string& endpoint, const nlohmann::json& arguments) const {
    const Answer answer = ask("POST", "/api/" + endpoint, arguments.dump());
    return nlohmann::json::parse(answer.body);
  }

 private:
  serve::PageServer server_;
  std::thread thread_;
};

}  // namespace wordsway::test
