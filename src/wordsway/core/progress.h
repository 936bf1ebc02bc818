// How long-running calls report what they are doing: a callback, so the library itself never prints.
#pragma once

#include <functional>
#include <mutex>
#include <string_view>

namespace wordsway {

struct ProgressEvent {
  std::string_view stage;  // what is being done, e.g. "measure"
  double done = 0;         // units of work finished ...
  double total = 0;        // ... of this many
  double share = -1;       // of the time it will take, where that is not done/total
};

/// May be empty. Called from one thread at a time.
using Progress = std::function<void(const ProgressEvent&)>;

/// Steps of equal size that end on any thread, each reported.
class ProgressCounter {
 public:
  /// `progress` must outlive the counter.
  ProgressCounter(const Progress& progress, std::string_view stage, double total)
      : progress_(progress), stage_(stage), total_(total) {}

  void step() {
    if (!progress_) return;
    const std::lock_guard lock(mutex_);
    progress_({stage_, ++done_, total_});
  }

 private:
  const Progress& progress_;
  std::string_view stage_;
  double done_ = 0, total_;
  std::mutex mutex_;
};

}  // namespace wordsway
