#include "wordsway/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include "wordsway/core/error.h"
#include "wordsway/core/stop.h"
#include "wordsway/core/thread_pool.h"

namespace wordsway {
namespace {

std::atomic<int> process_threads{std::max(1, static_cast<int>(std::thread::hardware_concurrency()))};
thread_local int inner_threads = 0;  // 0 outside any parallel_for

// The exception of the lowest item, so that which error a user sees does not depend on timing alone.
class FirstFailure {
 public:
  void store(Index item, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (item < item_) {
      item_ = item;
      error_ = error;
    }
    failed_ = true;
  }
  bool failed() const { return failed_; }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> failed_{false};
  Index item_ = std::numeric_limits<Index>::max();
  std::exception_ptr error_;
};

}  // namespace

void set_thread_count(int threads) {
  if (threads < 1) throw UsageError("the number of threads must be at least 1");
  process_threads = threads;
}

int available_threads() {
  return inner_threads > 0 ? inner_threads : process_threads.load();
}

void with_threads(int threads, const std::function<void()>& body) {
  struct Restore {
    int outer = inner_threads;
    ~Restore() { inner_threads = outer; }
  } restore;
  inner_threads = threads;
  body();
}

void parallel_for(Index count, const std::function<void(Index)>& body) {
  if (count <= 0) return;
  const int threads = available_threads();
  const int workers = static_cast<int>(std::min<Index>(threads, count));
  if (workers == 1) {
    for (Index item = 0; item < count; ++item) {
      throw_if_stopped();
      body(item);
    }
    return;
  }
  std::atomic<Index> next{0};
  FirstFailure failure;
  const StopScope* const stop = detail::current_stop_scope;
  const auto work = [&] {
    const detail::BorrowedStopScope scope(stop);
    const int outer = inner_threads;
    inner_threads = std::max(1, threads / workers);
    while (!failure.failed()) {
      const Index item = next.fetch_add(1);
      if (item >= count) break;
      try {
        throw_if_stopped();
        body(item);
      } catch (...) {
        failure.store(item, std::current_exception());
      }
    }
    inner_threads = outer;
  };
  ThreadPool::of_this_process().run(workers - 1, work);
  failure.rethrow();
}

}  // namespace wordsway
