#include "wordsway/core/lockstep.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/stop.h"

namespace wordsway {
namespace {

// The numbers of an item, of its part, of that part's part: they order requests.
using Place = std::vector<Index>;

class Meeting {
 public:
  // So many more threads run.
  void expect(Index count) {
    const std::lock_guard lock(mutex_);
    running_ += count;
  }

  // One of them does not any more.
  void leave() {
    std::unique_lock lock(mutex_);
    --running_;
    if (running_ == 0) answer_all(lock);
  }

  void hand_in(const AnswerTogether& answer, void* request, const Place& place) {
    Waiting waiting{&place, &answer, request, nullptr};
    std::unique_lock lock(mutex_);
    const int round = round_;
    waiting_.push_back(&waiting);
    --running_;
    if (running_ == 0) answer_all(lock);
    lock.unlock();
    round_.wait(round);
    if (waiting.error) std::rethrow_exception(waiting.error);
  }

 private:
  struct Waiting {
    const Place* place;
    const AnswerTogether* answer;
    void* request;
    std::exception_ptr error;
  };

  // By the last thread that ran, which has all of parallel_for's threads for it. Those that wait are counted again
  // before they wake, so that none of them can believe it is alone.
  void answer_all(std::unique_lock<std::mutex>& lock) {
    std::vector<Waiting*> all;
    all.swap(waiting_);
    if (all.empty()) return;
    std::ranges::sort(all, {}, [](const Waiting* one) { return std::tie(one->answer, *one->place); });
    lock.unlock();
    for (size_t begin = 0; begin < all.size();) {
      size_t end = begin;
      std::vector<void*> requests;
      for (; end < all.size() && all[end]->answer == all[begin]->answer; ++end) requests.push_back(all[end]->request);
      try {
        with_threads(0, [&] { (*all[begin]->answer)(requests); });
      } catch (...) {
        for (size_t k = begin; k < end; ++k) all[k]->error = std::current_exception();
      }
      begin = end;
    }
    lock.lock();
    running_ += static_cast<Index>(all.size());
    ++round_;
    round_.notify_all();
  }

  std::mutex mutex_;
  std::atomic<int> round_ = 0;  // all that wait are answered in one; a condition would have each of them take the mutex
  Index running_ = 0;
  std::vector<Waiting*> waiting_;
};

// What a thread of an item knows of itself.
struct Item {
  Meeting* meeting;
  Place place;
};

thread_local const Item* current_item = nullptr;

// Items first, first + step, ... below `end`.
struct Items {
  Index first, step, end;

  Index count() const { return (end - first + step - 1) / step; }
};

// The lowest item that threw; no error: none did.
struct Failure {
  Index item;
  std::exception_ptr error;

  void rethrow() const {
    if (error) std::rethrow_exception(error);
  }
};

// Items on threads of their own. The caller counts as running: its place in the count goes to the first of them, and
// the last one gives it back, so that nobody is answered between the end of the items and what the caller does next.
Failure run_items(Meeting& meeting, const Place& above, const Items& items, Index width,
                  const std::function<void(Index)>& body) {
  const Index threads = std::min(width, items.count());
  std::mutex mutex;
  Index next = items.first + threads * items.step, left = threads;
  Failure failure{items.end, nullptr};
  const StopScope* const stop = detail::current_stop_scope;
  const auto take = [&]() -> Index {
    const std::lock_guard lock(mutex);
    return failure.error ? items.end : std::exchange(next, next + items.step);
  };
  const auto end = [&] {
    {
      const std::lock_guard lock(mutex);
      if (--left == 0) return;
    }
    meeting.leave();
  };
  const auto work = [&](Index first) {
    const detail::BorrowedStopScope scope(stop);
    Item self{&meeting, above};
    self.place.push_back(first);
    current_item = &self;
    with_threads(1, [&] {
      for (Index item = first; item < items.end; item = take()) {
        self.place.back() = item;
        try {
          throw_if_stopped();
          body(item);
        } catch (...) {
          const std::lock_guard lock(mutex);
          if (item < failure.item) failure = {item, std::current_exception()};
        }
      }
    });
    end();
  };
  meeting.expect(threads - 1);
  std::vector<std::jthread> running;
  try {
    for (Index k = 0; k < threads; ++k) running.emplace_back(work, items.first + k * items.step);
  } catch (const std::system_error&) {
    const std::lock_guard lock(mutex);
    failure = {items.first,
               std::make_exception_ptr(SystemError("the system refused a thread; run fewer things at a time"))};
  }
  for (auto k = static_cast<Index>(running.size()); k < threads; ++k) end();
  running.clear();
  return failure;
}

}  // namespace

void lockstep_for(Index count, Index width, const std::function<void(Index)>& body, Index groups) {
  if (count <= 0) return;
  width = std::max<Index>(1, width);
  groups = std::clamp<Index>(groups, 1, std::min(count, width));
  std::vector<Failure> failures(static_cast<size_t>(groups));
  const StopScope* const stop = detail::current_stop_scope;
  const auto run_group = [&](Index g) {
    const detail::BorrowedStopScope scope(stop);
    Meeting meeting;
    meeting.expect(1);
    failures[static_cast<size_t>(g)] = run_items(meeting, {}, {g, groups, count}, (width + groups - 1) / groups, body);
  };
  {
    std::vector<std::jthread> others;
    for (Index g = 1; g < groups; ++g) {
      try {
        others.emplace_back(run_group, g);
      } catch (const std::system_error&) {  // no thread: before the others then
        run_group(g);
      }
    }
    run_group(0);
  }
  std::ranges::min_element(failures, {}, &Failure::item)->rethrow();
}

void side_by_side(Index count, const std::function<void(Index)>& body) {
  const Item* const item = current_item;
  if (item == nullptr || count <= 0) return parallel_for(count, body);
  run_items(*item->meeting, item->place, {0, 1, count}, count, body).rethrow();
}

void hand_in(const AnswerTogether& answer, void* request) {
  if (current_item == nullptr) return answer(std::span(&request, 1));
  current_item->meeting->hand_in(answer, request, current_item->place);
}

}  // namespace wordsway
