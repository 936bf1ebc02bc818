#include "wordsway/run/run_study.h"

#include <atomic>

#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/small_study.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/core/kernels.h"
#include "wordsway/core/parallel.h"
#include "wordsway/io/journal.h"
#include "wordsway/io/journal_writer.h"
#include "wordsway/run/machine.h"

namespace wordsway {
namespace {

using test::SmallStudy;
using testing::Contains;
using testing::HasSubstr;
using testing::ThrowsMessage;

class RunStudyTest : public testing::Test {
 protected:
  void SetUp() override { set_thread_count(4); }

  RunOptions with_journal() {
    RunOptions options;
    options.journal = path_;
    options.remark = [this](const std::string& text) { remarks_.push_back(text); };
    return options;
  }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path("run.jsonl");
  std::vector<std::string> remarks_;
  SmallStudy study_;
};

TEST_F(RunStudyTest, GivesRowsInTheOrderOfTasksWhateverTheThreads) {
  study_.rows_each = 3;
  set_thread_count(1);
  const auto expected = run_study(study_).rows;
  ASSERT_EQ(expected.size(), 30U);
  for (const int threads : {2, 4, 16}) {
    set_thread_count(threads);
    EXPECT_EQ(run_study(study_).rows, expected);
  }
}

TEST_F(RunStudyTest, SkipsWhatTheJournalHolds) {
  const auto expected = run_study(study_, with_journal()).rows;
  std::atomic<int> runs{0};
  study_.during = [&](Index) { ++runs; };
  const StudyResult again = run_study(study_, with_journal());
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(again.resumed, 10);
  EXPECT_EQ(again.rows, expected);
  EXPECT_THAT(remarks_, Contains(HasSubstr("10 of 10 trials are there already")));
}

TEST_F(RunStudyTest, SaysThatAJournalWasBegunWithOtherKernels) {
  JournalHeader header;
  header.version = version();
  header.identity = identity_of(study_);
  for (const std::string& before : {kernels(), std::string("other-v9")}) {
    remarks_.clear();
    std::filesystem::remove(path_);
    header.build = {{"kernels", before}};
    JournalWriter(path_, header).sync();
    EXPECT_EQ(run_study(study_, with_journal()).rows.size(), 10U);
    const auto remark = HasSubstr("begun with kernels for other-v9; these are for " + kernels());
    if (before == kernels())
      EXPECT_THAT(remarks_, testing::IsEmpty());
    else
      EXPECT_THAT(remarks_, Contains(remark));
  }
}

TEST_F(RunStudyTest, StopsBetweenTasksAndGoesOnLater) {
  const auto expected = run_study(study_).rows;
  std::atomic<int> runs{0};
  study_.during = [&](Index) { ++runs; };
  RunOptions options = with_journal();
  options.stop = [&] { return runs >= 4; };
  const StudyResult first = run_study(study_, options);
  EXPECT_TRUE(first.interrupted());
  EXPECT_GE(first.finished, 4);
  const StudyResult second = run_study(study_, with_journal());
  EXPECT_EQ(second.resumed, first.finished);
  EXPECT_EQ(runs, 10);
  EXPECT_EQ(second.rows, expected);
}

TEST_F(RunStudyTest, TurnsAFailureIntoARowAndGoesOn) {
  study_.failing = {3, 7};
  study_.rows_each = 2;
  const StudyResult result = run_study(study_, with_journal());
  EXPECT_EQ(result.failed, 2);
  EXPECT_EQ(result.rows.size(), 18U);
  EXPECT_THAT(result.rows,
              Contains(Record{{"point", "p0"}, {"trial", std::int64_t{3}}, {"failure", "it was told to fail"}}));
  study_.failing.clear();
  const StudyResult again = run_study(study_, with_journal());
  EXPECT_EQ(again.resumed, 10) << "a failed task is finished: its failure is a function of the task";
  EXPECT_EQ(again.rows, result.rows);
}

TEST(RemarkOnFailures, TellsOfSomeAndThrowsOfAll) {
  StudyResult result;
  result.tasks = 2;
  EXPECT_EQ(remark_on_failures(result), std::nullopt);
  result.rows = {{{"trial", std::int64_t{0}}}, {{"trial", std::int64_t{1}}, {"failure", "it broke"}}};
  result.failed = 1;
  EXPECT_EQ(remark_on_failures(result), "1 of 2 trials failed, the first with: it broke");
  result.failed = 2;
  EXPECT_THROW(remark_on_failures(result), DataError);
}

TEST_F(RunStudyTest, DoesATaskAgainOfWhichRowsAreMissing) {
  study_.rows_each = 3;
  const auto expected = run_study(study_, with_journal()).rows;
  const std::string whole = test::read_bytes(path_);
  const size_t last = whole.rfind('\n', whole.size() - 2), before = whole.rfind('\n', last - 1);
  for (const size_t end : {last + 1, before + 1, last + 20, before + 1 + 5}) {
    test::write_bytes(path_, whole.substr(0, end));
    const StudyResult result = run_study(study_, with_journal());
    EXPECT_EQ(result.resumed, 9);
    EXPECT_EQ(result.rows, expected);
    EXPECT_EQ(read_journal(path_).rows.size(), 30U);
  }
  EXPECT_THAT(remarks_, Contains(HasSubstr("cut short")));
  EXPECT_THAT(remarks_, Contains(HasSubstr("torn")));
}

TEST_F(RunStudyTest, RefusesAJournalThatWasTamperedWith) {
  study_.rows_each = 2;
  run_study(study_, with_journal());
  const std::string whole = test::read_bytes(path_);
  const size_t header = whole.find('\n') + 1, row = whole.find('\n', header) + 1;
  test::write_bytes(path_, whole.substr(0, header) + whole.substr(row));
  EXPECT_THAT([&] { run_study(study_, with_journal()); }, ThrowsMessage<DataError>(HasSubstr("are missing")));
  test::write_bytes(path_, whole + whole.substr(header, row - header));
  EXPECT_THAT([&] { run_study(study_, with_journal()); }, ThrowsMessage<DataError>(HasSubstr("line 22")));
  const Record elsewhere{{"point", "elsewhere"}, {"trial", std::int64_t{0}}};
  test::write_bytes(path_, whole + row_line(elsewhere, identity_of(study_).fingerprint()) + "\n");
  EXPECT_THAT([&] { run_study(study_, with_journal()); }, ThrowsMessage<DataError>(HasSubstr("belongs to no trial")));
}

TEST_F(RunStudyTest, RefusesTheJournalOfAnotherConfiguration) {
  run_study(study_, with_journal());
  study_.seed = 2;
  EXPECT_THAT([&] { run_study(study_, with_journal()); }, ThrowsMessage<UsageError>(HasSubstr("its seed is 1")));
}

TEST_F(RunStudyTest, RefusesTheJournalOfOtherContent) {
  run_study(study_, with_journal());
  study_.data = "made otherwise";
  EXPECT_THAT([&] { run_study(study_, with_journal()); },
              ThrowsMessage<UsageError>(HasSubstr("its data is \"made up\", this run's is \"made otherwise\"")));
}

TEST_F(RunStudyTest, ReadsContentOnlyWhereAJournalIsKept) {
  run_study(study_);
  EXPECT_EQ(study_.digested, 0);
  run_study(study_, with_journal());
  EXPECT_GT(study_.digested, 0);
}

// What the system refuses now it may grant later: such a trial must not count as finished.
TEST_F(RunStudyTest, EndsWhenTheSystemRefusesSomethingAndTriesAgain) {
  const auto expected = run_study(study_).rows;
  study_.during = [](Index task) {
    if (task == 4) throw std::bad_alloc();
  };
  EXPECT_THROW(run_study(study_, with_journal()), std::bad_alloc);
  study_.during = [](Index task) {
    if (task == 4) throw FileError("cannot read x: it is gone");
  };
  EXPECT_THROW(run_study(study_, with_journal()), FileError);
  study_.during = {};
  EXPECT_EQ(run_study(study_, with_journal()).rows, expected);
}

TEST_F(RunStudyTest, RunsOnlyAsManyAtOnceAsFitIntoTheMemory) {
  std::atomic<int> now{0}, most{0};
  study_.bytes = 4e6;
  study_.during = [&](Index) {
    const int running = ++now;
    int seen = most;
    while (running > seen && !most.compare_exchange_weak(seen, running)) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    --now;
  };
  RunOptions options;
  options.memory_limit = 9e6;
  run_study(study_, options);
  EXPECT_EQ(most, 2);
}

TEST_F(RunStudyTest, RefusesATaskThatNeverFits) {
  study_.bytes = 4e12;
  RunOptions options = with_journal();
  options.memory_limit = 8.0 * (1 << 30);
  EXPECT_THAT([&] { run_study(study_, options); },
              ThrowsMessage<UsageError>(testing::AllOf(HasSubstr("3.6 TiB"), HasSubstr("8.0 GiB"))));
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(RunStudyTest, LetsFewTasksUseTheThreadsThatAreLeft) {
  study_.tasks = 2;
  std::atomic<int> inside{0};
  study_.during = [&](Index) { inside = available_threads(); };
  run_study(study_);
  EXPECT_EQ(inside, 2);
}

TEST_F(RunStudyTest, TellsAStudyThatMiscountsItsRows) {
  class Miscounting : public SmallStudy {
    Index row_count(Index) const override { return 2; }
  };
  EXPECT_THROW(run_study(Miscounting()), InternalError);
}

}  // namespace
}  // namespace wordsway
