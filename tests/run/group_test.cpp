// The processes of a group as threads of one process: the protocol without MPI, and without its timing.
#include "wordsway/run/group.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>

#include "support/small_study.h"
#include "wordsway/core/parallel.h"
#include "wordsway/run/group_work.h"
#include "wordsway/run/run_study.h"

namespace wordsway {
namespace {

using test::SmallStudy;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct Mail {
  std::mutex mutex;
  std::vector<std::deque<GroupMessage>> boxes;
};

class ThreadGroup final : public ProcessGroup {
 public:
  ThreadGroup(Mail& mail, int rank) : mail_(mail), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(mail_.boxes.size()); }
  int local_size() const override { return size(); }
  int local_rank() const override { return rank(); }
  int fair_threads() const override { return 1; }
  void send(int to, const std::string& text) override {
    const std::lock_guard lock(mail_.mutex);
    mail_.boxes[static_cast<size_t>(to)].push_back({rank_, text});
  }
  std::optional<GroupMessage> receive() override {
    const std::lock_guard lock(mail_.mutex);
    auto& box = mail_.boxes[static_cast<size_t>(rank_)];
    if (box.empty()) return std::nullopt;
    GroupMessage message = box.front();
    box.pop_front();
    return message;
  }

 private:
  Mail& mail_;
  int rank_;
};

// Runs the study in `ranks` processes and gives the first one's result; `others` gets what the others throw.
StudyResult run_in_group(const Study& study, int ranks, RunOptions options = {},
                         const std::function<void(ProcessGroup&)>& other = {}) {
  Mail mail;
  mail.boxes.resize(static_cast<size_t>(ranks));
  std::vector<std::jthread> processes;
  for (int rank = 1; rank < ranks; ++rank)
    processes.emplace_back([&, rank] {
      ThreadGroup group(mail, rank);
      if (other) return other(group);
      RunOptions own;
      own.group = &group;
      try {
        run_study(study, own);
      } catch (const GroupDismissed&) {
      }
    });
  ThreadGroup group(mail, 0);
  options.group = &group;
  return run_study(study, options);
}

TEST(GroupTest, GivesTheSameRowsForAnyNumberOfProcessesAndThreads) {
  SmallStudy study;
  study.tasks = 57;
  study.rows_each = 2;
  study.failing = {5};
  const auto expected = run_study(study).rows;
  for (const int threads : {1, 3})
    for (const int ranks : {1, 2, 3, 7}) {
      set_thread_count(threads);
      EXPECT_EQ(run_in_group(study, ranks).rows, expected) << ranks << " processes";
    }
}

TEST(GroupTest, GoesThroughPhasesOfDifferentMemory) {
  class Mixed : public SmallStudy {
    double memory_bytes(Index task) const override { return task % 3 == 0 ? 3e6 : 1e6; }
  };
  Mixed study;
  study.tasks = 60;
  set_thread_count(4);
  RunOptions options;
  options.memory_limit = 12e6;  // 4 MB for each of three
  for (int repetition = 0; repetition < 20; ++repetition) EXPECT_EQ(run_in_group(study, 3, options).rows.size(), 60U);
}

TEST(GroupTest, HandsTasksToProcessesThatAreFree) {
  SmallStudy study;
  study.tasks = 40;
  std::mutex mutex;
  std::set<std::thread::id> workers;
  study.during = [&](Index) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const std::lock_guard lock(mutex);
    workers.insert(std::this_thread::get_id());
  };
  set_thread_count(1);
  run_in_group(study, 3);
  EXPECT_EQ(workers.size(), 3U);
}

TEST(GroupTest, ThrowsWhatAnotherProcessFailedWith) {
  SmallStudy study;
  const auto fail = [](ProcessGroup& group) { report_failure(group, FileError("tokens.npy is not on this machine")); };
  EXPECT_THAT([&] { run_in_group(study, 2, {}, fail); },
              testing::ThrowsMessage<FileError>(testing::HasSubstr("process 1: tokens.npy")));
}

TEST(GroupTest, LetsTheOthersGoWhenTheFirstCannotBegin) {
  SmallStudy study;
  RunOptions options;
  options.journal = "/absent/folder/run.jsonl";
  EXPECT_THROW(run_in_group(study, 3, options), FileError);
}

TEST(GroupTest, RefusesAProcessThatSeesOtherContentBeforeAnyWork) {
  SmallStudy study;
  std::atomic<int> done{0};
  study.during = [&](Index) { ++done; };
  const auto other = [&](ProcessGroup& group) {
    SmallStudy own;
    own.data = "made otherwise";
    RunOptions options;
    options.group = &group;
    try {
      run_study(own, options);
    } catch (const DataError& error) {
      report_failure(group, error);
    }
  };
  EXPECT_THAT([&] { run_in_group(study, 3, {}, other); },
              ThrowsMessage<DataError>(AllOf(HasSubstr("does not see what the first one sees"), HasSubstr("data"))));
  EXPECT_EQ(done, 0);
}

}  // namespace
}  // namespace wordsway
