#include "serve/job_queue.h"

#include <atomic>
#include <future>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/stop.h"

namespace wordsway::serve {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::chrono::milliseconds kLong{60'000};

// Names of the events until the end.
std::vector<std::string> names_of_all(Job& job) {
  std::vector<std::string> names;
  while (!job.ended())
    if (const auto event = job.next(kLong)) names.push_back(event->name);
  return names;
}

void wait_for(Job& job, const std::string& name) {
  while (true) {
    const auto event = job.next(kLong);
    ASSERT_TRUE(event) << "the job ended without " << name;
    if (event->name == name) return;
  }
}

// Runs until it is stopped, as an ascent does.
std::string endless(Job&) {
  while (true) parallel_for(4, [](Index) { throw_if_stopped(); });
}

TEST(JobQueue, AJobTellsWhatItDoesAndHasAResult) {
  JobQueue queue;
  const auto job = queue.submit("tab", "words", "words of a text", [](Job& own) {
    own.tell("row", "1");
    own.tell("row", "2");
    return std::string("[1, 2]");
  });
  EXPECT_THAT(names_of_all(*job), ElementsAre("started", "row", "row"));
  EXPECT_EQ(job->take_result(), "[1, 2]");
}

TEST(JobQueue, WhatTheWorkThrowsIsThrownWhereTheResultIsAskedFor) {
  JobQueue queue;
  const auto job = queue.submit("tab", "words", "", [](Job&) -> std::string { throw DataError("no such thing"); });
  names_of_all(*job);
  EXPECT_THROW(job->take_result(), DataError);
  const auto next = queue.submit("tab", "words", "", [](Job&) { return std::string("fine"); });
  names_of_all(*next);
  EXPECT_EQ(next->take_result(), "fine");
}

TEST(JobQueue, ANewJobOfATabStopsItsOlderOnesForTheSameThingAlone) {
  JobQueue queue;
  const auto running = queue.submit("tab", "words", "", endless);
  wait_for(*running, "started");
  const auto other_topic = queue.submit("tab", "layers", "", [](Job&) { return std::string("layers"); });
  const auto other_tab = queue.submit("another", "words", "", [](Job&) { return std::string("another"); });
  const auto waiting = queue.submit("tab", "layers", "", [](Job&) { return std::string("newer layers"); });
  // The one that waited ends at once, though the first still runs.
  EXPECT_THAT(names_of_all(*other_topic), ElementsAre("queued"));
  EXPECT_THROW(other_topic->take_result(), Stopped);
  const auto newer = queue.submit("tab", "words", "", [](Job&) { return std::string("newer"); });
  names_of_all(*running);
  EXPECT_THROW(running->take_result(), Stopped);
  for (const auto& job : {other_tab, waiting, newer}) names_of_all(*job);
  EXPECT_EQ(other_tab->take_result(), "another");
  EXPECT_EQ(waiting->take_result(), "newer layers");
  EXPECT_EQ(newer->take_result(), "newer");
}

TEST(JobQueue, JobsWithoutATabStopNobody) {
  JobQueue queue;
  const auto first = queue.submit("", "words", "", [](Job&) { return std::string("first"); });
  const auto second = queue.submit("", "words", "", [](Job&) { return std::string("second"); });
  for (const auto& job : {first, second}) names_of_all(*job);
  EXPECT_EQ(first->take_result(), "first");
  EXPECT_EQ(second->take_result(), "second");
}

TEST(JobQueue, WhoWaitsIsToldBehindHowMany) {
  JobQueue queue;
  const auto first = queue.submit("1", "words", "", endless);
  wait_for(*first, "started");
  const auto second = queue.submit("2", "words", "", endless);
  const auto third = queue.submit("3", "words", "", [](Job&) { return std::string("done"); });
  const auto place = [&](Job& job) {
    const auto event = job.next(kLong);
    return event && event->name == "queued" ? nlohmann::json::parse(event->json)["before"].get<int>() : -1;
  };
  EXPECT_EQ(place(*second), 1);
  EXPECT_EQ(place(*third), 2);
  queue.stop(second);  // gave up waiting
  EXPECT_EQ(place(*third), 1);
  queue.stop(first);
  EXPECT_THAT(names_of_all(*third), ElementsAre("started"));
}

TEST(JobQueue, OneJobRunsAtATime) {
  JobQueue queue;
  std::atomic<int> running{0}, most{0};
  std::vector<std::shared_ptr<Job>> jobs;
  for (int k = 0; k < 20; ++k)
    jobs.push_back(queue.submit(std::to_string(k), "words", "", [&](Job&) {
      most = std::max(most.load(), ++running);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      --running;
      return std::string();
    }));
  for (const auto& job : jobs) names_of_all(*job);
  EXPECT_EQ(most, 1);
}

TEST(JobQueue, TooManyThatWaitAreRefused) {
  JobQueue queue(2);
  const auto running = queue.submit("a", "words", "", endless);
  wait_for(*running, "started");
  queue.submit("b", "words", "", endless);
  queue.submit("c", "words", "", endless);
  EXPECT_THROW(queue.submit("d", "words", "", endless), SystemError);
  EXPECT_NO_THROW(queue.submit("c", "words", "", endless)) << "it takes the place of its own older one";
}

TEST(JobQueue, ItsEndStopsEverything) {
  std::vector<std::shared_ptr<Job>> jobs;
  {
    JobQueue queue;
    for (int k = 0; k < 4; ++k) jobs.push_back(queue.submit(std::to_string(k), "words", "", endless));
    wait_for(*jobs.front(), "started");
  }
  for (const auto& job : jobs) {
    names_of_all(*job);
    EXPECT_THROW(job->take_result(), Stopped);
  }
}

TEST(JobQueue, AJobThatNobodyWaitsForIsStopped) {
  JobQueue queue;
  const auto job = queue.submit("tab", "words", "", endless);
  {
    const WaitingClient client(queue, job);
    wait_for(client.job(), "started");
  }
  names_of_all(*job);
  EXPECT_THROW(job->take_result(), Stopped);
}

TEST(JobQueue, ProgressIsTheLatestAndDoesNotPileUp) {
  JobQueue queue;
  std::promise<void> told;
  const auto job = queue.submit("tab", "words", "", [&](Job& own) {
    const Progress progress = own.progress();
    for (int k = 1; k <= 10'000; ++k) progress({"words", static_cast<double>(k), 10'000});
    told.set_value();
    return endless(own);
  });
  told.get_future().wait();
  queue.stop(job);
  EXPECT_LE(names_of_all(*job).size(), 3);
}

// Many threads at once: what ThreadSanitizer looks at.
TEST(JobQueue, TabsThatAskAgainAndAgainGetTheirLastAnswer) {
  JobQueue queue(100);
  std::vector<std::future<std::string>> answers;
  for (int tab = 0; tab < 4; ++tab)
    answers.push_back(std::async(std::launch::async, [&queue, tab] {
      std::shared_ptr<Job> latest;
      for (int k = 0; k < 30; ++k) {
        latest = queue.submit(std::to_string(tab), "words", "", [k](Job& own) {
          for (int row = 0; row < 20; ++row) {
            throw_if_stopped();
            own.tell("row", std::to_string(row));
          }
          return std::to_string(k);
        });
        if (k % 3 == 0) latest->next(std::chrono::milliseconds(1));
        if (k % 7 == 0) queue.stop(latest);
      }
      names_of_all(*latest);
      return latest->take_result();
    }));
  for (auto& answer : answers) EXPECT_EQ(answer.get(), "29");
}

}  // namespace
}  // namespace wordsway::serve
