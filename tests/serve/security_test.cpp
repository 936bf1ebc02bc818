// Who gets which answer: the table of docs/serve.md, by raw sockets.
#include <gmock/gmock.h>

#include "serve/guard.h"
#include "serve/server_on_thread.h"
#include "support/bytes.h"

namespace wordsway::test {
namespace {

using testing::HasSubstr;
using testing::Not;

serve::HttpLimits impatient() {
  serve::HttpLimits limits;
  limits.request_time = std::chrono::milliseconds(300);
  return limits;
}

class ServeSecurity : public testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = new ServerOnThread; }
  static void TearDownTestSuite() { delete std::exchange(server_, nullptr); }

  static int status(const std::string& method, const std::string& path, const ServerOnThread::Headers& changed = {}) {
    const Answer answer = server_->ask(method, path, method == "POST" ? R"({"text": "a"})" : "", changed);
    EXPECT_TRUE(answer.status < 400 || !answer.error().empty());
    return answer.status;
  }

  static inline ServerOnThread* server_ = nullptr;
};

TEST_F(ServeSecurity, WellMeaningRequestsAreAnswered) {
  EXPECT_EQ(status("GET", "/"), 200);
  EXPECT_EQ(status("HEAD", "/"), 200);
  EXPECT_EQ(status("GET", "/?view=words"), 200);
  EXPECT_EQ(status("GET", "/api/models"), 200);
  EXPECT_EQ(status("POST", "/api/tokenize"), 200);
  EXPECT_EQ(status("POST", "/api/tokenize", {{"Content-Type", "application/json; charset=utf-8"}}), 200);
}

TEST_F(ServeSecurity, AForeignHostIs403) {
  const std::string port = std::to_string(server_->port());
  for (const char* name : {"localhost", "LOCALHOST", "LocalHost"})
    EXPECT_EQ(status("GET", "/", {{"Host", fmt::format("{}:{}", name, port)}}), 200) << name;
  const std::vector<std::string> foreign = {"",
                                            "evil.example",
                                            "evil.example:" + port,
                                            "127.0.0.1",
                                            "127.0.0.1:1",
                                            "127.0.0.1.evil.example:" + port,
                                            "localhost",
                                            "[::1]:" + port,
                                            "0.0.0.0:" + port,
                                            "127.0.0.1:" + port + ".evil.example",
                                            "127.0.0.1:" + port + "@evil.example"};
  for (const std::string& host : foreign) {
    EXPECT_EQ(status("GET", "/", {{"Host", host}}), 403) << host;
    EXPECT_EQ(status("POST", "/api/tokenize", {{"Host", host}}), 403) << host;
  }
  EXPECT_EQ(server_->ask_raw("GET / HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nHost: evil.example\r\n\r\n").status,
            403);
}

TEST_F(ServeSecurity, AForeignOriginIs403) {
  const std::string port = std::to_string(server_->port());
  EXPECT_EQ(status("POST", "/api/tokenize", {{"Origin", "http://127.0.0.1:" + port}}), 200);
  for (const std::string& origin :
       {std::string("http://evil.example"), std::string("null"), "https://127.0.0.1:" + port,
        std::string("http://127.0.0.1:1"), "http://127.0.0.1:" + port + "/", "file://127.0.0.1:" + port})
    EXPECT_EQ(status("POST", "/api/tokenize", {{"Origin", origin}}), 403) << origin;
}

TEST_F(ServeSecurity, NoOrAWrongTokenIs403AndSaysNothingAboutPaths) {
  std::string other = server_->token();
  other.back() = other.back() == '0' ? '1' : '0';
  for (const std::string& token : {std::string(), other, server_->token() + "0", server_->token().substr(1),
                                   std::string(5000, 'a'), server_->token() + ", " + server_->token()}) {
    EXPECT_EQ(status("POST", "/api/tokenize", {{"X-Wordsway-Token", token}}), 403);
    EXPECT_EQ(status("POST", "/api/nothing", {{"X-Wordsway-Token", token}}), 403);
    EXPECT_EQ(status("GET", "/api/models", {{"X-Wordsway-Token", token}}), 403);
    EXPECT_EQ(status("POST", "/api/quit", {{"X-Wordsway-Token", token}}), 403);
  }
}

