#include "serve/page_server.h"

#include <algorithm>
#include <map>
#include <system_error>

#include <fmt/format.h>

#include "serve/endpoints.h"
#include "serve/guard.h"
#include "serve/job_queue.h"
#include "serve/page_files.h"
#include "wordsway/core/error.h"
#include "wordsway/io/json.h"

namespace wordsway::serve {
namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds kLookAtClient{20};  // how often a client is looked at while it waits
constexpr std::size_t kMostTabName = 64;

// An error as an answer and an event tell it.
struct Failure {
  int status;
  const char* kind;
  std::string sentence;
};

Failure failure_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const UsageError& error) {
    return {400, "usage", error.what()};
  } catch (const DataError& error) {
    return {422, "data", error.what()};
  } catch (const FileError& error) {
    return {500, "file", error.what()};
  } catch (const Stopped& error) {
    return {409, "stopped", error.what()};
  } catch (const SystemError& error) {
    return {503, "internal", error.what()};
  } catch (const std::bad_alloc&) {
    return {503, "internal", "the system refused memory; a shorter text needs less"};
  } catch (const std::exception& error) {
    return {500, "internal", error.what()};
  } catch (...) {
    return {500, "internal", "an unknown error ended the computation"};
  }
}

Reply reply_of(const Failure& failure) {
  return refusal(failure.status, failure.sentence);
}

std::string as_text(const Event& event) {
  return fmt::format("event: {}\ndata: {}\n\n", event.name, event.json);
}

const std::vector<std::pair<std::string, std::string>>& usual_headers() {
  static const std::vector<std::pair<std::string, std::string>> headers = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
       "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cross-Origin-Opener-Policy", "same-origin"}};
  return headers;
}

Reply with_usual_headers(Reply reply) {
  reply.headers.insert(reply.headers.end(), usual_headers().begin(), usual_headers().end());
  const bool has_cache =
      std::ranges::any_of(reply.headers, [](const auto& one) { return one.first == "Cache-Control"; });
  if (!has_cache) reply.headers.emplace_back("Cache-Control", "no-store");
  return reply;
}

bool accepts(const RequestHeaders& head, std::string_view name, std::string_view value) {
  return std::ranges::any_of(head.all(name),
                             [&](const std::string& given) { return given.find(value) != std::string::npos; });
}

// "/" and "/NAME".
std::string path_of(const PageFile& file) {
  return file.name == "index.html" ? "/" : "/" + std::string(file.name);
}

Reply file_reply(const PageFile& file, const RequestHeaders& head) {
  const bool packed = accepts(head, "Accept-Encoding", "gzip");
  const std::string tag = fmt::format("\"{}{}\"", file.digest.substr(0, 32), packed ? "-gzip" : "");
  Reply reply;
  reply.type = type_of(file.name);
  reply.headers = {{"ETag", tag}, {"Cache-Control", "no-cache"}, {"Vary", "Accept-Encoding"}};
  if (accepts(head, "If-None-Match", tag)) {
    reply.status = 304;
  } else if (packed) {
    reply.headers.emplace_back("Content-Encoding", "gzip");
    reply.body.assign(reinterpret_cast<const char*>(file.gzip.data()), file.gzip.size());
  } else {
    reply.body = content_of(file);
  }
  return reply;
}

}  // namespace

class PageServer::Handler final : public HttpHandler {
 public:
  Handler(std::vector<ModelPlace> models, PageServerOptions options)
      : options_(std::move(options)), models_(std::move(models)), token_(new_token()) {
    for (const PageFile& file : page_files()) files_[path_of(file)] = &file;
    for (Endpoint& endpoint : endpoints(models_)) {
      const std::string path = "/api/" + endpoint.name;
      endpoints_.emplace(path, std::move(endpoint));
    }
  }

  // Once the port is known.
  void open(int port, std::function<void()> quit) {
    std::vector<Route> routes = {{"/api/models", "GET"}, {"/api/quit", "POST"}};
    for (const auto& [path, file] : files_) routes.push_back({path, "GET", false});
    for (const auto& [path, endpoint] : endpoints_) routes.push_back({path, "POST"});
    guard_ = std::make_unique<Guard>(port, token_, options_.limits.body_bytes, std::move(routes));
    quit_ = std::move(quit);
  }

  const std::string& token() const { return token_; }

