#include "wordsway/study/follower_desk.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "wordsway/io/json.h"

namespace wordsway {

std::optional<Index> FollowerDesk::next(size_t phase) {
  std::unique_lock lock(mutex_);
  phase_ = phase;
  if (ended_ <= phase) ++wanted_;
  changed_.wait(lock, [&] { return !tasks_.empty() || ended_ > phase; });
  if (tasks_.empty()) return std::nullopt;
  const Index task = tasks_.front();
  tasks_.pop_front();
  return task;
}

void FollowerDesk::finished(Index task, const std::vector<Record>& rows) {
  std::string text = fmt::format("done {}", task);
  for (const Record& row : rows) text += "\n" + to_json(row);
  const std::lock_guard lock(mutex_);
  results_.push_back(std::move(text));
}

void FollowerDesk::put(Index task) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back(task);
  changed_.notify_all();
}

void FollowerDesk::end(size_t phase) {
  const std::lock_guard lock(mutex_);
  ended_ = std::max(ended_, phase + 1);
  // Several requests may have been answered by the same end; threads that are further on still want their tasks.
  if (phase == phase_) wanted_ = 0;
  changed_.notify_all();
}

void FollowerDesk::end_all() {
  const std::lock_guard lock(mutex_);
  ended_ = std::numeric_limits<size_t>::max();
  tasks_.clear();
  changed_.notify_all();
}

std::vector<std::string> FollowerDesk::outgoing() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> messages = std::move(results_);
  results_.clear();
  if (wanted_ > 0) messages.push_back(fmt::format("ask {} {}", phase_, wanted_));
  wanted_ = 0;
  return messages;
}

}  // namespace wordsway
