// Progress on stderr: a moving bar on a terminal, a line now and then elsewhere, nothing for short work or --quiet.
#pragma once

#include <chrono>
#include <string>

#include "wordsway/core/progress.h"

namespace wordsway::app {

/// The bar itself; clears itself when it goes.
class ProgressBar {
 public:
  ~ProgressBar();
  ProgressBar() = default;
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  double elapsed() const;
  /// `text` with the time that is left behind it; `share` of all time has passed, from 0 to 1.
  void show(double share, const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_ = is_terminal();
  bool shown_ = false;
  Clock::time_point begin_ = Clock::now(), last_{};

  static bool is_terminal();
};

/// Clears its bar when the last copy goes.
Progress progress_on_stderr(bool quiet);

}  // namespace wordsway::app
