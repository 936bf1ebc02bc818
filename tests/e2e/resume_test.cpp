// Studies of the real program that are killed, interrupted, run out of disk or meet files of others.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include "support/bytes.h"
#include "support/journals.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "wordsway/io/npy.h"

namespace wordsway::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ResumeTest : public testing::Test {
 protected:
  // Well under a millisecond a trial.
  std::vector<std::string> study(int trials, const char* threads = "2") const {
    return {
        "measure", "--map",  "raf",      "--n",   "6,12",      "--d",   "16",    "--trials",    std::to_string(trials),
        "--data",  "sphere", "--format", "jsonl", "--threads", threads, "--out", path_.string()};
  }
  ProgramResult run(int trials, const char* threads = "2") const { return run_wordsway(study(trials, threads)); }

  std::uintmax_t journal_size() const {
    std::error_code ignored;
    const auto size = std::filesystem::file_size(path_, ignored);
    return ignored ? 0 : size;
  }
  // Until the program has written something, so that what follows happens during its study.
  void wait_for_rows(std::uintmax_t before) const {
    for (int k = 0; k < 20'000 && journal_size() < before + 2000; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::vector<std::string> uninterrupted(int trials) const {
    std::vector<std::string> arguments = study(trials);
    arguments.resize(arguments.size() - 2);
    return timeless_rows(run_wordsway(arguments).out);
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path("run.jsonl");
};

TEST_F(ResumeTest, SurvivesTwentyKillsAtAnyMoment) {
  constexpr int kTrials = 4000, kKills = 20;
  std::mt19937 random(20240);
  for (int kill = 0; kill < kKills; ++kill) {
    const auto before = journal_size();
    RunningProgram program(wordsway_command(study(kTrials)));
    if (kill % 4 != 0) wait_for_rows(before);  // some are to die before their first row
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 5000));
    program.signal(SIGKILL);
    ASSERT_EQ(program.finish().exit_code, 128 + SIGKILL) << "the study was over before kill " << kill;
  }
  const ProgramResult last = run(kTrials);
  ASSERT_EQ(last.exit_code, 0) << last.err;
  EXPECT_THAT(last.err, HasSubstr("are there already and are skipped"));
  const auto expected = uninterrupted(kTrials);
  ASSERT_EQ(expected.size(), 2U * kTrials);
  EXPECT_TRUE(timeless_rows(last.out) == expected);
  EXPECT_TRUE(timeless_rows_of(path_) == expected);
}

TEST_F(ResumeTest, GivesTheSameRowsOnAnyNumberOfThreads) {
  const auto expected = uninterrupted(20);
  for (const char* threads : {"1", "2", "4"}) {
    std::filesystem::remove(path_);
    EXPECT_TRUE(timeless_rows(run(20, threads).out) == expected) << threads;
  }
}

TEST_F(ResumeTest, DoesNothingWhenEverythingIsThere) {
  ASSERT_EQ(run(5).exit_code, 0);
  const std::string journal = read_bytes(path_);
  const ProgramResult again = run(5);
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.err, HasSubstr("10 of 10 trials are there already"));
  EXPECT_EQ(read_bytes(path_), journal);
  EXPECT_TRUE(timeless_rows(again.out) == uninterrupted(5));
}

TEST_F(ResumeTest, DropsATornLineAndSaysSo) {
  ASSERT_EQ(run(5).exit_code, 0);
  std::filesystem::resize_file(path_, journal_size() - 30);
  const ProgramResult again = run(5);
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.err, AllOf(HasSubstr("torn"), HasSubstr("9 of 10 trials")));
  EXPECT_TRUE(timeless_rows_of(path_) == uninterrupted(5));
}

TEST_F(ResumeTest, FinishesWhatIsInFlightOnCtrlC) {
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove(path_);
    RunningProgram program(wordsway_command(study(2000)));
    wait_for_rows(0);
    program.signal(signal);
    const ProgramResult stopped = program.finish();
    EXPECT_EQ(stopped.exit_code, 130);
    EXPECT_EQ(stopped.out, "");
    EXPECT_THAT(stopped.err, HasSubstr("run the same command again to go on"));
    EXPECT_EQ(read_bytes(path_).back(), '\n') << "no row is torn";
  }
  EXPECT_EQ(run(2000).exit_code, 0);
  EXPECT_TRUE(timeless_rows_of(path_) == uninterrupted(2000));
}

