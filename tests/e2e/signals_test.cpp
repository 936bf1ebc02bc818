// Signals that end the program: it leaves with 130 and leaves nothing half-written.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "support/bytes.h"
#include "support/run_program.h"
#include "support/sanitized.h"
#include "support/temporary_folder.h"

namespace wordsway::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void rest(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

// Waits until `holds`, or a minute.
template <typename Condition>
bool wait_until(const Condition& holds) {
  for (int k = 0; k < 60'000; ++k) {
    if (holds()) return true;
    rest(1);
  }
  return false;
}

// From then on a signal is the program's own business.
bool catches(pid_t program, int signal) {
  std::ifstream status("/proc/" + std::to_string(program) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("SigCgt:", 0) == 0) return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
  return false;
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int k = 0; k < times; ++k) result += text;
  return result;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    names.push_back(entry.path().lexically_relative(folder).string());
  std::sort(names.begin(), names.end());
  return names;
}

class SignalTest : public testing::Test {
 protected:
  // Sends the signal once the program listens and has worked for a while.
  static ProgramResult interrupt(const std::vector<std::string>& arguments, int signal) {
    RunningProgram program(wordsway_command(arguments));
    EXPECT_TRUE(wait_until([&] { return catches(program.pid(), signal); }));
    rest(150);
    program.signal(signal);
    return program.finish();
  }

  TemporaryFolder inputs_, folder_;
};

TEST_F(SignalTest, EveryCommandThatComputesLeavesWith130) {
  const std::string text = repeated("the film was good and long ", 60);  // minutes of words
  const fs::path corpus = inputs_.path("corpus.txt");
  write_bytes(corpus, repeated(text + "\n", 2000));
  const std::string file = folder_.path("out.npy").string(), chart = folder_.path("out.svg").string();
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"words", text, "--chart", chart},
                                             {"layers", text, "--direction", "ascent", "--chart", chart},
                                             {"attention", "-i", corpus.string(), "--chart", chart},
                                             {"embed", "-i", corpus.string(), "--pool", "mean", "--out", file}})
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      const ProgramResult result = interrupt(arguments, signal);
      EXPECT_EQ(result.exit_code, 130) << arguments[0] << ' ' << signal << result.err;
      EXPECT_EQ(result.out, "") << arguments[0];
      EXPECT_THAT(result.err, HasSubstr("wordsway: interrupted\n"));
      EXPECT_THAT(names_in(folder_.folder()), IsEmpty()) << arguments[0];
    }
}

TEST_F(SignalTest, ACommandThatWaitsForItsInputLeavesToo) {
  if (kThreadSanitized) GTEST_SKIP() << "ThreadSanitizer holds a signal back while a thread waits in read()";
  const fs::path input = inputs_.path("input.txt");
  ASSERT_EQ(mkfifo(input.c_str(), 0600), 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    RunningProgram program(wordsway_command({"tokenize", "-i", input.string()}));
    const int writer = open(input.c_str(), O_WRONLY);  // waits until the program reads
    program.signal(signal);
    EXPECT_EQ(program.finish().exit_code, 130);
    close(writer);
  }
}

TEST_F(SignalTest, AStudyIsLeftInOrderOnEachOfThem) {
  const fs::path journal = folder_.path("run.jsonl");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    fs::remove(journal);
    RunningProgram program(wordsway_command(
        {"measure", "--n", "6,12", "--d", "16", "--trials", "100000", "--data", "sphere", "--out", journal.string()}));
    ASSERT_TRUE(wait_until([&] { return fs::exists(journal) && fs::file_size(journal) > 3000; }));
    program.signal(signal);
    const ProgramResult result = program.finish();
    EXPECT_EQ(result.exit_code, 130);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("run the same command again to go on"));
    EXPECT_EQ(read_bytes(journal).back(), '\n');
  }
}

TEST_F(SignalTest, NohupStaysInForce) {
  RunningProgram program(
      wordsway_command({"measure", "--n", "6,12", "--d", "16", "--trials", "500", "--data", "sphere"}), {},
      [] { std::signal(SIGHUP, SIG_IGN); });
  EXPECT_TRUE(wait_until([&] { return catches(program.pid(), SIGTERM); }));
  program.signal(SIGHUP);
  EXPECT_EQ(program.finish().exit_code, 0);
}

TEST_F(SignalTest, AFileThatIsBeingWrittenGoes) {
  const fs::path weights = folder_.path("w.npy");
  bool caught = false;
  for (int attempt = 0; attempt < 20 && !caught; ++attempt) {
    RunningProgram program(
        wordsway_command({"measure", "--map", "raf", "--n", "2", "--d", "2500", "--trials", "1", "--data", "sphere",
                          "--starts", "1", "--steps", "1", "--weights-out", weights.string()}));
    ASSERT_TRUE(wait_until([&] { return !names_in(folder_.folder()).empty(); }));
    program.signal(SIGTERM);
    const ProgramResult result = program.finish();
    caught = result.exit_code == 130;
    if (caught) {
      EXPECT_THAT(names_in(folder_.folder()), IsEmpty());
    } else {
      EXPECT_EQ(result.exit_code, 0) << result.err;
      EXPECT_THAT(names_in(folder_.folder()), ElementsAre("w.npy"));
    }
    fs::remove(weights);
  }
  EXPECT_TRUE(caught);
}

}  // namespace
}  // namespace wordsway::test
