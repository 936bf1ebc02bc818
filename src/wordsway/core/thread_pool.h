// Threads that wait for work, so that a parallel loop does not start any: waking one takes a few microseconds, starting
// one ten times that. A part of core/parallel.h; nothing else needs it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace wordsway {

class ThreadPool {
 public:
  /// The pool that parallel loops use. A forked child gets a pool of its own.
  static ThreadPool& of_this_process();

  ThreadPool() = default;
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Runs `work` on the calling thread and, as far as they come in time, on `helpers` others; returns when all that
  /// began have ended. `work` must not throw, and must do everything even when no helper comes. May be called from
  /// several threads and from inside `work`. When the system refuses a thread, those that are there do the work, and no
  /// more are asked for.
  void run(int helpers, const std::function<void()>& work);

 private:
  struct Call {
    const std::function<void()>* work;
    int open;                    // helpers still wanted
    std::atomic<int> active{0};  // helpers at work
  };

  void serve();
  bool offer(Call& call) noexcept;    // false when there is no memory to keep it
  void hire(size_t wanted) noexcept;  // with mutex_ held

  std::mutex mutex_;
  std::condition_variable wake_, left_;
  std::deque<Call*> calls_;  // those that still want helpers
  std::atomic<int> wanted_{0};
  std::atomic<bool> stop_{false};
  bool refused_ = false;  // a thread
  size_t busy_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace wordsway
