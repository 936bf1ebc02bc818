#include "serve/http_server.h"

#include <atomic>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "serve/raw_client.h"
#include "wordsway/core/error.h"

namespace wordsway::test {
namespace {

using testing::HasSubstr;

// Answers with what it was asked; /stream goes on until the client is gone, /throw throws.
class Echo final : public serve::HttpHandler {
 public:
  std::optional<serve::Reply> refuse(const serve::RequestHeaders& head) override {
    if (head.path == "/refused") return serve::refusal(403, "no");
    return std::nullopt;
  }

  serve::Reply answer(const serve::RequestHeaders& head, std::string body, const serve::Client& client) override {
    if (head.path == "/throw") throw std::runtime_error("thrown");
    serve::Reply reply;
    if (head.path == "/stream") {
      reply.type = "text/event-stream";
      reply.stream = [this](serve::BodyWriter& writer, const serve::Client& reader) {
        ++streams;
        while (writer.write(":\n\n") && !reader.gone()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        --streams;
      };
    } else if (head.path == "/wait") {
      ++streams;
      while (!client.gone()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      --streams;
    } else {
      reply.body = head.method + " " + head.path + " " + head.header("x-name").value_or("-") + " " + body;
    }
    if (head.path == "/then") reply.then = [this] { ++then; };
    return reply;
  }

  std::atomic<int> streams{0}, then{0};
};

class HttpServerTest : public testing::Test {
 protected:
  explicit HttpServerTest(serve::HttpLimits limits = {})
      : server_(echo_, 0, limits), thread_([this] { server_.run(); }) {}
  ~HttpServerTest() override {
    server_.stop();
    thread_.join();
  }

  Answer ask(const std::string& bytes) const {
    RawClient client(server_.port());
    client.send(bytes);
    return parse_answer(client.receive());
  }

  void wait_for_streams(int count) const {
    for (int k = 0; k < 60'000 && echo_.streams != count; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_EQ(echo_.streams, count);
  }

  Echo echo_;
  serve::HttpServer server_;
  std::thread thread_;
};

TEST_F(HttpServerTest, HandsOverPathHeadersAndBody) {
  EXPECT_EQ(ask("POST /a%20b?c=d HTTP/1.1\r\nX-Name: me\r\nContent-Length: 3\r\n\r\nxyz").body, "POST /a b me xyz");
  EXPECT_EQ(ask("GET /a HTTP/1.1\r\nX-Name: me\r\nx-name: you\r\n\r\n").body, "GET /a - ") << "twice is as none";
}

TEST_F(HttpServerTest, ABodyInPiecesIsPutTogether) {
  RawClient client(server_.port());
  for (const char* piece : {"POST /a HT", "TP/1.1\r\nContent-Le", "ngth: 6\r\n\r", "\nab", "cd", "ef"}) {
    client.send(piece);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(parse_answer(client.receive()).body, "POST /a - abcdef");
}

TEST_F(HttpServerTest, WhatAHandlerThrowsIs500AndTheServerGoesOn) {
  EXPECT_EQ(ask("GET /throw HTTP/1.1\r\n\r\n").status, 500);
  EXPECT_EQ(ask("GET /refused HTTP/1.1\r\n\r\n").error(), "no");
  EXPECT_EQ(ask("GET /a HTTP/1.1\r\n\r\n").status, 200);
}

TEST_F(HttpServerTest, AStreamEndsWhenTheClientGoes) {
  std::vector<RawClient> clients;
  for (int k = 0; k < 8; ++k) {
    clients.emplace_back(server_.port());
    clients.back().send(k % 2 == 0 ? "GET /stream HTTP/1.1\r\n\r\n" : "GET /wait HTTP/1.1\r\n\r\n");
  }
  wait_for_streams(8);
  clients.clear();
  wait_for_streams(0);
}

TEST_F(HttpServerTest, StopsThoughClientsAreConnected) {
  RawClient stream(server_.port()), waiting(server_.port()), idle(server_.port()), half(server_.port());
  stream.send("GET /stream HTTP/1.1\r\n\r\n");
  waiting.send("GET /wait HTTP/1.1\r\n\r\n");
  half.send("GET /");
  wait_for_streams(2);
  server_.stop();
  wait_for_streams(0);
}

TEST_F(HttpServerTest, DoesWhatComesAfterAnAnswerOnceItIsSent) {
  EXPECT_EQ(ask("GET /then HTTP/1.1\r\n\r\n").status, 200);
  for (int k = 0; k < 60'000 && echo_.then == 0; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(echo_.then, 1);
}

TEST_F(HttpServerTest, ManyClientsAtOnceGetTheirOwnAnswers) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 16; ++t)
    threads.emplace_back([&, t] {
      for (int k = 0; k < 10; ++k) {
        const std::string body = fmt::format("{} of {}", k, t);
        const Answer answer = ask(fmt::format("POST /a HTTP/1.1\r\nContent-Length: {}\r\n\r\n{}", body.size(), body));
        if (answer.body == "POST /a - " + body) ++right;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 160);
}

class SmallServer : public HttpServerTest {
 protected:
  SmallServer() : HttpServerTest(limits()) {}
  static serve::HttpLimits limits() {
    serve::HttpLimits result;
    result.connections = 4;
    result.request_time = std::chrono::milliseconds(200);
    return result;
  }
};

TEST_F(SmallServer, RefusesWhoIsTooManyAndDropsWhoIsTooSlow) {
  std::vector<RawClient> slow;
  for (int k = 0; k < 4; ++k) {
    slow.emplace_back(server_.port());
    slow.back().send("GET /");
  }
  int refused = 0;
  for (int k = 0; k < 50; ++k) refused += ask("GET /a HTTP/1.1\r\n\r\n").status == 503 ? 1 : 0;
  EXPECT_GT(refused, 0);
  for (RawClient& client : slow) EXPECT_EQ(parse_answer(client.receive()).status, 408);
  Answer again;
  for (int k = 0; k < 1000 && again.status != 200; ++k) again = ask("GET /a HTTP/1.1\r\n\r\n");
  EXPECT_EQ(again.status, 200);
}

TEST(HttpServer, APortThatIsTakenIsASentence) {
  Echo echo;
  const serve::HttpServer first(echo, 0);
  EXPECT_THROW(serve::HttpServer(echo, first.port()), SystemError);
}

TEST(HttpServer, StoppedBeforeItRunsItDoesNotBegin) {
  Echo echo;
  serve::HttpServer server(echo, 0);
  server.stop();
  server.run();
}

}  // namespace
}  // namespace wordsway::test
