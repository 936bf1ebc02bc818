// The server behind `wordsway serve`: the page, and what it asks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "serve/http_server.h"
#include "serve/served_models.h"

namespace wordsway::serve {

struct PageServerOptions {
  int port = 0;  // 0: a free one
  std::string version = {};
  HttpLimits limits = {};
};

class PageServer {
 public:
  /// Binds to 127.0.0.1. Throws SystemError when the port is taken.
  PageServer(std::vector<ModelPlace> models, PageServerOptions options);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  /// "http://127.0.0.1:PORT/#TOKEN".
  std::string address() const;
  int port() const;
  const std::string& token() const;

  /// Serves until stop(), or until the page asks to quit.
  void run();
  void stop();

 private:
  class Handler;
  std::unique_ptr<Handler> handler_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace wordsway::serve
