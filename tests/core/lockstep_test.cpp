#include "wordsway/core/lockstep.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/stop.h"

namespace wordsway {
namespace {

using testing::ElementsAre;

// Doubles numbers, and remembers which it was asked for together.
class Doubler {
 public:
  double twice(double x) {
    Request request{x, 0};
    submit(answer_, &request);
    return request.result;
  }
  const std::vector<std::vector<double>>& batches() const { return batches_; }

 private:
  struct Request {
    double given, result;
  };

  std::mutex mutex_;
  std::vector<std::vector<double>> batches_;
  BatchHandler answer_ = [this](std::span<void* const> requests) {
    std::vector<double> batch;
    for (void* const one : requests) {
      auto* const request = static_cast<Request*>(one);
      batch.push_back(request->given);
      request->result = 2 * request->given;
    }
    const std::lock_guard lock(mutex_);  // groups may ask at once
    batches_.push_back(batch);
  };
};

TEST(Lockstep, RequestsOfAllThatRunAreAnsweredTogetherInTheirOrder) {
  Doubler doubler;
  std::vector<double> found(3);
  lockstep_for(3, 8, [&](Index k) {
    double x = static_cast<double>(k + 1);
    for (int step = 0; step < 2; ++step) x = doubler.twice(x);
    found[static_cast<size_t>(k)] = x;
  });
  EXPECT_THAT(found, ElementsAre(4, 8, 12));
  EXPECT_THAT(doubler.batches(), ElementsAre(ElementsAre(1, 2, 3), ElementsAre(2, 4, 6)));
}

TEST(Lockstep, AnItemThatEndsMakesRoomBeforeTheOthersAreAnswered) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    Doubler doubler;
    lockstep_for(4, 2, [&](Index k) {
      // Item 0 asks once, the others twice.
      for (int step = 0; step < (k == 0 ? 1 : 2); ++step) doubler.twice(static_cast<double>(10 * k + step));
    });
    EXPECT_THAT(doubler.batches(),
                ElementsAre(ElementsAre(0, 10), ElementsAre(11, 20), ElementsAre(21, 30), ElementsAre(31)));
  }
}

TEST(Lockstep, PartsOfItemsMeetTheOthers) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    Doubler doubler;
    lockstep_for(2, 2, [&](Index k) {
      if (k == 1) {
        for (int step = 0; step < 3; ++step) doubler.twice(100 + step);
        return;
      }
      run_concurrently(3, [&](Index part) { doubler.twice(static_cast<double>(part)); });
      doubler.twice(50);
    });
    EXPECT_THAT(doubler.batches(), ElementsAre(ElementsAre(0, 1, 2, 100), ElementsAre(50, 101), ElementsAre(102)));
  }
}

TEST(Lockstep, GroupsDoNotWaitForOneAnother) {
  Doubler even, odd;  // one of each group, which may answer at once
  lockstep_for(5, 5, [&](Index k) { (k % 2 == 0 ? even : odd).twice(static_cast<double>(k)); }, {.count = 2});
  EXPECT_THAT(even.batches(), ElementsAre(ElementsAre(0, 2, 4)));
  EXPECT_THAT(odd.batches(), ElementsAre(ElementsAre(1, 3)));
  // Group 1 waits for something that only happens when group 0 has ended.
  std::atomic<bool> is_over{false};
  lockstep_for(2, 2,
               [&](Index k) {
                 if (k == 1) is_over.wait(false);
                 (k == 0 ? even : odd).twice(1);
                 is_over = true;
                 is_over.notify_all();
               },
               {.count = 2});
  EXPECT_TRUE(is_over);
}

TEST(Lockstep, GroupsHaveAllItemsAndTheFirstErrorOfAll) {
  for (const Index groups : {1, 2, 3, 7, 50}) {
    std::vector<std::atomic<int>> calls(20);
    lockstep_for(20, 6, [&](Index k) { ++calls[static_cast<size_t>(k)]; }, {groups, 2});
    for (const auto& each : calls) EXPECT_EQ(each, 1) << groups;
    try {
      lockstep_for(20, 40,
                   [&](Index k) {
                     if (k >= 4) throw DataError(std::to_string(k));
                   },
                   {groups, 2});
      FAIL() << "nothing was thrown";
    } catch (const DataError& error) {
      EXPECT_STREQ(error.what(), "4") << groups;
    }
  }
  lockstep_for(0, 4, [](Index) { FAIL(); }, {.count = 2});
}