TEST_F(ResumeTest, StopsAtOnceOnASecondCtrlC) {
  // One trial that takes minutes.
  RunningProgram program(wordsway_command({"measure", "--n", "600", "--d", "512", "--token", "all", "--trials", "1",
                                           "--starts", "50", "--out", path_.string()}));
  while (journal_size() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  program.signal(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  program.signal(SIGINT);
  EXPECT_EQ(program.finish().exit_code, 130);
}

TEST_F(ResumeTest, ExitsWith4OnAFullDiskAndGoesOnWhenThereIsRoom) {
  const auto small_disk = [] {
    const struct rlimit limit = {20'000, 20'000};
    setrlimit(RLIMIT_FSIZE, &limit);
  };
  const ProgramResult full = RunningProgram(wordsway_command(study(100)), {}, small_disk).finish();
  EXPECT_EQ(full.exit_code, 4);
  EXPECT_THAT(full.err, AllOf(HasSubstr("run.jsonl"), HasSubstr("File too large")));
  EXPECT_LE(journal_size(), 20'000U);
  const auto kept = timeless_rows_of(path_);
  EXPECT_GT(kept.size(), 20U);
  EXPECT_EQ(read_bytes(path_).back(), '\n') << "the row that did not fit leaves nothing behind";
  EXPECT_EQ(run(100).exit_code, 0);
  const auto all = timeless_rows_of(path_);
  EXPECT_TRUE(std::includes(all.begin(), all.end(), kept.begin(), kept.end()));
  EXPECT_TRUE(all == uninterrupted(100));
}

TEST_F(ResumeTest, ExitsWith4WhereNothingCanBeWritten) {
  path_ = folder_.path("absent/run.jsonl");
  const ProgramResult result = run(5);
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(result.out, "");
  path_ = "/dev/full";
  EXPECT_EQ(run(5).exit_code, 4);
}

TEST_F(ResumeTest, RefusesAJournalOfAnotherRunWith2) {
  ASSERT_EQ(run(5).exit_code, 0);
  const std::string journal = read_bytes(path_);
  const ProgramResult other = run(6);
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("its trials is 5, this run's is 6"));
  EXPECT_EQ(read_bytes(path_), journal);

  const ProgramResult foreign = run_wordsway({"generalize", "--data", "sphere", "--n", "6", "--d", "16", "--train-size",
                                              "4", "--trials", "1", "--out", path_.string()});
  EXPECT_EQ(foreign.exit_code, 2);
  EXPECT_THAT(foreign.err, HasSubstr("its command is measure, this run's is generalize"));
  EXPECT_EQ(read_bytes(path_), journal);
}

TEST_F(ResumeTest, RefusesAJournalThatWasEditedWith3) {
  ASSERT_EQ(run(5).exit_code, 0);
  const std::string journal = read_bytes(path_);
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"\"command\": \"measure\"", "\"command\": \"reproduce\""},
                                                        {"\"trials\": 5", "\"trials\": 6"},
                                                        {"\"sensitivity\": ", "\"sensitivity\": 1"},
                                                        {"\"converged\": true", "\"converged\": null"}}) {
    std::string edited = journal;
    write_bytes(path_, edited.replace(edited.find(from), from.size(), to));
    const std::string before = read_bytes(path_);
    const ProgramResult again = run(5);
    EXPECT_EQ(again.exit_code, 3) << from;
    EXPECT_THAT(again.err, HasSubstr("checksum does not fit"));
    EXPECT_EQ(run_wordsway({"report", path_.string(), "-o", folder_.path("report").string()}).exit_code, 3);
    EXPECT_EQ(read_bytes(path_), before);
  }
}

TEST_F(ResumeTest, NeverWritesOverAFileThatIsNoJournal) {
  write_bytes(path_, "my thesis\n");
  EXPECT_EQ(run(5).exit_code, 3);
  EXPECT_EQ(read_bytes(path_), "my thesis\n");
}

TEST_F(ResumeTest, RefusesASecondWriter) {
  RunningProgram first(wordsway_command(study(2000)));
  wait_for_rows(0);
  const ProgramResult second = run(2000);
  EXPECT_EQ(second.exit_code, 4);
  EXPECT_THAT(second.err, HasSubstr("another wordsway"));
}

TEST_F(ResumeTest, KeepsAFailedTrialAsARowAndGoesOn) {
  // The second of three samples has a zero row.
  std::vector<double> X(3 * 4 * 5, 0.5);
  std::fill_n(X.begin() + 4 * 5, 5, 0.0);
  const auto file = folder_.path("x.npy");
  write_npy(file, X, {3, 4, 5});
  const std::vector<std::string> arguments = {"measure", "--x",   file.string(), "--format",
                                              "jsonl",   "--out", path_.string()};
  const ProgramResult result = run_wordsway(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("1 of 3 trials failed"));
  EXPECT_EQ(timeless_rows(result.out).size(), 3U);
  EXPECT_THAT(result.out, HasSubstr("\"failure\": \""));
  EXPECT_EQ(run_wordsway({"measure", "--x", file.string()}).exit_code, 0) << "the table does without it";

  std::fill(X.begin(), X.end(), 0.0);
  write_npy(file, X, {3, 4, 5});
  const ProgramResult changed = run_wordsway(arguments);
  EXPECT_EQ(changed.exit_code, 2) << "the data are no longer those of the journal";
  EXPECT_THAT(changed.err, HasSubstr("the samples are others than those of this journal"));
  const ProgramResult all = run_wordsway({"measure", "--x", file.string()});
  EXPECT_EQ(all.exit_code, 3);
  EXPECT_EQ(all.out, "");
  EXPECT_THAT(all.err, HasSubstr("all 3 trials failed"));
}

TEST_F(ResumeTest, RefusesAbsurdSizesInOneSentence) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"measure", "--n", "1000000000"},
                                                                     {"measure", "--d", "100000000"},
                                                                     {"measure", "--n", "1000", "--memory", "1M"},
                                                                     {"measure", "--n", "1000000000", "--dry-run"}}) {
    const ProgramResult result = run_wordsway(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("of memory and"));
    EXPECT_THAT(result.err, Not(HasSubstr("bad_alloc")));
  }
  EXPECT_EQ(run_wordsway({"measure", "--memory", "many"}).exit_code, 2);
}

}  // namespace
}  // namespace wordsway::test
