// Wall time in seconds.
#pragma once

#include <chrono>
#include <utility>

namespace wordsway {

/// Runs from the moment it is made.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  /// Since the last lap, or the beginning.
  double lap() {
    const auto now = Clock::now();
    return std::chrono::duration<double>(now - std::exchange(lap_, now)).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now(), lap_ = begin_;
};

}  // namespace wordsway
