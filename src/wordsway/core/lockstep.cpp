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

// Requests that wait, by group.
class Meeting {
 public:
  explicit Meeting(LockstepGroups groups) : few_(static_cast<size_t>(groups.few)), groups_(groups.count) {}

  // So many more threads of a group run.
  void expect(Index group, Index count) {
    const std::lock_guard lock(mutex_);
    at(group).running += count;
  }

  // One of them does not any more.
  void leave(Index group) {
    std::unique_lock lock(mutex_);
    if (--at(group).running == 0) meet(at(group), lock);
  }

  void hand_in(const AnswerTogether& answer, void* request, Index group, const Place& place) {
    Waiting waiting{&place, &answer, request, nullptr};
    std::unique_lock lock(mutex_);
    Group& own = at(group);
    const int round = own.round;
    own.waiting.push_back(&waiting);
    if (--own.running == 0) meet(own, lock);
    lock.unlock();
    own.round.wait(round);
    if (waiting.error) std::rethrow_exception(waiting.error);
  }

 private:
  struct Waiting {
    const Place* place;
    const AnswerTogether* answer;
    void* request;
    std::exception_ptr error;
  };
  struct Group {
    std::atomic<int> round = 0;  // all that wait are answered in one; a condition would have each take the mutex
    Index running = 0;
    std::vector<Waiting*> waiting;
  };

  Group& at(Index group) { return groups_[static_cast<size_t>(group)]; }

  // By the last thread of a group that ran.
  void meet(Group& group, std::unique_lock<std::mutex>& lock) {
    std::vector<Group*> met;
    if (group.waiting.size() > few_) {
      met.push_back(&group);
    } else {  // with all others, if these have met too
      for (Group& other : groups_) {
        if (other.running > 0 || other.waiting.size() > few_) return;
        if (!other.waiting.empty()) met.push_back(&other);
      }
    }
    answer_all(met, lock);
  }

  // This thread has all of parallel_for's threads for it. Those that wait are counted again before they wake, so that
  // none of them can believe it is alone.
  void answer_all(const std::vector<Group*>& groups, std::unique_lock<std::mutex>& lock) {
    std::vector<Waiting*> all;
    for (Group* group : groups) {
      all.insert(all.end(), group->waiting.begin(), group->waiting.end());
      group->running = std::exchange(group->waiting, {}).size();
    }
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
    for (Group* group : groups) {
      ++group->round;
      group->round.notify_all();
    }
  }

  size_t few_;
  std::mutex mutex_;
  std::vector<Group> groups_;
};

// What a thread of an item knows of itself.
struct Item {
  Meeting* meeting;
  Index group;
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

// Items on threads of their own, the first of them this one. The caller counts as running; the last item gives its
// place in the count back, so that nobody is answered between the end of the items and what the caller does next.
Failure run_items(const Item& above, const Items& items, Index width, const std::function<void(Index)>& body) {
  Meeting& meeting = *above.meeting;
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
    meeting.leave(above.group);
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
  meeting.expect(above.group, threads - 1);
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
  Meeting meeting(groups);
  const Index each = (width + groups.count - 1) / groups.count;
  const auto run_group = [&](Index g) {
    const detail::BorrowedStopScope scope(stop);
    failures[static_cast<size_t>(g)] = run_items({&meeting, g, {}}, {g, groups.count, count}, each, body);
    meeting.leave(g);
  };
  // All count as running before the first one begins: which of them meet must not depend on timing.
  for (Index g = 0; g < groups.count; ++g) meeting.expect(g, 1);
  std::vector<Index> late;  // those that got no thread
  {
    std::vector<std::jthread> others;
    for (Index g = 1; g < groups.count; ++g) {
      try {
        others.emplace_back(run_group, g);
      } catch (const std::system_error&) {
        late.push_back(g);
        meeting.leave(g);
      }
    }
    run_group(0);
  }
  for (const Index g : late) {
    meeting.expect(g, 1);
    run_group(g);
  }
  std::ranges::min_element(failures, {}, &Failure::item)->rethrow();
}

void side_by_side(Index count, const std::function<void(Index)>& body) {
  const Item* const item = current_item;
  if (item == nullptr || count <= 0) return parallel_for(count, body);
  run_items(*item, {0, 1, count}, count, body).rethrow();
}

void hand_in(const AnswerTogether& answer, void* request) {
  if (current_item == nullptr) return answer(std::span(&request, 1));
  current_item->meeting->hand_in(answer, request, current_item->group, current_item->place);
}

}  // namespace wordsway