  std::optional<Reply> refuse(const RequestHeaders& head) override {
    auto refused = guard_->refuse(head);
    return refused ? std::optional(with_usual_headers(std::move(*refused))) : std::nullopt;
  }

  Reply answer(const RequestHeaders& head, std::string body, const Client& client) override {
    try {
      return with_usual_headers(reply_to(head, body, client));
    } catch (...) {
      return with_usual_headers(reply_of(failure_of(std::current_exception())));
    }
  }

 private:
  Reply reply_to(const RequestHeaders& head, const std::string& body, const Client& client) {
    if (const auto file = files_.find(head.path); file != files_.end()) return file_reply(*file->second, head);
    Reply reply;
    if (head.path == "/api/models") {
      reply.body = models_json(models_, options_.version, options_.limits.body_bytes);
      return reply;
    }
    if (head.path == "/api/quit") {
      reply.body = "{\"quit\": true}";
      reply.then = quit_;
      return reply;
    }
    const Endpoint& endpoint = endpoints_.at(head.path);
    RequestArguments arguments(body);
    Prepared prepared = endpoint.prepare(arguments);
    const bool as_events = accepts(head, "Accept", "text/event-stream");
    if (endpoint.is_quick) {
      auto job = std::make_shared<Job>("", endpoint.name, prepared.what, nullptr);
      std::string result = prepared.work(*job);
      reply.body = as_events ? as_text({"result", std::move(result)}) : std::move(result);
      if (as_events) reply.type = "text/event-stream";
      return reply;
    }
    const std::string tab = head.header("X-Wordsway-Tab").value_or("").substr(0, kMostTabName);
    const auto waiting = std::make_shared<const WaitingClient>(
        queue_, queue_.submit(tab, endpoint.name, std::move(prepared.what), std::move(prepared.work)));
    if (!as_events) return plain(*waiting, client);
    reply.type = "text/event-stream";
    reply.stream = [this, waiting](BodyWriter& writer, const Client& reader) { stream(*waiting, writer, reader); };
    return reply;
  }

  // The result alone, once it is there.
  static Reply plain(const WaitingClient& waiting, const Client& client) {
    while (!waiting.job().ended()) {
      waiting.job().next(kLookAtClient);
      if (client.gone()) waiting.give_up();
    }
    Reply reply;
    reply.body = waiting.job().take_result();
    return reply;
  }

  // Everything the job tells, as it comes, and signs of life between.
  void stream(const WaitingClient& waiting, BodyWriter& writer, const Client& client) const {
    Job& job = waiting.job();
    auto last = std::chrono::steady_clock::now();
    bool fine = true;
    while (!job.ended()) {
      const auto event = job.next(kLookAtClient);
      const auto now = std::chrono::steady_clock::now();
      std::string text = event ? as_text(*event) : "";
      if (text.empty() && now - last >= options_.limits.between_signs) text = ":\n\n";
      if (!fine) continue;  // only the end is waited for
      if (!text.empty()) {
        fine = writer.write(text);
        last = now;
      }
      if (fine) fine = !client.gone();
      if (!fine) waiting.give_up();
    }
    if (fine) writer.write(as_text(last_event(job)));
  }

  static Event last_event(Job& job) {
    try {
      return {"result", job.take_result()};
    } catch (...) {
      const Failure failure = failure_of(std::current_exception());
      return {"error", to_json(Record{{"kind", failure.kind}, {"message", failure.sentence}})};
    }
  }

  PageServerOptions options_;
  ServedModels models_;
  std::string token_;
  std::map<std::string, const PageFile*> files_;
  std::map<std::string, Endpoint> endpoints_;
  std::unique_ptr<Guard> guard_;
  std::function<void()> quit_;
  JobQueue queue_;  // last: its work uses the models
};

PageServer::PageServer(std::vector<ModelPlace> models, PageServerOptions options)
    : handler_(std::make_unique<Handler>(std::move(models), options)),
      server_(std::make_unique<HttpServer>(*handler_, options.port, options.limits)) {
  handler_->open(server_->port(), [this] { stop(); });
}

PageServer::~PageServer() = default;

std::string PageServer::address() const {
  return fmt::format("http://127.0.0.1:{}/#{}", port(), token());
}
int PageServer::port() const {
  return server_->port();
}
const std::string& PageServer::token() const {
  return handler_->token();
}
void PageServer::run() {
  server_->run();
}
void PageServer::stop() {
  server_->stop();
}

}  // namespace wordsway::serve