// Items 0, 2, 4 and 1, 3, 5. Item k asks k + 1 times.
TEST(Lockstep, GroupsOfFewAreAnsweredTogether) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    Doubler doubler;
    lockstep_for(6, 6,
                 [&](Index k) {
                   for (Index step = 0; step <= k; ++step) doubler.twice(static_cast<double>(10 * k + step));
                 },
                 {.count = 2, .few = 2});
    std::vector<std::vector<double>> alone, together;
    for (const auto& batch : doubler.batches()) {
      const auto group = [](double x) { return static_cast<int>(x / 10) % 2; };
      const bool is_one = std::ranges::all_of(batch, [&](double x) { return group(x) == group(batch.front()); });
      (is_one ? alone : together).push_back(batch);
    }
    // Group 0 has two left after one round and waits for group 1, which has as few after two.
    EXPECT_THAT(
        alone, testing::UnorderedElementsAre(ElementsAre(0, 20, 40), ElementsAre(10, 30, 50), ElementsAre(11, 31, 51)));
    EXPECT_THAT(together, ElementsAre(ElementsAre(21, 32, 41, 52), ElementsAre(22, 33, 42, 53), ElementsAre(43, 54),
                                      ElementsAre(44, 55)));
  }
}

TEST(Lockstep, OutsideOfItARequestIsAnsweredAtOnce) {
  Doubler doubler;
  EXPECT_EQ(doubler.twice(4), 8);
  std::atomic<int> sum{0};
  run_concurrently(10, [&](Index k) { sum += static_cast<int>(k); });
  EXPECT_EQ(sum, 45);
}

TEST(Lockstep, ManyItemsOnFewThreadsDoAllOfThem) {
  Doubler doubler;
  std::vector<double> found(300);
  lockstep_for(300, 7, [&](Index k) {
    double x = 1;
    for (Index step = 0; step < k % 5; ++step) x = doubler.twice(x);
    found[static_cast<size_t>(k)] = x;
  });
  for (size_t k = 0; k < found.size(); ++k) EXPECT_EQ(found[k], 1 << (k % 5));
}

TEST(Lockstep, AnAnswerThatFailsFailsForAllThatAsked) {
  const BatchHandler refuse = [](std::span<void* const>) { throw DataError("no answer"); };
  std::atomic<int> failed{0};
  EXPECT_THROW(lockstep_for(3, 3,
                            [&](Index) {
                              int request = 0;
                              try {
                                submit(refuse, &request);
                              } catch (const DataError&) {
                                ++failed;
                                throw;
                              }
                            }),
               DataError);
  EXPECT_EQ(failed, 3);
}

TEST(Lockstep, TheFirstItemThatThrowsIsTheOneThatCounts) {
  Doubler doubler;
  try {
    lockstep_for(4, 4, [&](Index k) {
      doubler.twice(1);
      if (k >= 1) throw DataError(std::to_string(k));
      doubler.twice(2);
    });
    FAIL() << "nothing was thrown";
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "1");
  }
}

TEST(Lockstep, StopsWhenItsCallerIsAskedTo) {
  std::stop_source source;
  const StopScope scope(source.get_token());
  Doubler doubler;
  EXPECT_THROW(lockstep_for(100, 2,
                            [&](Index k) {
                              doubler.twice(1);
                              if (k == 3) source.request_stop();
                            }),
               Stopped);
}

TEST(Lockstep, AnswersHaveAllThreadsAndItemsHaveOne) {
  const int all = available_threads();
  std::atomic<int> in_answer{0}, in_item{0};
  const BatchHandler answer = [&](std::span<void* const>) { in_answer = available_threads(); };
  lockstep_for(2, 2, [&](Index) {
    in_item = available_threads();
    int request = 0;
    submit(answer, &request);
  });
  EXPECT_EQ(in_answer, all);
  EXPECT_EQ(in_item, 1);
}

}  // namespace
}  // namespace wordsway
