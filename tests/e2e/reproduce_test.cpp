// The figures by one command: files, verdicts, exit codes, resuming.
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>

#include "cuda/on_the_device.h"
#include "support/bytes.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/sanitized.h"
#include "support/temporary_folder.h"
#include "wordsway/draw/print_svg.h"
#include "wordsway/io/journal.h"

namespace wordsway::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// These figures train or run models for minutes under a sanitizer; what they are made of is tested by itself.
constexpr const char* kTooSlow = "takes minutes under a sanitizer";

class ReproduceTest : public testing::Test {
 protected:
  ProgramResult reproduce(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"reproduce", "--profile", "quick", "-o", out_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_wordsway(arguments);
  }
  std::string file(const std::string& name) const { return read_bytes(folder_.path("out") / name); }

  TemporaryFolder folder_;
  std::string out_ = folder_.path("out").string();
};

TEST_F(ReproduceTest, WritesReportFiguresTablesAndJournals) {
  const ProgramResult result = reproduce({"raf", "raf-relu"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(file("report.html"), AllOf(HasSubstr("<svg"), HasSubstr("does not decay with n")));
  for (const char* name : {"raf", "raf-relu"}) {
    EXPECT_THAT(file(std::string("figures/") + name + "-1.svg"), HasSubstr("<svg"));
    if (can_print()) {
      EXPECT_THAT(file(std::string("figures/") + name + "-1.pdf"), HasSubstr("%PDF"));
    }
    EXPECT_THAT(file(std::string("figures/") + name + ".csv"), HasSubstr("sensitivity"));
    EXPECT_THAT(file(std::string(name) + ".jsonl"), HasSubstr("\"wordsway\""));
  }
  EXPECT_THAT(result.out, HasSubstr("holds  The word sensitivity of softmax attention does not decay with n."));
}

TEST_F(ReproduceTest, ExitsWith1NamingAVerdictThatFailsAndStillWritesEverything) {
  ASSERT_EQ(reproduce({"raf"}).exit_code, 0);
  // Sensitivities that fall as 1/n, in the place of those that were measured.
  const JournalContent journal = read_journal(folder_.path("out") / "raf.jsonl");
  std::string lines = header_line(journal.header) + "\n";
  for (const JournalRow& row : journal.rows) {
    Record fallen = row.record;
    fallen.set("sensitivity", fallen.number("sensitivity") / fallen.number("n"));
    lines += row_line(fallen, journal.header.fingerprint) + "\n";
  }
  write_bytes(folder_.path("out") / "raf.jsonl", lines);
  std::filesystem::remove(folder_.path("out") / "report.html");
  const ProgramResult result = reproduce({"raf"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("raf: The word sensitivity of softmax attention does not decay with n."));
  EXPECT_THAT(file("report.html"), HasSubstr("<svg"));
}

TEST_F(ReproduceTest, ShowsPromptsWithTheirAnswersAndCountsHeldOutOnes) {
  if (kSanitized) GTEST_SKIP() << kTooSlow;
  const ProgramResult result = reproduce({"answers"});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(file("report.html"),
              AllOf(HasSubstr("I admired what I saw"), HasSubstr("I despised what I saw"),
                    HasSubstr("Yes, because of the word admired."), HasSubstr("No, because of the word despised."),
                    HasSubstr("By kind of question")));
  EXPECT_THAT(file("figures/answers-1.svg"), HasSubstr("divergence"));
  EXPECT_THAT(file("figures/answers-2.svg"), HasSubstr("the word decides: both right"));
  const std::string report = folder_.path("report").string();
  EXPECT_EQ(run_wordsway({"report", (folder_.path("out") / "answers.jsonl").string(), "-o", report}).exit_code, 0);
}

TEST_F(ReproduceTest, SaysWhatCanBeLearntOfOneWord) {
  if (kSanitized) GTEST_SKIP() << kTooSlow;
  const ProgramResult result = reproduce({"one-word-task"});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(file("report.html"), AllOf(HasSubstr("Test pairs at n = 100"), HasSubstr("was not measured")));
  EXPECT_THAT(file("figures/one-word-task-1.svg"), HasSubstr("accuracy on unseen pairs"));
  const std::string report = folder_.path("report").string();
  EXPECT_EQ(run_wordsway({"report", (folder_.path("out") / "one-word-task.jsonl").string(), "-o", report}).exit_code,
            0);
}

TEST_F(ReproduceTest, MeasuresEncodersThatDifferInTheirNormaliser) {
  if (kSanitized) GTEST_SKIP() << kTooSlow;
  const ProgramResult result = reproduce({"trained-normalisers"});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(file("report.html"), AllOf(HasSubstr("Both seeds at n = 200"), HasSubstr("softmax, β = 0.25")));
  EXPECT_THAT(file("figures/trained-normalisers-4.svg"), HasSubstr("share predicted right"));
  const std::string report = folder_.path("report").string();
  const std::string journal = (folder_.path("out") / "trained-normalisers.jsonl").string();
  EXPECT_EQ(run_wordsway({"report", journal, "-o", report}).exit_code, 0);
}

TEST_F(ReproduceTest, GoesOnFromItsJournals) {
  ASSERT_EQ(reproduce({"raf"}).exit_code, 0);
  const std::string journal = file("raf.jsonl");
  const size_t cut = journal.rfind('\n', journal.size() - 2) + 1;
  write_bytes(folder_.path("out") / "raf.jsonl", journal.substr(0, cut));
  const ProgramResult result = reproduce({"raf"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(file("raf.jsonl").substr(0, cut), journal.substr(0, cut));
}

TEST_F(ReproduceTest, SaysWhatItWouldTake) {
  const ProgramResult result = reproduce({"raf", "--dry-run", "--format", "csv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("figure,points,trials,expected_seconds"), HasSubstr("\nall,")));
  EXPECT_FALSE(std::filesystem::exists(out_));
}

// The first column of the estimates, without the header and the sum.
std::vector<std::string> figures_of(const std::string& csv) {
  std::vector<std::string> names;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) names.push_back(line.substr(0, line.find(',')));
  EXPECT_GE(names.size(), 2U) << csv;
  return {names.begin() + 1, names.end() - 1};
}

TEST_F(ReproduceTest, TakesTheNumberOfAFigureOfThePaperForAllThatBelongToIt) {
  const auto asked = [&](std::vector<std::string> names) {
    names.insert(names.end(), {"--dry-run", "--format", "csv"});
    const ProgramResult result = reproduce(names);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return figures_of(result.out);
  };
  EXPECT_THAT(asked({"1"}), ElementsAre("attention-words", "answers"));
  EXPECT_THAT(asked({"fig2"}), ElementsAre("random-features", "deep-random-features"));
  EXPECT_THAT(asked({"3"}), ElementsAre("raf", "raf-relu", "layers", "attract"));
  EXPECT_THAT(asked({"fig5", "4"}), ElementsAre("generalization", "penalty"));
  EXPECT_THAT(asked({"raf", "fig3", "normalisers", "3"}),
              ElementsAre("raf", "raf-relu", "layers", "attract", "normalisers"));
}

// The program with models beside it as a wheel has them: without those of the figure trained-normalisers.
class ReproduceFromAWheelTest : public ReproduceTest {
 protected:
  void SetUp() override {
    ReproduceTest::SetUp();
    const std::filesystem::path prefix = folder_.path("wheel"), models = prefix / "share/wordsway/models";
    std::filesystem::create_directories(prefix / "bin");
    std::filesystem::create_directories(models);
    for (const char* name : {"builtin", "builtin-decoder"})
      std::filesystem::create_directory_symlink(source_folder() / "models" / name, models / name);
    program_ = prefix / "bin/wordsway";
    std::filesystem::copy_file(program_path(), program_);
  }
  ProgramResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), program_.string());
    return RunningProgram(arguments, {{"WORDSWAY_DATA", folder_.path("nowhere").string()}}).finish();
  }

  const std::string left_out_ =
      "the figure trained-normalisers is left out: its twelve small encoders do not come with";
  std::filesystem::path program_;
};

TEST_F(ReproduceFromAWheelTest, LeavesOutTheFigureWhoseModelsAreMissing) {
  if (kSanitized) GTEST_SKIP() << "trying out every figure takes too long under a sanitizer";
  const ProgramResult result = run({"reproduce", "--profile", "quick", "-o", out_, "--dry-run", "--format", "csv"});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.err, HasSubstr(left_out_));
  EXPECT_THAT(figures_of(result.out), AllOf(Not(Contains("trained-normalisers")), Contains("words-needed")));
}

TEST_F(ReproduceFromAWheelTest, SaysWhereItLookedForModelsOfAFigureThatIsAskedForByName) {
  const ProgramResult result = run({"reproduce", "raf", "trained-normalisers", "--profile", "quick", "-o", out_});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, AllOf(HasSubstr("'normalisers/softmax-0.25-seed-1' was not found; looked in"),
                                HasSubstr(folder_.path("nowhere").string()), Not(HasSubstr("left out")),
                                Not(HasSubstr((source_folder() / "models").string()))));
}

TEST_F(ReproduceFromAWheelTest, ListsNeitherTheFigureNorTheModels) {
  const ProgramResult figures = run({"list", "figures", "--format", "csv"}), models = run({"list", "models"});
  EXPECT_EQ(figures.exit_code, 0);
  EXPECT_THAT(figures.err, HasSubstr(left_out_));
  EXPECT_THAT(figures.out, AllOf(Not(HasSubstr("trained-normalisers,")), HasSubstr("words-needed,")));
  EXPECT_EQ(models.exit_code, 0);
  EXPECT_THAT(models.out, AllOf(HasSubstr("-m builtin-decoder "), Not(HasSubstr("builtin-relu-seed-1"))));
  EXPECT_THAT(run_wordsway({"list", "figures", "--format", "csv"}).out, HasSubstr("\ntrained-normalisers,"));
}

TEST_F(ReproduceTest, RefusesADeviceThatIsNotThereBeforeAnythingIsWritten) {
  if (why_not().empty()) GTEST_SKIP() << "the device is there";
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"raf"}, {"answers"}, {"raf", "--dry-run"}, {"--precision", "tf32"}}) {
    std::vector<std::string> arguments = more;
    arguments.insert(arguments.end(), {"--device", "cuda"});
    const ProgramResult result = reproduce(arguments);
    EXPECT_EQ(result.exit_code, 2) << more.front();
    EXPECT_THAT(result.err, HasSubstr("leave --device cpu")) << more.front();
    EXPECT_EQ(result.out, "") << more.front();
    EXPECT_FALSE(std::filesystem::exists(out_)) << more.front();
  }
}

TEST_F(ReproduceTest, TakesTheProcessorByNameAndRefusesAPrecisionOfIt) {
  EXPECT_EQ(reproduce({"raf", "--device", "cpu", "--dry-run"}).exit_code, 0);
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--precision", "bf16"}, {"--precision", "f32", "--device", "cpu"}}) {
    const ProgramResult result = reproduce(more);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("--precision is for products on a GPU and needs --device cuda"));
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(std::filesystem::exists(out_));
  }
}

TEST_F(ReproduceTest, ExitsWith2OnWhatItDoesNotKnow) {
  for (const char* name : {"6", "fig6", "fig0", "fig", "03", "fig33", "figure3"}) {
    const ProgramResult result = reproduce({name});
    EXPECT_EQ(result.exit_code, 2) << name;
    EXPECT_THAT(result.err, AllOf(HasSubstr("unknown figure"), HasSubstr("fig5"))) << name;
  }
  EXPECT_EQ(reproduce({"nonsense"}).exit_code, 2);
  EXPECT_EQ(reproduce({"raf", "--profile", "enormous"}).exit_code, 2);
}

}  // namespace
}  // namespace wordsway::test
