// Studies that are killed at any moment, again and again, and resumed: the rows are those of a run that was left alone.
//
// `make test` kills a few times (ResumeTest kills twenty more); with WORDSWAY_FAULTS=all it is 200 times.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <unistd.h>

#include "faults/run_outcome.h"
#include "support/temporary_folder.h"

namespace wordsway::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct KilledStudy {
  std::string name;
  std::vector<std::string> arguments;
  int kills, all_kills;
};

void PrintTo(const KilledStudy& study, std::ostream* out) {
  *out << study.name;
}

class KillTest : public testing::TestWithParam<KilledStudy> {
 protected:
  std::unique_ptr<RunningProgram> start(const std::string& folder) const {
    const std::string place = root_.path(folder).string();
    return std::make_unique<RunningProgram>(wordsway_command(GetParam().arguments),
                                            std::map<std::string, std::string>{}, [&] {
                                              if (chdir(place.c_str()) != 0) _exit(126);
                                            });
  }
  // What a killed program was writing stays behind under its temporary name.
  RunOutcome finish(const std::string& folder) const {
    RunOutcome outcome = outcome_of(start(folder)->finish(), root_.path(folder));
    std::erase_if(outcome.files, [](const auto& file) { return file.first.ends_with(".tmp"); });
    return outcome;
  }
  void make_empty(const std::string& folder) const {
    fs::remove_all(root_.path(folder));
    fs::create_directory(root_.path(folder));
  }

  TemporaryFolder root_;
};

TEST_P(KillTest, RowsAreThoseOfARunThatWasLeftAlone) {
  const char* wanted = std::getenv("WORDSWAY_FAULTS");
  const int kills = wanted != nullptr && std::string(wanted) == "all" ? GetParam().all_kills : GetParam().kills;
  make_empty("reference");
  const auto begin = Clock::now();
  const RunOutcome reference = finish("reference");
  const auto needed = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
  ASSERT_EQ(reference.exit_code, 0) << reference.err;

  std::mt19937 random(20240);
  std::uniform_int_distribution<long> moment(0, needed.count());
  make_empty("run");
  int killed = 0;
  for (int attempt = 0; killed < kills; ++attempt) {
    ASSERT_LT(attempt, 20 * kills) << "it is never running when it is to be killed";
    const auto program = start("run");
    std::this_thread::sleep_for(std::chrono::microseconds(moment(random)));
    program->signal(SIGKILL);
    if (program->finish().exit_code == 128 + SIGKILL && ++killed % 5 != 0) continue;
    // It came to its end before, or has been killed five times: now it is let go on, and another begins from nothing.
    const RunOutcome resumed = finish("run");
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    ASSERT_EQ(difference(resumed, reference), "") << "after " << killed << " kills";
    make_empty("run");
  }
}

INSTANTIATE_TEST_SUITE_P(
    EveryStudy, KillTest,
    testing::Values(KilledStudy{"measure",
                                {"measure", "--map", "raf,rf", "--n", "6,12", "--d", "16", "--trials", "100", "--data",
                                 "sphere", "--format", "jsonl", "--threads", "2", "--out", "run.jsonl"},
                                5,
                                100},
                    KilledStudy{"generalize",
                                {"generalize", "--n", "5", "--d", "8", "--train-size", "20,30", "--trials", "30",
                                 "--data", "sphere", "--format", "jsonl", "--threads", "2", "--out", "run.jsonl"},
                                5,
                                60},
                    KilledStudy{
                        "reproduce", {"reproduce", "raf", "--profile", "quick", "--threads", "2", "-o", "out"}, 5, 40}),
    [](const auto& study) { return study.param.name; });

}  // namespace
}  // namespace wordsway::test
