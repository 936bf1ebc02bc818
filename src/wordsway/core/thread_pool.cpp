#include "wordsway/core/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <new>

#include <pthread.h>

namespace wordsway {
namespace {

// Products of a model follow each other within microseconds; a thread that looks that long before it sleeps is there
// for the next.
constexpr std::chrono::microseconds kLookFor{50};

template <typename Condition>
bool look_out(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + kLookFor;
  do {
    for (int turn = 0; turn < 64; ++turn) {
      if (condition()) return true;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

// A forked child has none of its parent's threads, and the mutex may be held by one of them. So the child never touches
// its parent's pool, not even to destroy it, and makes one of its own when it first needs it.
class ProcessPool {
 public:
  ProcessPool() {
    pthread_atfork(nullptr, nullptr, [] { pool_ = nullptr; });
  }
  ~ProcessPool() { delete pool_.exchange(nullptr); }

  ThreadPool& get() {
    ThreadPool* pool = pool_;
    if (pool != nullptr) return *pool;
    auto fresh = std::make_unique<ThreadPool>();
    return pool_.compare_exchange_strong(pool, fresh.get()) ? *fresh.release() : *pool;
  }

 private:
  static std::atomic<ThreadPool*> pool_;
};

std::atomic<ThreadPool*> ProcessPool::pool_{nullptr};

}  // namespace

ThreadPool& ThreadPool::of_this_process() {
  static ProcessPool pool;
  return pool.get();
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::hire(size_t wanted) noexcept {
  try {
    while (!refused_ && threads_.size() < busy_ + wanted) threads_.emplace_back([this] { serve(); });
  } catch (const std::exception&) {
    refused_ = true;  // asking again for every loop would cost more than it brings
  }
}

bool ThreadPool::offer(Call& call) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    calls_.push_back(&call);
  } catch (const std::bad_alloc&) {
    return false;
  }
  wanted_ += call.open;
  hire(static_cast<size_t>(wanted_.load()));
  return true;
}

void ThreadPool::run(int helpers, const std::function<void()>& work) {
  Call call{&work, helpers};
  if (!offer(call)) return work();
  wake_.notify_all();
  work();
  {
    const std::lock_guard lock(mutex_);
    wanted_ -= call.open;  // too late to be of use
    call.open = 0;
    std::erase(calls_, &call);
  }
  if (look_out([&] { return call.active == 0; })) {
    const std::lock_guard lock(mutex_);  // the last helper lets go of the call before it lets go of this
    return;
  }
  std::unique_lock lock(mutex_);
  left_.wait(lock, [&] { return call.active == 0; });
}

void ThreadPool::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (calls_.empty() && !stop_) {
      lock.unlock();
      look_out([&] { return wanted_ > 0 || stop_; });
      lock.lock();
    }
    wake_.wait(lock, [&] { return !calls_.empty() || stop_; });
    if (calls_.empty()) return;
    Call& call = *calls_.front();
    --wanted_;
    ++call.active;
    if (--call.open == 0) calls_.pop_front();
    ++busy_;
    lock.unlock();
    (*call.work)();
    lock.lock();
    --busy_;
    if (--call.active == 0) left_.notify_all();
  }
}

}  // namespace wordsway
