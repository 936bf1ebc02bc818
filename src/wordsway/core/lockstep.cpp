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

// The number of an item, of its part, of that part's part, and so on; requests are ordered by it.
using Place = std::vector<Index>;

// Collects the requests that wait, by group, and has them answered when every thread of a group waits.
class RequestBatcher {
 public:
  explicit RequestBatcher(LockstepGroups groups) : few_(static_cast<size_t>(groups.few)), groups_(groups.count) {}

  // Counts `count` more running threads in a group.
  void expect(Index group, Index count) {
    const std::lock_guard lock(mutex_);
    at(group).running += count;
  }

  // Counts one running thread less.
  void leave(Index group) {
    std::unique_lock lock(mutex_);
    if (--at(group).running == 0) answer_if_complete(at(group), lock);
  }

  void submit(const BatchHandler& handler, void* request, Index group, const Place& place) {
    Waiting waiting{&place, &handler, request, nullptr};
    std::unique_lock lock(mutex_);
    Group& own = at(group);
    const int round = own.round;
    own.waiting.push_back(&waiting);
    if (--own.running == 0) answer_if_complete(own, lock);
    lock.unlock();
    own.round.wait(round);
    if (waiting.error) std::rethrow_exception(waiting.error);
  }

 private:
  struct Waiting {
    const Place* place;
    const BatchHandler* handler;
    void* request;
    std::exception_ptr error;
  };
  struct Group {
    std::atomic<int> round =
        0;  // counts the answers; cheaper than a condition variable, for which every waiting thread takes the mutex
    Index running = 0;
    std::vector<Waiting*> waiting;
  };

  Group& at(Index group) { return groups_[static_cast<size_t>(group)]; }

  // Called by the last running thread of a group.
  void answer_if_complete(Group& group, std::unique_lock<std::mutex>& lock) {
    std::vector<Group*> complete;
    if (group.waiting.size() > few_) {
      complete.push_back(&group);
    } else {  // answered with all other groups, once they are complete too
      for (Group& other : groups_) {
        if (other.running > 0 || other.waiting.size() > few_) return;
        if (!other.waiting.empty()) complete.push_back(&other);
      }
    }
    answer_all(complete, lock);
  }

  // Uses all threads of parallel_for. The waiting threads are counted as running before they wake, so that none of them
  // can take itself for the last one.
  void answer_all(const std::vector<Group*>& groups, std::unique_lock<std::mutex>& lock) {
    std::vector<Waiting*> all;
    for (Group* group : groups) {
      all.insert(all.end(), group->waiting.begin(), group->waiting.end());
      group->running = std::exchange(group->waiting, {}).size();
    }
    std::ranges::sort(all, {}, [](const Waiting* one) { return std::tie(one->handler, *one->place); });
    lock.unlock();
    for (size_t begin = 0; begin < all.size();) {
      size_t end = begin;
      std::vector<void*> requests;
      for (; end < all.size() && all[end]->handler == all[begin]->handler; ++end) requests.push_back(all[end]->request);
      try {
        with_threads(0, [&] { (*all[begin]->handler)(requests); });
      } catch (...) {
        for (size_t k = begin; k < end; ++k) all[k]->error = std::current_exception();
      }
      begin = end;
    }
    lock.lock();
    for (Group* group : groups) {
      ++group->round;
      group->round.notify_all();
    }
  }

  size_t few_;
  std::mutex mutex_;
  std::vector<Group> groups_;
};

// The item that a thread works on.
struct Item {
  RequestBatcher* batcher;
  Index group;
  Place place;
};

thread_local const Item* current_item = nullptr;

// Items first, first + step, ... below `end`.
struct Items {
  Index first, step, end;

  Index count() const { return (end - first + step - 1) / step; }
};

// The lowest item that threw; without an error, none did.
struct Failure {
  Index item;
  std::exception_ptr error;

  void rethrow() const {
    if (error) std::rethrow_exception(error);
  }
};

// Runs items on threads of their own, the first of them this one. The caller counts as running; the last item returns
// its place in the count, so that no request is answered between the end of the items and what the caller does next.
Failure run_items(const Item& above, const Items& items, Index width, const std::function<void(Index)>& body) {
  RequestBatcher& batcher = *above.batcher;
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
    batcher.leave(above.group);
  };
  const auto work = [&](Index first) {
    const detail::BorrowedStopScope scope(stop);
    Item self = above;
    self.place.push_back(first);
    const Item* const before = std::exchange(current_item, &self);
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
    current_item = before;
    end();
  };
  batcher.expect(above.group, threads - 1);
  std::vector<std::jthread> others;
  try {
    for (Index k = 1; k < threads; ++k) others.emplace_back(work, items.first + k * items.step);
    work(items.first);
  } catch (const std::system_error&) {
    {
      const std::lock_guard lock(mutex);
      failure = {items.first,
                 std::make_exception_ptr(SystemError("the system refused a thread; run fewer things at a time"))};
    }
    for (auto k = static_cast<Index>(others.size()); k < threads; ++k) end();
  }
  others.clear();
  return failure;
}

}  // namespace

void lockstep_for(Index count, Index width, const std::function<void(Index)>& body, LockstepGroups groups) {
  if (count <= 0) return;
  width = std::max<Index>(1, width);
  groups.count = std::clamp<Index>(groups.count, 1, std::min(count, width));
  std::vector<Failure> failures(static_cast<size_t>(groups.count));
  const StopScope* const stop = detail::current_stop_scope;
  RequestBatcher batcher(groups);
  const Index each = (width + groups.count - 1) / groups.count;
  const auto run_group = [&](Index g) {
    const detail::BorrowedStopScope scope(stop);
    failures[static_cast<size_t>(g)] = run_items({&batcher, g, {}}, {g, groups.count, count}, each, body);
    batcher.leave(g);
  };
  // All groups count as running before the first one begins, so that batches do not depend on timing.
  for (Index g = 0; g < groups.count; ++g) batcher.expect(g, 1);
  std::vector<Index> late;  // groups that got no thread
  {
    std::vector<std::jthread> others;
    for (Index g = 1; g < groups.count; ++g) {
      try {
        others.emplace_back(run_group, g);
      } catch (const std::system_error&) {
        late.push_back(g);
        batcher.leave(g);
      }
    }
    run_group(0);
  }
  for (const Index g : late) {
    batcher.expect(g, 1);
    run_group(g);
  }
  std::ranges::min_element(failures, {}, &Failure::item)->rethrow();
}

void run_concurrently(Index count, const std::function<void(Index)>& body) {
  const Item* const item = current_item;
  if (item == nullptr || count <= 0) return parallel_for(count, body);
  run_items(*item, {0, 1, count}, count, body).rethrow();
}

void submit(const BatchHandler& handler, void* request) {
  if (current_item == nullptr) return handler(std::span(&request, 1));
  current_item->batcher->submit(handler, request, current_item->group, current_item->place);
}

}  // namespace wordsway
