// The program under mpirun: any number of ranks gives the same rows, and a rank that dies loses none.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>

#include "support/journals.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "wordsway/io/npy.h"
#include "wordsway/run/machine.h"

namespace wordsway::test {
namespace {

bool built_with_mpi() {
  return *build_information().find("mpi") == Value(true);
}

using testing::HasSubstr;

const std::map<std::string, std::string> kEnvironment = {
    {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    {"LSAN_OPTIONS", "detect_leaks=0"},  // for `make asan`: Open MPI leaves memory behind, in modules it has unloaded
};

std::vector<std::string> under_mpi(int ranks, std::vector<std::string> arguments) {
  std::vector<std::string> command = {"mpirun", "--oversubscribe", "-n", std::to_string(ranks),
                                      program_path().string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

ProgramResult mpirun(int ranks, std::vector<std::string> arguments) {
  return RunningProgram(under_mpi(ranks, std::move(arguments)), kEnvironment).finish();
}

std::vector<std::string> study(int trials, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {
      "measure", "--map",  "raf",      "--n",  "6,12", "--d", "16", "--trials", std::to_string(trials),
      "--data",  "sphere", "--format", "jsonl"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

// A rank of an mpirun: a grandchild of this test.
pid_t find_rank(pid_t mpirun) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    pid_t pid = 0, parent = 0;
    std::string name;
    char state = 0;
    if (file >> pid >> name >> state >> parent && parent == mpirun && name == "(wordsway)") {
      std::ifstream environment(entry.path() / "environ", std::ios::binary);
      const std::string all((std::istreambuf_iterator<char>(environment)), {});
      if (all.find("OMPI_COMM_WORLD_RANK=1") != std::string::npos) return pid;
    }
  }
  return -1;
}

class MpiTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!built_with_mpi()) GTEST_SKIP() << "built without MPI";
    if (RunningProgram({"mpirun", "--version"}).finish().exit_code != 0) GTEST_SKIP() << "there is no mpirun";
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path("run.jsonl");
};

TEST_F(MpiTest, GivesTheSameRowsOnAnyNumberOfRanksAndThreads) {
  const auto expected = timeless_rows(run_wordsway(study(20)).out);
  ASSERT_EQ(expected.size(), 40U);
  for (const int ranks : {1, 2, 3})
    for (const char* threads : {"1", "2"}) {
      const ProgramResult result = mpirun(ranks, study(20, {"--threads", threads}));
      EXPECT_EQ(result.exit_code, 0) << result.err;
      EXPECT_TRUE(timeless_rows(result.out) == expected) << ranks << " ranks, " << threads << " threads";
    }
}

TEST_F(MpiTest, WritesOneJournalThatAnyNumberOfRanksResumes) {
  const auto expected = timeless_rows(run_wordsway(study(20)).out);
  const auto arguments = study(20, {"--out", path_.string()});
  ASSERT_EQ(mpirun(3, arguments).exit_code, 0);
  EXPECT_TRUE(timeless_rows_of(path_) == expected);
  const ProgramResult again = run_wordsway(arguments);
  EXPECT_THAT(again.err, HasSubstr("40 of 40 trials are there already"));
  EXPECT_TRUE(timeless_rows(again.out) == expected);
}

TEST_F(MpiTest, ReproducesTheSameFigures) {
  const auto reproduce = [&](const char* out) {
    return std::vector<std::string>{"reproduce", "raf",   "attention-words", "--profile",
                                    "quick",     "--out", folder_.path(out), "--quiet"};
  };
  ASSERT_EQ(run_wordsway(reproduce("alone")).exit_code, 0);
  const ProgramResult ranks = mpirun(2, reproduce("ranks"));
  ASSERT_EQ(ranks.exit_code, 0) << ranks.err;
  EXPECT_TRUE(std::filesystem::exists(folder_.path("ranks/report.html")));
  for (const char* figure : {"raf.jsonl", "attention-words.jsonl"}) {
    const auto expected = timeless_rows_of(folder_.path(std::string("alone/") + figure));
    EXPECT_FALSE(expected.empty());
    EXPECT_TRUE(timeless_rows_of(folder_.path(std::string("ranks/") + figure)) == expected) << figure;
  }
}

TEST_F(MpiTest, SharesTheTextsOfAFolderOfAttention) {
  const auto attention = [&](const char* out) {
    return std::vector<std::string>{"attention", "a fine film", "bad",   "I love her smile", "--layer",  "all",
                                    "--head",    "all",         "--out", folder_.path(out),  "--format", "jsonl"};
  };
  const ProgramResult alone = run_wordsway(attention("alone")), ranks = mpirun(2, attention("ranks"));
  EXPECT_EQ(ranks.exit_code, 0) << ranks.err;
  EXPECT_EQ(ranks.out, alone.out) << "the digests of the files are among it";
  EXPECT_EQ(mpirun(2, {"attention", "a film", "--format", "json"}).out,
            run_wordsway({"attention", "a film", "--format", "json"}).out);
}

TEST_F(MpiTest, PrintsOnce) {
  const ProgramResult wrong = mpirun(3, {"measure", "--map", "nothing"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(wrong.err.find("unknown map 'nothing'"), wrong.err.rfind("unknown map 'nothing'"));
  EXPECT_THAT(wrong.err, HasSubstr("unknown map 'nothing'"));
  const ProgramResult list = mpirun(3, {"list", "maps", "--format", "csv"});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_EQ(list.out, run_wordsway({"list", "maps", "--format", "csv"}).out);
}

// Trials of several milliseconds, so that the run is sure to be under way when the rank is killed: a rank holds a
// trial until the last one is handed in, and that trial is lost with it.
TEST_F(MpiTest, LosesNoRowWhenARankDies) {
  const std::vector<std::string> slow = {"measure", "--map",    "raf",      "--n",      "120,240",
                                         "--d",     "192",      "--trials", "150",      "--data",
                                         "sphere",  "--starts", "8",        "--format", "jsonl"};
  std::vector<std::string> arguments = slow;
  arguments.insert(arguments.end(), {"--out", path_.string()});
  RunningProgram program(under_mpi(3, arguments), kEnvironment);
  std::error_code ignored;
  for (int k = 0; k < 300'000; ++k) {  // under a sanitizer it takes minutes
    if (std::filesystem::exists(path_) && std::filesystem::file_size(path_, ignored) > 10'000) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const pid_t rank = find_rank(program.pid());
  ASSERT_GT(rank, 0);
  kill(rank, SIGKILL);
  EXPECT_NE(program.finish().exit_code, 0);
  const auto kept = timeless_rows_of(path_);
  EXPECT_GT(kept.size(), 10U);
  EXPECT_LT(kept.size(), 300U);
  const ProgramResult resumed = mpirun(2, arguments);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  const auto expected = timeless_rows(run_wordsway(slow).out);
  EXPECT_TRUE(timeless_rows(resumed.out) == expected);
  EXPECT_TRUE(std::includes(expected.begin(), expected.end(), kept.begin(), kept.end()));
}

TEST(WithoutMpiTest, RefusesALauncher) {
  if (built_with_mpi()) GTEST_SKIP() << "this build has MPI";
  const ProgramResult result =
      RunningProgram(wordsway_command({"list", "maps"}), {{"OMPI_COMM_WORLD_SIZE", "2"}}).finish();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("without MPI"));
}

// Two ranks, each in a folder of its own with another x.npy.
TEST_F(MpiTest, RefusesRanksThatSeeDifferentData) {
  for (const int rank : {0, 1}) {
    std::filesystem::create_directory(folder_.path(std::to_string(rank)));
    std::vector<double> values(2 * 4 * 5, 0.5);
    values[0] += rank;
    write_npy(folder_.path(std::to_string(rank)) / "x.npy", values, {2, 4, 5});
  }
  const auto command = [&](const char* second) {
    std::vector<std::string> result = {"mpirun", "--oversubscribe"};
    for (const char* rank : {"0", second}) {
      if (result.size() > 2) result.emplace_back(":");
      for (const std::string& word :
           std::vector<std::string>{"-n", "1", "-wdir", folder_.path(rank).string(), program_path().string(), "measure",
                                    "--x", "x.npy", "--trials", "20", "--format", "jsonl", "--out", path_.string()})
        result.push_back(word);
    }
    return result;
  };
  const ProgramResult different = RunningProgram(command("1"), kEnvironment).finish();
  EXPECT_EQ(different.exit_code, 3);
  EXPECT_THAT(different.err, HasSubstr("the samples are others than those of the first process"));
  EXPECT_FALSE(std::filesystem::exists(path_)) << "ranks are compared before any work";
  const ProgramResult same = RunningProgram(command("0"), kEnvironment).finish();
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_EQ(timeless_rows(same.out).size(), 20U);
}

// A command that shares no work runs in the first process alone: the others do not even look for the model.
TEST_F(MpiTest, LeavesUnsharedWorkToTheFirstProcess) {
  std::filesystem::create_directory(folder_.path("elsewhere"));
  std::filesystem::copy(source_folder() / "models/builtin", folder_.path("M"));
  std::vector<std::string> command = {"mpirun", "--oversubscribe"};
  for (const char* place : {".", "elsewhere"}) {
    if (command.size() > 2) command.emplace_back(":");
    for (const std::string& word :
         std::vector<std::string>{"-n", "1", "-wdir", folder_.path(place).string(), program_path().string(), "tokenize",
                                  "-m", "M", "a film", "--format", "json"})
      command.push_back(word);
  }
  const ProgramResult result = RunningProgram(command, kEnvironment).finish();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\"film\""));
}

}  // namespace
}  // namespace wordsway::test