TEST_F(ServeSecurity, TheTokenIsNewWithEveryStartAndIn128Bits) {
  EXPECT_THAT(server_->token(), testing::MatchesRegex("[0-9a-f]{32}"));
  EXPECT_NE(serve::new_token(), serve::new_token());
  EXPECT_TRUE(serve::equal_in_constant_time("ab", "ab"));
  for (const char* other : {"", "a", "abc", "aa", "abab"}) EXPECT_FALSE(serve::equal_in_constant_time(other, "ab"));
  EXPECT_TRUE(serve::equal_in_constant_time("", ""));
}

TEST_F(ServeSecurity, AnotherContentTypeIs415) {
  for (const char* type : {"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                           "application/jsonx", "text/plain; application/json"})
    EXPECT_EQ(status("POST", "/api/tokenize", {{"Content-Type", type}}), 415) << type;
  EXPECT_EQ(status("POST", "/api/tokenize", {{"Content-Encoding", "gzip"}}), 415);
}

TEST_F(ServeSecurity, AnotherMethodIs405) {
  for (const char* method : {"PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "POST"})
    EXPECT_EQ(status(method, "/"), 405) << method;
  for (const char* method : {"GET", "PUT", "OPTIONS"}) EXPECT_EQ(status(method, "/api/words"), 405) << method;
  EXPECT_EQ(status("POST", "/api/models"), 405);
  EXPECT_EQ(server_->ask("PUT", "/").header("Allow"), "GET");
}

TEST_F(ServeSecurity, TricksWithPathsAre404) {
  for (const char* path : {"/nothing", "/../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd",
                           "//etc/passwd", "/index.html/..", "/style.css%00.html", "/style.css/", "/%00",
                           "/page/index.html", "/.", "/api", "/index.HTML", "/%ff%fe"})
    EXPECT_EQ(status("GET", path), 404) << path;
  EXPECT_EQ(status("POST", "/api/../api/words"), 404);
  EXPECT_EQ(status("POST", "/api/words/"), 404);
}

TEST_F(ServeSecurity, ABodyThatIsTooLargeIs413WithoutBeingRead) {
  EXPECT_EQ(status("POST", "/api/tokenize", {{"Content-Length", "2097153"}}), 413);
  EXPECT_EQ(status("POST", "/api/tokenize", {{"Content-Length", "18446744073709551615"}}), 413);
  EXPECT_EQ(server_->ask("POST", "/api/tokenize", std::string(3 << 20, 'x')).status, 413);
}

TEST_F(ServeSecurity, ALengthThatIsNoneIs400AndAMissingOne411) {
  for (const char* length : {"-1", "abc", "1x", "99999999999999999999", "1, 1"})
    EXPECT_EQ(status("POST", "/api/tokenize", {{"Content-Length", length}}), 400) << length;
  EXPECT_EQ(status("POST", "/api/tokenize", {{"Content-Length", ""}}), 411);
  EXPECT_EQ(status("POST", "/api/tokenize", {{"Transfer-Encoding", "chunked"}}), 411);
}

TEST_F(ServeSecurity, WhatIsNoHttpIs400) {
  for (const char* bytes :
       {"hello\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\r\n\r\n", "GET /\r\n\r\n", "BREW / HTTP/1.1\r\n\r\n"})
    EXPECT_EQ(server_->ask_raw(bytes).status, 400) << bytes;
}

TEST_F(ServeSecurity, AHeaderLineThatIsNoneIs400) {
  const std::string host = "Host: 127.0.0.1:" + std::to_string(server_->port()) + "\r\n";
  EXPECT_EQ(server_->ask_raw("GET / HTTP/1.1\r\n" + host + "X:\r\nY: \r\nZ::\r\n\r\n").status, 200);
  for (const char* line : {"no colon\r\n", "X\r\n", ": value\r\n", "X : value\r\n", " folded: value\r\n", "\tX: y\r\n",
                           "X: value\n", "X\n", " \r\n"}) {
    const Answer answer = server_->ask_raw("GET / HTTP/1.1\r\n" + host + line + "\r\n");
    EXPECT_EQ(answer.status, 400) << line;
    EXPECT_THAT(answer.error(), HasSubstr("name: value")) << line;
    EXPECT_EQ(server_->ask_raw("GET / HTTP/1.1\r\n" + std::string(line) + host + "\r\n").status, 400) << line;
  }
}

TEST_F(ServeSecurity, AHeadThatIsTooLargeIsRefused) {
  std::string many = "GET / HTTP/1.1\r\n";
  for (int k = 0; k < 3000; ++k) many += fmt::format("X-{}: {}\r\n", k, std::string(20, 'x'));
  EXPECT_EQ(server_->ask_raw(many + "\r\n").status, 431);
  EXPECT_EQ(server_->ask_raw("GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n").status, 431);
  EXPECT_EQ(server_->ask_raw("GET /" + std::string(20'000, 'x') + " HTTP/1.1\r\nHost: x\r\n\r\n").status, 414);
}

TEST_F(ServeSecurity, ASecondRequestOnAConnectionIsNeverRead) {
  const std::string two = server_->request("GET", "/") + server_->request("GET", "/");
  RawClient client = server_->connect();
  client.send(two);
  const std::string answers = client.receive();
  EXPECT_EQ(answers.find("HTTP/1.1", 1), std::string::npos);
  EXPECT_EQ(parse_answer(answers).header("Connection"), "close");
}

TEST_F(ServeSecurity, EveryAnswerHasTheHeadersThatKeepOthersOut) {
  for (const Answer& answer : {server_->ask("GET", "/"), server_->ask("GET", "/api/models"),
                               server_->ask("GET", "/nothing"), server_->ask("POST", "/api/tokenize", "{")}) {
    EXPECT_THAT(answer.header("Content-Security-Policy"), HasSubstr("default-src 'none'"));
    EXPECT_THAT(answer.header("Content-Security-Policy"), Not(HasSubstr("unsafe")));
    EXPECT_EQ(answer.header("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(answer.header("Referrer-Policy"), "no-referrer");
    EXPECT_EQ(answer.header("Access-Control-Allow-Origin"), "");
  }
}

TEST(ServeSource, OneFileKnowsTheHttpLibrary) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_folder() / "app"))
    if (entry.is_regular_file() && read_bytes(entry.path()).find("#include <httplib.h>") != std::string::npos) ++files;
  EXPECT_EQ(files, 1);
}

// Slow and many.

TEST(ServePatience, ASlowSenderIs408AndASilentOneIsLeft) {
  const ServerOnThread server(impatient());
  RawClient in_head = server.connect(), in_body = server.connect(), silent = server.connect();
  in_head.send("GET / HTTP/1.1\r\nHost: 127");
  const std::string request = server.request("POST", "/api/tokenize", R"({"text": "slow"})");
  in_body.send(request.substr(0, request.size() - 3));
  EXPECT_EQ(parse_answer(in_head.receive()).status, 408);
  const Answer late = parse_answer(in_body.receive());
  EXPECT_EQ(late.status, 408);
  EXPECT_THAT(late.error(), HasSubstr("0.3 seconds"));
  EXPECT_EQ(silent.receive(), "");
}

TEST(ServePatience, ADripOfBytesDoesNotKeepAConnection) {
  const ServerOnThread server(impatient());
  RawClient client = server.connect();
  for (int k = 0; k < 200 && !client.has_answer(); ++k) {
    client.send("X");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(parse_answer(client.receive()).status, 408);
}

TEST(ServePatience, Of200ConnectionsThoseBeyondTheLimitAre503AndTheServerGoesOn) {
  serve::HttpLimits limits;
  limits.connections = 64;
  const ServerOnThread server(limits);
  std::vector<RawClient> clients;
  for (int k = 0; k < 200; ++k) clients.push_back(server.connect());
  for (size_t k = 64; k < clients.size(); ++k) {
    ASSERT_TRUE(clients[k].connected());
    clients[k].send(server.request("GET", "/"));
    EXPECT_EQ(parse_answer(clients[k].receive()).status, 503) << k;
  }
  // Connections within the limit are answered.
  for (size_t k = 0; k < 64; ++k) {
    clients[k].send(server.request("GET", "/"));
    EXPECT_EQ(parse_answer(clients[k].receive()).status, 200) << k;
  }
  clients.clear();
  Answer again = server.ask("GET", "/");
  for (int k = 0; k < 1000 && again.status == 503; ++k) {  // threads that end need a moment
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    again = server.ask("GET", "/");
  }
  EXPECT_EQ(again.status, 200);
}

}  // namespace
}  // namespace wordsway::test
