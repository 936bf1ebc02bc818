#include "wordsway/core/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/sanitized.h"

namespace wordsway {
namespace {

TEST(ThreadPool, DoesTheWorkOnTheCallerWhateverHelpersDo) {
  ThreadPool pool;
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> next = 0, done = 0;
    pool.run(3, [&] {
      while (next++ < 10) ++done;
    });
    ASSERT_EQ(done, 10) << "run() returned before the work was done, round " << round;
  }
}

TEST(ThreadPool, BringsHelpersWhenThereIsTime) {
  ThreadPool pool;
  std::atomic<int> present = 0;
  pool.run(2, [&] {
    ++present;
    while (present < 3) std::this_thread::yield();  // would never end without both helpers
  });
  EXPECT_EQ(present, 3);
}

TEST(ThreadPool, CanBeCalledFromInsideItsOwnWork) {
  ThreadPool pool;
  std::atomic<int> next = 0, done = 0;
  pool.run(2, [&] {
    while (next++ < 5) {
      std::atomic<int> inner = 0;
      pool.run(2, [&] {
        while (inner++ < 5) ++done;
      });
    }
  });
  EXPECT_EQ(done, 25);
}

// The child of a fork has none of the pool's threads: it once joined them at exit, or waited for them forever.
TEST(ThreadPool, WorksInAForkedChildAndEndsWithIt) {
  if (test::kSanitized) GTEST_SKIP() << "sanitizers do not follow forks of several threads";
  const auto count_to_hundred = [] {
    std::atomic<int> next = 0, done = 0;
    ThreadPool::of_this_process().run(4, [&] {
      while (next++ < 100) ++done;
    });
    return done.load();
  };
  for (int round = 0; round < 20; ++round) {
    ASSERT_EQ(count_to_hundred(), 100);
    std::fflush(nullptr);  // or the child writes it again
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      std::exit(count_to_hundred() == 100 ? 0 : 1);  // with destructors, as Python's children end
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
    ASSERT_EQ(WEXITSTATUS(status), 0);
  }
}

TEST(ThreadPool, GoesOnWithTheThreadsItHasWhenTheSystemRefusesMore) {
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer needs more addresses than this";
  const auto work_in_little_memory = [] {
    const struct rlimit limit = {256 << 20, 256 << 20};  // stacks for some thirty threads
    setrlimit(RLIMIT_AS, &limit);
    ThreadPool pool;
    std::atomic<int> done = 0;
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> next = 0;
      pool.run(500, [&] {
        while (next++ < 1000) ++done;
      });
    }
    _exit(done == 20 * 1000 ? 0 : 1);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(work_in_little_memory(), testing::ExitedWithCode(0), "");
}

TEST(ThreadPool, ServesSeveralCallersAtOnce) {
  ThreadPool pool;
  std::atomic<int> done = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        std::atomic<int> next = 0;
        pool.run(1, [&] {
          while (next++ < 4) ++done;
        });
      }
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(done, 4 * 50 * 4);
}

}  // namespace
}  // namespace wordsway
