// The command: its first line, and how it ends.
#include <csignal>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "serve/raw_client.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace wordsway::test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

// A server that was started as people start it. Its output goes to a file, where the first line is looked for.
class ServeCommand : public testing::Test {
 protected:
  void start(const std::string& more = "") {
    const std::string command = "exec " + program_path().string() + " serve --no-open " + more + " >" + out().string();
    program_ =
        std::make_unique<RunningProgram>(std::vector<std::string>{"/bin/sh", "-c", command},
                                         std::map<std::string, std::string>{}, [] { std::signal(SIGINT, SIG_DFL); });
    for (int k = 0; k < 60'000 && address().empty(); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_THAT(address(), MatchesRegex("http://127\\.0\\.0\\.1:[0-9]+/#[0-9a-f]+"));
  }

  // ThreadSanitizer keeps a signal back while accept() waits, and a connection ends that wait. Elsewhere the server may
  // be gone by then, and nothing is connected.
  int exit_code_after(int signal) {
    program_->signal(signal);
    const RawClient visitor(port());
    return program_->finish().exit_code;
  }

  std::filesystem::path out() const { return folder_.path("out"); }
  // The first line, once it is whole.
  std::string address() const {
    std::ifstream file(out());
    std::string line;
    return std::getline(file, line) && !file.eof() ? line : "";
  }
  int port() const { return std::stoi(address().substr(17)); }
  std::string token() const { return address().substr(address().find('#') + 1); }

  TemporaryFolder folder_;
  std::unique_ptr<RunningProgram> program_;
};

TEST_F(ServeCommand, PrintsItsAddressAndEndsWith0WhenThePageQuits) {
  start();
  RawClient client(port());
  client.send(
      fmt::format("POST /api/quit HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX-Wordsway-Token: {}\r\n"
                  "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}",
                  port(), token()));
  EXPECT_EQ(parse_answer(client.receive()).status, 200);
  EXPECT_EQ(program_->finish().exit_code, 0);
}

TEST_F(ServeCommand, EndsWith130WhenInterruptedThoughSomebodyIsConnected) {
  start();
  const RawClient idle(port());
  EXPECT_EQ(exit_code_after(SIGINT), 130);
}

TEST_F(ServeCommand, APortThatIsTakenIsRefusedWithASentence) {
  start();
  const ProgramResult second = run_wordsway({"serve", "--no-open", "--port", std::to_string(port())});
  EXPECT_EQ(second.exit_code, 4);
  EXPECT_THAT(second.err, HasSubstr(fmt::format("port {} of 127.0.0.1", port())));
  EXPECT_EQ(exit_code_after(SIGTERM), 130);
}

TEST_F(ServeCommand, AModelThatCannotBeReadIsRefusedBeforeTheAddressIsPrinted) {
  for (const std::string& model :
       {std::string("nobody/knows-it"), std::string("/nope"), std::string("/nope.gguf"), folder_.path("").string()}) {
    const ProgramResult result = run_wordsway({"serve", "--no-open", "-m", model});
    EXPECT_EQ(result.exit_code, 4) << model;
    EXPECT_EQ(result.out, "") << model;
    EXPECT_THAT(result.err, HasSubstr(model));
  }
}

}  // namespace
}  // namespace wordsway::test
